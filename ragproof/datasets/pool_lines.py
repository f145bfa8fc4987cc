"""The lines of a pool that people filled in: a grade of a source, or a verdict on an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.checks import HIGHEST_GRADE
from ragproof.datasets.imports.records import json_lines
from ragproof.text.clean import uncarried
from ragproof.text.faults import shown


class Verdict(StrEnum):
    """What a person says of an answer."""

    RIGHT = "right"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLine:
    """What both kinds of line have."""

    place: str
    """File and line."""
    case_id: str
    reviewer: str | None = None
    runs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine(PoolLine):
    """A source that runs found, and its grade."""

    source_id: str
    grade: int | None
    """None: not judged yet."""
    text: str = ""
    best_rank: int = 0
    """0 where the line does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLine(PoolLine):
    """An answer that a run gave, and what a person says of it."""

    answer: str
    verdict: Verdict | None
    """None: not reviewed yet."""
    corrected: str | None = None
    """What the person would have said."""


def pool_lines(path: Path) -> Iterator[SourceLine | AnswerLine]:
    """Read a pool. Raises UsageError with file, line and field of the first thing wrong."""
    for place, line in json_lines(path):
        if not isinstance(line, Mapping):
            raise UsageError(f"{place}: got {shown(line)}; allowed: an object")
        shared: dict[str, Any] = {
            "place": place,
            "case_id": _text(line, "case_id", place),
            "reviewer": _text_or_none(line, "reviewer", place),
            "runs": tuple(map(str, found)) if isinstance(found := line.get("runs"), list) else (),
        }
        yield (_answer if "answer" in line else _source)(line, place, shared)


def refuse_filled(path: Path) -> None:
    """Raise UsageError for a pool in which people filled something in, and for another file.

    A path at which there is nothing yet may be written to, and so may a pool that is as it was.
    """
    if not path.exists():
        return
    try:
        lines = list(pool_lines(path))
    except UsageError:
        raise UsageError(f"{path} is there already, and is no pool; give another name") from None
    for line in lines:
        said = line.grade if isinstance(line, SourceLine) else line.verdict
        if said is not None:
            raise UsageError(f"{path} is filled in already ({line.place}); give another name")


def _source(line: Mapping[str, Any], place: str, shared: dict[str, Any]) -> SourceLine:
    grade, rank = line.get("grade"), line.get("best_rank")
    wrong = isinstance(grade, bool) or not isinstance(grade, int | None)
    if wrong or (grade is not None and abs(grade) > HIGHEST_GRADE):
        raise UsageError(
            f"{place}: grade: got {shown(grade)}; allowed: a whole number from -{HIGHEST_GRADE} "
            f"to {HIGHEST_GRADE}, or null for not judged"
        )
    return SourceLine(
        source_id=_text(line, "source_id", place),
        grade=grade,
        text=_text_or_none(line, "text", place) or "",
        best_rank=rank if isinstance(rank, int) else 0,
        **shared,
    )


def _answer(line: Mapping[str, Any], place: str, shared: dict[str, Any]) -> AnswerLine:
    verdict = line.get("verdict")
    if verdict not in (None, *Verdict):
        raise UsageError(
            f"{place}: verdict: got {shown(verdict)}; allowed: {', '.join(Verdict)}, or null for "
            "not reviewed"
        )
    corrected = _text_or_none(line, "corrected_answer", place)
    if corrected is not None and verdict != Verdict.WRONG:
        raise UsageError(f"{place}: corrected_answer goes with the verdict `wrong`")
    return AnswerLine(
        answer=_text(line, "answer", place),
        verdict=None if verdict is None else Verdict(verdict),
        corrected=corrected,
        **shared,
    )


def _text(line: Mapping[str, Any], name: str, place: str) -> str:
    found = _text_or_none(line, name, place)
    if found is None:
        got = shown(line.get(name))
        raise UsageError(f"{place}: {name}: got {got}; allowed: a text that is not empty")
    return found


def _text_or_none(line: Mapping[str, Any], name: str, place: str) -> str | None:
    found = line.get(name)
    if not isinstance(found, str | None):
        raise UsageError(f"{place}: {name}: got {shown(found)}; allowed: a text, or null")
    if found and (bad := uncarried(found)):
        raise UsageError(f"{place}: {name}: holds {bad}, half of a character; remove it")
    return found if found and not found.isspace() else None
