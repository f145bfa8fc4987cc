"""Sources that runs found and nobody judged: offered for judging, and judgments merged back."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.core import Case, QuestionCase, UsageError
from ragproof.datasets.checks import HIGHEST_GRADE
from ragproof.datasets.imports.records import json_lines
from ragproof.datasets.validate import UNJUDGED
from ragproof.text.faults import shown


@dataclass(frozen=True, slots=True)
class Found:
    """A source that a run brought for a case."""

    case_id: str
    source_id: str
    rank: int
    """From 1."""
    text: str
    run: str


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A source without a judgment, and how high it stood."""

    case_id: str
    question: str
    source_id: str
    text: str
    best_rank: int
    runs: tuple[str, ...]


def unjudged(cases: Sequence[Case], found: Iterable[Found]) -> tuple[Unjudged, ...]:
    """Pool what was found and has no grade, in the order of the cases, the best rank first."""
    asked = {case.id: case for case in cases if isinstance(case, QuestionCase)}
    pooled: defaultdict[tuple[str, str], list[Found]] = defaultdict(list)
    for one in found:
        case = asked.get(one.case_id)
        if case is not None and one.source_id not in _judged(case):
            pooled[one.case_id, one.source_id].append(one)
    order = {name: at for at, name in enumerate(asked)}
    rows = [
        Unjudged(
            case_id=case_id,
            question=asked[case_id].question,
            source_id=source_id,
            text=next((one.text for one in seen if one.text), ""),
            best_rank=min(one.rank for one in seen),
            runs=tuple(sorted({one.run for one in seen})),
        )
        for (case_id, source_id), seen in pooled.items()
    ]
    return tuple(sorted(rows, key=lambda one: (order[one.case_id], one.best_rank, one.source_id)))


def _judged(case: QuestionCase) -> frozenset[str]:
    """What has a label of any kind: expected, or known to be wrong."""
    return frozenset(
        [
            *(case.expected_source_ids or ()),
            *(case.distractor_source_ids or ()),
            *(case.superseded_source_ids or ()),
            *(case.planted_source_ids or ()),
        ]
    )


@dataclass(frozen=True, slots=True)
class Merged:
    """A dataset with judgments in it."""

    cases: tuple[Case, ...]
    merged: int
    waiting: int
    """Lines without a grade."""


def merge(cases: Sequence[Case], path: Path) -> Merged:
    """Put the grades of a judged pool into the cases.

    Raises UsageError for a line of the wrong form, an unknown case, and a grade that says other
    than an earlier line or the dataset.
    """
    asked = {case.id: case for case in cases if isinstance(case, QuestionCase)}
    grades: defaultdict[str, dict[str, int]] = defaultdict(dict)
    waiting = 0
    for place, line in json_lines(path):
        case_id, source_id, grade = _line(line, place)
        if case_id not in asked:
            raise UsageError(f"{place}: case_id: {shown(case_id)} is no question of the dataset")
        if grade is None:
            waiting += 1
            continue
        before = grades[case_id].get(source_id, _grades(asked[case_id]).get(source_id))
        if before is not None and before != grade:
            raise UsageError(
                f"{place}: {shown(source_id)} for case {shown(case_id)}: got grade {grade}, but "
                f"it has {before} already"
            )
        grades[case_id][source_id] = grade
    changed = tuple(
        _with(case, grades[case.id])
        if isinstance(case, QuestionCase) and grades.get(case.id)
        else case
        for case in cases
    )
    return Merged(changed, sum(map(len, grades.values())), waiting)


def _line(line: Any, place: str) -> tuple[str, str, int | None]:  # noqa: ANN401  any JSON value
    if not isinstance(line, Mapping):
        raise UsageError(f"{place}: got {shown(line)}; allowed: an object")
    for name in ("case_id", "source_id"):
        if not isinstance(line.get(name), str) or not line[name]:
            raise UsageError(
                f"{place}: {name}: got {shown(line.get(name))}; allowed: a text that is not empty"
            )
    grade = line.get("grade")
    wrong = isinstance(grade, bool) or not isinstance(grade, int | None)
    if wrong or (grade is not None and abs(grade) > HIGHEST_GRADE):
        raise UsageError(
            f"{place}: grade: got {shown(grade)}; allowed: a whole number from -{HIGHEST_GRADE} "
            f"to {HIGHEST_GRADE}, or null for not judged"
        )
    return line["case_id"], line["source_id"], grade


def _grades(case: QuestionCase) -> Mapping[str, int]:
    ids = case.expected_source_ids or ()
    return ids if isinstance(ids, Mapping) else dict.fromkeys(ids, 1)


def _with(case: QuestionCase, grades: Mapping[str, int]) -> QuestionCase:
    """The case with these grades; it is no longer one that nobody judged."""
    name, value = UNJUDGED
    tags = {tag: one for tag, one in case.tags.items() if (tag, one) != (name, value)}
    return dataclasses.replace(case, expected_source_ids={**_grades(case), **grades}, tags=tags)
