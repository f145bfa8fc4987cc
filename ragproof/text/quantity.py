"""What a number, an amount, a share, a date or a time of day in a text comes to."""

from __future__ import annotations

from typing import NamedTuple

from ragproof.text.date_forms import Date


class Quantity(NamedTuple):
    """One of them, in base units."""

    text: str
    """As it is written."""
    values: tuple[float, ...] = ()
    """Several where the way it is written leaves a doubt."""
    unit: str | None = None
    """The base of its unit, `clock` for a time of day; None where none is told."""
    step: float = 0.0
    """What its last digit counts; 0 where it is not to be taken for rounded."""
    written: tuple[float, ...] = ()
    """The values without the unit's worth."""
    date: Date | None = None
    swapped: Date | None = None
    """The date as it is where the day comes first, of one that may be read in two ways."""
    scale: float = 1.0
    """The multiple of ten that is written in a word: a million."""
    lean: int = 0
    """1 where it is told to be more than this, -1 less: `over 300`, `nearly 300`."""
    parts: tuple[Quantity, ...] = ()
    """What it is put together from; where each follows from something, it does, too."""
