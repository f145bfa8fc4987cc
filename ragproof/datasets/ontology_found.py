"""What a reader of ontologies hands over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragproof.core import Entity


@dataclass(frozen=True, slots=True)
class Found:
    """The entities of a file, not yet checked against each other."""

    entities: Sequence[Entity]
    hint: str
    """What such a file should hold, for whoever gave one without any."""
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    """Id to why it does not count."""
