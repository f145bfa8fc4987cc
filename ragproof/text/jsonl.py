"""JSON Lines: one value a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ragproof.text.files import as_utf8, opened, without_bom


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    r"""Yield line number (from 1) and UTF-8 bytes of each line that is not blank, one at a time.

    Lines end at `\n` or `\r\n` and nowhere else: U+2028, U+0085 and form feeds inside a string
    are data. Raises UsageError for a file that cannot be read or is not UTF-8.
    """
    for number, _, line in read_places(path):
        yield number, line


def read_places(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """The same, with the offset in the file at which each line's bytes begin."""
    offset = 0
    with opened(path) as file:
        for number, raw in enumerate(file, 1):
            line = without_bom(raw, path) if number == 1 else raw
            begin = offset + len(raw) - len(line)
            if not line.isascii():
                as_utf8(line, path, number, begin)
            offset += len(raw)
            if not line.isspace() and line:
                yield number, begin, line.rstrip(b"\r\n")
