"""What a report of a run may show beside the run itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

    from ragproof.analysis.comparison import Comparison
    from ragproof.analysis.gate import Gate
    from ragproof.analysis.prediction_powered import PredictionPowered


@dataclass(frozen=True, kw_only=True)
class Section:
    """A table of its own, as any part of the program may add one; cells may be foreign text."""

    title: str
    """In our own words."""
    note: str = ""
    """A sentence on how to read it."""
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    shares: Sequence[float | None] = ()
    """For each row a length from 0 to 1, drawn as a bar; none where this is empty."""
    page: Markup | None = None
    """What stands in the HTML in place of the table, a whole `<section>`, all of it escaped."""
    anchor: str = ""
    """The id of its heading, where it has a page of its own."""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """A gate, a comparison, further sections: each where there is one."""

    gate: Gate | None = None
    comparison: Comparison | None = None
    sections: tuple[Section, ...] = ()
    corrected: Mapping[str, PredictionPowered | str] = field(default_factory=dict)
    """Metric key to the mean as human labels correct it, or why they cannot."""
    warnings: tuple[str, ...] = ()
    """Why something that was wanted is not shown."""


NOTHING = Beside()
