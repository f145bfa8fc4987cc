"""What an import is told, and what it notes on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

Fields: TypeAlias = dict[str, Any]
"""A case as its JSON; a field that is None or absent is not known."""


@dataclass
class Notes:
    """What became of things on the way in, counted."""

    lost: Counter[str] = field(default_factory=Counter[str])
    """Thing that no case holds, to how often it was there."""
    kept: Counter[str] = field(default_factory=Counter[str])
    """Field that is kept under `metadata` and scored by nothing."""
    left_out: Counter[str] = field(default_factory=Counter[str])
    """Reason why a record made no case, to their number."""
    documents: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Documents that the source brings along: id to title and text."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is read, and how."""

    source: Path
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    """Field of a case to column (`inputs.question` for one inside another)."""
    qrels: Path | None = None
    """Judgments, where topics have them in a file of their own."""
    notes: Notes = field(default_factory=Notes)


Read: TypeAlias = Callable[[Asked], Iterator[tuple[str, Fields]]]
"""Yields where each record stands, and its case. Raises UsageError for what cannot be read."""
