"""A notice board in shared memory: which calls are out, and that the loop still turns.

The process that supervises a run reads it when the run itself can no longer speak: an adapter
that holds the interpreter for ever stops every thread, but not another process.
"""

from __future__ import annotations

import asyncio
import mmap
import struct
import threading
import time
from dataclasses import dataclass

PLACES = 512
BEAT_SECONDS = 0.5
_NOTE = 4096
_PLACE = 256
_BEAT = struct.Struct("=d")
_LIMIT = struct.Struct("=d")
_LENGTH = struct.Struct("=H")
_ENDS = struct.Struct("=B")
_CALL = struct.Struct("=qdHB")
_WAITS_AT = _CALL.size - 1
_LIMIT_AT = _BEAT.size
_LENGTH_AT = _LIMIT_AT + _LIMIT.size
_ENDS_AT = _LENGTH_AT + _LENGTH.size
_NOTE_AT = _ENDS_AT + _ENDS.size
_START = _NOTE_AT + _NOTE
_FREE = _CALL.pack(0, 0.0, 0, 0)


@dataclass(frozen=True, slots=True)
class Call:
    """A case that is out with the pipeline."""

    case: str
    """Trial's name, cut to what a place holds."""
    since: float
    """`time.monotonic()` when it began."""
    thread: int
    """Native id of the thread that runs it; 0 when it runs on the loop."""
    waits: bool = False
    """Whether it is not with the pipeline now, but waits for the judge."""


class Board:
    """Written by the run, read by its supervisor."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _START + PLACES * _PLACE)

    def note(self, text: str, *, limit: float) -> None:
        """Leave word for the supervisor, and how many seconds without a beat are a stall."""
        told = text.encode("ascii", "backslashreplace")[:_NOTE]
        self._memory[_NOTE_AT : _NOTE_AT + len(told)] = told
        _LENGTH.pack_into(self._memory, _LENGTH_AT, len(told))
        _LIMIT.pack_into(self._memory, _LIMIT_AT, limit)

    def noted(self) -> str:
        """The word that was left, or nothing."""
        (length,) = _LENGTH.unpack_from(self._memory, _LENGTH_AT)
        return self._memory[_NOTE_AT : _NOTE_AT + length].decode("ascii")

    def limit(self) -> float:
        """How many seconds without a beat are a stall; infinite before that was said."""
        return float(_LIMIT.unpack_from(self._memory, _LIMIT_AT)[0]) or float("inf")

    def end(self) -> None:
        """Say that the run ends by itself, and not because the pipeline ends the process."""
        _ENDS.pack_into(self._memory, _ENDS_AT, 1)

    def has_ended(self) -> bool:
        """Whether that was said."""
        return bool(_ENDS.unpack_from(self._memory, _ENDS_AT)[0])

    async def beating(self) -> None:
        """Show, for as long as this is awaited, that the loop turns."""
        while True:
            self._beat()
            await asyncio.sleep(BEAT_SECONDS)

    def _beat(self) -> None:
        _BEAT.pack_into(self._memory, 0, time.monotonic())

    def last_beat(self) -> float:
        """When the loop last turned or a call last moved; 0 before either ever did."""
        return float(_BEAT.unpack_from(self._memory, 0)[0])

    def enter(self, place: int, case: str) -> None:
        """Say that a case goes out."""
        self._beat()
        if place < PLACES:
            name = case.encode("utf-8", "backslashreplace")[: _PLACE - _CALL.size]
            at = _START + place * _PLACE
            self._memory[at + _CALL.size : at + _CALL.size + len(name)] = name
            _CALL.pack_into(self._memory, at, 0, time.monotonic(), len(name), 0)

    def in_thread(self, place: int) -> None:
        """Say in which thread it is: this one."""
        self._beat()
        if place < PLACES:
            at = _START + place * _PLACE
            struct.pack_into("=q", self._memory, at, threading.get_native_id())

    def waits(self, place: int, *, is_waiting: bool) -> None:
        """Say that it waits for the judge, or does so no longer."""
        self._beat()
        if place < PLACES:
            self._memory[_START + place * _PLACE + _WAITS_AT] = is_waiting

    def leave(self, place: int) -> None:
        """Say that it is back."""
        self._beat()
        if place < PLACES:
            at = _START + place * _PLACE
            self._memory[at : at + _CALL.size] = _FREE

    def calls(self) -> list[Call]:
        """The cases that are out, the longest out first."""
        out = []
        for place in range(PLACES):
            at = _START + place * _PLACE
            thread, since, length, waits = _CALL.unpack_from(self._memory, at)
            if since:
                name = self._memory[at + _CALL.size : at + _CALL.size + length]
                told = name.decode("utf-8", "replace")
                out.append(Call(told, since, thread, bool(waits)))
        return sorted(out, key=lambda call: call.since)


UNWATCHED = Board()
"""For runs that nobody supervises."""
