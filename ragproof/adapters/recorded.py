"""Observations that were recorded before: JSON Lines, one a case."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from ragproof.adapters.plain import shown
from ragproof.adapters.shapes import Shape
from ragproof.core import (
    AdapterError,
    AdapterInfo,
    Answer,
    Case,
    Cause,
    Chunk,
    Failed,
    Feedback,
    Observation,
    Parsed,
    RunError,
    UsageError,
)
from ragproof.core.observation import SAID_BY, is_moment
from ragproof.text.files import opened
from ragproof.text.jsonl import read_lines


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line of the file."""

    case_id: str
    retrieved: tuple[Chunk, ...] | None = None
    answer: Answer | None = None
    parsed: Parsed | None = None
    chunks: tuple[Chunk, ...] | None = None
    error: str | None = None
    """What the pipeline failed with; that it is there says that it failed."""
    timeout: bool = False
    seconds: float | None = None
    asked_at: float | None = None
    feedback: Feedback | None = None

    def observation(self) -> Observation:
        """What was seen, and that it failed where it did."""
        failure = None
        if self.timeout or self.error is not None:
            cause = Cause.TIMEOUT if self.timeout else Cause.ADAPTER
            failure = Failed(cause, self.error or "the recording gives no message")
        return Observation(
            case_id=self.case_id,
            retrieved=self.retrieved,
            answer=self.answer,
            parsed=self.parsed,
            chunks=self.chunks,
            seconds=self.seconds,
            asked_at=self.asked_at,
            feedback=self.feedback,
            failure=failure,
        )


_LINE: Shape[Line] = Shape(Line, "a mapping with case_id", closed=True)


class RecordedAdapter:
    """Looks up what was recorded. Only where the lines begin is kept in memory."""

    def __init__(
        self,
        path: Path,
        lines: Mapping[str, int],
        starts: array[int],
        sha: str,
        *,
        has_feedback: bool,
    ) -> None:
        """Take the file, case id to line number, and where each line begins."""
        self._path = path
        self._lines = lines
        self._starts = starts
        self._sha = sha
        self._file: BinaryIO | None = None
        self.has_feedback = has_feedback
        """Whether any line says what users did."""

    @classmethod
    def load(cls, path: Path) -> RecordedAdapter:
        """Check every line; raises UsageError that names file and line."""
        lines: dict[str, int] = {}
        has_feedback = False
        for number, raw in read_lines(path):
            try:
                line = read_line(raw)
            except AdapterError as error:
                raise UsageError(f"{path}:{number}: {error}") from None
            if (first := lines.setdefault(line.case_id, number)) != number:
                raise UsageError(
                    f"{path}:{number}: case {line.case_id!r} is recorded in line {first} too; "
                    "keep one of them"
                )
            has_feedback = has_feedback or line.feedback is not None
        return cls(path, lines, *_measured(path), has_feedback=has_feedback)

    @property
    def name(self) -> str:
        """The path."""
        return str(self._path)

    def info(self, version: str | None = None) -> AdapterInfo:
        """What the run's header says."""
        return AdapterInfo(type="recorded", target=self.name, version=version, content=self._sha)

    def unknown(self, case_ids: Iterable[str]) -> int:
        """How many lines are for none of these cases."""
        return len(self._lines.keys() - set(case_ids))

    async def observe(self, case: Case, /) -> Observation:
        """What was recorded of the case; raises AdapterError where nothing was."""
        number = self._lines.get(case.id)
        if number is None:
            raise AdapterError(f"no recorded observation for this case in {self._path.name}")
        try:
            line = read_line(self._raw(number))
        except (AdapterError, OSError) as error:
            raise RunError(self._changed(number)) from error
        if line.case_id != case.id:
            raise RunError(self._changed(number))
        return line.observation()

    async def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _raw(self, number: int) -> bytes:
        if self._file is None:
            self._file = self._path.open("rb")
        self._file.seek(self._starts[number - 1])
        return self._file.readline()

    def _changed(self, number: int) -> str:
        return f"{self._path}:{number}: the file was changed while it was in use; run again"


def read_line(raw: bytes) -> Line:
    """Read one line; AdapterError says what is wrong with it."""
    try:
        value: Any = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise AdapterError(f"the line is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise AdapterError(f"the line holds {shown(value)}; allowed: a mapping with case_id")
    line = _LINE.read(value, "the line")
    if line.seconds is not None and line.seconds < 0:
        raise AdapterError(f"the line: seconds: got {line.seconds:g}; allowed: 0 and above")
    _refuse_strange_time(line.asked_at, "the line: asked_at")
    _refuse_contradiction(line.feedback or Feedback())
    return line


def _refuse_strange_time(at: float | None, where: str) -> None:
    if at is not None and not is_moment(at):
        raise AdapterError(f"{where}: got {at:g}; allowed: seconds since 1970, up to the year 9999")


def _refuse_contradiction(feedback: Feedback) -> None:
    """Raise AdapterError for an event that cannot be, or that no figure could count."""
    for place, event in enumerate(feedback.events):
        where = f"the line: feedback.events.{place}"
        if event.kind not in feedback.exposed:
            raise AdapterError(
                f"{where}.kind: got {event.kind.value!r}, which is not among feedback.exposed; "
                "list there all that the interface records"
            )
        if (field := SAID_BY.get(event.kind)) and getattr(event, field) is None:
            raise AdapterError(f"{where}: {field} is missing; {event.kind.value!r} says it")
        if event.seconds is not None and event.seconds < 0:
            raise AdapterError(f"{where}.seconds: got {event.seconds:g}; allowed: 0 and above")
        _refuse_strange_time(event.at, f"{where}.at")


def _measured(path: Path) -> tuple[array[int], str]:
    """Where each line of the file begins, and the sha256 of it all."""
    starts, digest = array("Q"), sha256()
    with opened(path) as file:
        offset = 0
        for raw in file:
            starts.append(offset)
            offset += len(raw)
            digest.update(raw)
    return starts, digest.hexdigest()
