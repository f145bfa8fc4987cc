"""Put spans away by trace, so that one part of all traces is in memory at a time.

Spans of one trace may lie anywhere in the files, and in several: they go to a file of their part,
by a hash of the trace's id, and a part is read back whole.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO
from zlib import crc32

from ragproof.datasets.traffic.spans import Span, packed, unpacked

PART = 32 * 1024 * 1024
"""Bytes of input for each part; a part of spans takes some times as much in memory."""
MOST = 128


class Parts(ExitStack):
    """Spans on disk, in a place that is gone afterwards."""

    def __init__(self, total_bytes: int) -> None:
        """Take the size of all that is to be read."""
        super().__init__()
        self._number = min(1 + total_bytes // PART, MOST)
        self._files: list[IO[bytes]] = [
            self.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  the stack closes it
            for _ in range(self._number)
        ]

    def add(self, span: Span) -> None:
        """Put a span away."""
        at = crc32(span.trace.encode("utf-8", "surrogatepass")) % self._number
        self._files[at].write(f"{packed(span)}\n".encode())

    def traces(self) -> Iterator[list[Span]]:
        """Yield the spans of each trace, part by part."""
        for file in self._files:
            file.seek(0)
            found: dict[str, list[Span]] = {}
            for line in file:
                span = unpacked(line)
                found.setdefault(span.trace, []).append(span)
            yield from found.values()
