"""Lines taken apart into the fields that white space parts, a block at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragproof.core.arrays import Flags
from ragproof.rankings.blocks import Block
from ragproof.rankings.rows import Bytes, Fields, Ints

BLANK = np.uint8(ord(" "))
"""Bytes up to this one part fields: blank, tab, carriage return and the like."""
_NEWLINE = 10


class WrongCount(Exception):
    """A line has another number of fields."""

    def __init__(self, line: int, count: int) -> None:
        super().__init__(line, count)
        self.line, self.count = line, count


def split(block: Block, count: int, wanted: Sequence[int]) -> tuple[list[Fields], Ints]:
    """Find the wanted fields of each line that is not blank, and the lines' numbers.

    Raises WrongCount for the first line that has not `count` fields.
    """
    blank = block.text[: block.size] <= BLANK
    ends = np.flatnonzero(blank)
    if _is_regular(block, blank, ends, count):
        table = ends.reshape(-1, count)
        lines = np.arange(block.first, block.first + len(table))
        return [_between(table, column) for column in wanted], lines
    return _anywhere(block, blank, count, wanted)


def _is_regular(block: Block, blank: Flags, ends: Ints, count: int) -> bool:
    """Whether every line has as many fields, one byte between them: then blanks tell it all."""
    if ends.size != count * block.lines or blank[0] or (blank[1:] & blank[:-1]).any():
        return False
    return bool((block.text.take(ends[count - 1 :: count]) == _NEWLINE).all())


def _between(ends: Ints, column: int) -> Fields:
    """The fields that end here and begin behind the end of the one before. Shape (lines, count)."""
    start = np.zeros(len(ends), dtype=np.int64)
    if column:
        np.add(ends[:, column - 1], 1, out=start)
    else:
        np.add(ends[:-1, -1], 1, out=start[1:])
    return Fields(start, ends[:, column] - start)


def _anywhere(
    block: Block, blank: Flags, count: int, wanted: Sequence[int]
) -> tuple[list[Fields], Ints]:
    """Fields between any number of blanks, blank lines between."""
    edge = np.flatnonzero(np.diff(blank, prepend=True))
    starts, ends = edge[::2], edge[1::2]
    line = _line_of(block.text[: block.size], starts)
    counts = np.bincount(line)
    wrong = np.flatnonzero((counts != count) & (counts > 0))
    if wrong.size:
        raise WrongCount(block.first + int(wrong[0]), int(counts[wrong[0]]))
    lengths = ends - starts
    fields = [
        Fields(np.ascontiguousarray(starts[at::count]), np.ascontiguousarray(lengths[at::count]))
        for at in wanted
    ]
    return fields, block.first + line[::count].astype(np.int64)


def _line_of(text: Bytes, starts: Ints) -> Ints:
    """On which line of the text each field begins, from 0."""
    return np.searchsorted(np.flatnonzero(text == _NEWLINE), starts)
