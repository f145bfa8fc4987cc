"""A file as blocks of whole lines, unpacked where it is gzip; memory does not grow with it."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
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


@dataclass(frozen=True, slots=True)
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
        left: list[bytes | memoryview] = []
        line = 1
        for chunk in _chunks(file, path, size):
            end = chunk.rfind(b"\n") + 1
            if not end:
                left.append(chunk)
                continue
            yield (block := _block([*left, memoryview(chunk)[:end]], line))
            line += block.lines
            left = [chunk[end:]]
        if any(left):
            yield _block([*left, b"\n"], line)


def _chunks(file: BinaryIO, path: Path, size: int) -> Iterator[bytes]:
    chunk = without_bom(file.read(size), path)
    while chunk:
        yield chunk
        chunk = file.read(size)


def _block(parts: Sequence[bytes | memoryview], line: int) -> Block:
    text = np.frombuffer(b"".join((*parts, bytes(PAD))), dtype=np.uint8)
    return Block(text, text.size - PAD, int(np.count_nonzero(text == _NEWLINE)), line)
