"""A file as blocks of whole lines, unpacked where it is gzip; memory does not grow with it."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from ragproof.core import UsageError
from ragproof.rankings.rows import PAD, Bytes
from ragproof.text.files import opened, without_bom

BLOCK = 1 << 20
GZIP = b"\x1f\x8b"
_NEWLINE = 10
_MARK = 4
"""Bytes that tell a mark of the byte order, and UTF-16 without one."""
_NEAR = 1 << 16
"""So far from its end most blocks have the end of a line."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Whole lines of a file."""

    text: Bytes
    size: int
    """Bytes of the lines, the last newline included; behind them is room for a word."""
    lines: int
    first: int
    """Number of the first line, from 1."""


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading, through gzip where its first bytes say so.

    Raises UsageError for what cannot be read or unpacked, also later, while it is read.
    """
    with opened(path) as file:
        packed = cast("BufferedReader", file).peek(2)[:2] == GZIP
        try:
            yield cast("BinaryIO", gzip.GzipFile(fileobj=file)) if packed else file
        except (EOFError, gzip.BadGzipFile, zlib.error) as fault:
            raise UsageError(f"{path}: the file is not whole gzip: {fault}") from fault


def blocks(path: Path, size: int = BLOCK) -> Iterator[Block]:
    """Read a file; its last line may lack the newline."""
    with unpacked(path) as file:
        left, line = without_bom(file.read(_MARK), path), 1
        while True:
            room = max(size, len(left))  # a line of any length is read in few steps
            text = np.empty(len(left) + room + 1 + PAD, dtype=np.uint8)
            view = memoryview(text.data)
            view[: len(left)] = left
            got = cast("BufferedReader", file).readinto(view[len(left) : len(left) + room])
            have = len(left) + got
            if left and not got:  # the last line lacks its newline
                view[have], have = _NEWLINE, have + 1
            end = _end_of_lines(view[:have])
            left = bytes(view[end:have])
            if end:
                yield (block := _block(text, end, line))
                line += block.lines
            if not got:
                return


def _end_of_lines(view: memoryview) -> int:
    """Where the last whole line ends; 0 where there is none."""
    near = max(0, len(view) - _NEAR)
    found = bytes(view[near:]).rfind(b"\n") + 1
    return near + found if found else bytes(view).rfind(b"\n") + 1


def _block(text: Bytes, size: int, line: int) -> Block:
    text[size : size + PAD] = 0
    whole = text[: size + PAD]
    return Block(whole, size, int(np.count_nonzero(whole == _NEWLINE)), line)
