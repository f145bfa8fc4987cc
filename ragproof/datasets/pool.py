"""What runs found or answered and nobody judged, offered to people for judging."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragproof.core import Case, QuestionCase
from ragproof.datasets.validate import answers
from ragproof.text.answer_tokens import answer_tokens


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
class Said:
    """An answer that a run gave to a case."""

    case_id: str
    answer: str
    run: str


@dataclass(frozen=True, slots=True)
class Unreviewed:
    """An answer that the dataset does not know, and the runs that gave it."""

    case_id: str
    question: str
    expected: tuple[str, ...]
    answer: str
    runs: tuple[str, ...]


def unreviewed(cases: Sequence[Case], said: Iterable[Said]) -> tuple[Unreviewed, ...]:
    """Pool what was answered and is no expected answer; the same words count once."""
    asked = {case.id: case for case in cases if isinstance(case, QuestionCase)}
    known = {name: {*map(tokens_of, answers(case))} for name, case in asked.items()}
    pooled: dict[str, dict[tuple[str, ...], list[Said]]] = {name: {} for name in asked}
    for one in said:
        tokens = tokens_of(one.answer)
        if one.case_id in asked and tokens and tokens not in known[one.case_id]:
            pooled[one.case_id].setdefault(tokens, []).append(one)
    return tuple(
        Unreviewed(
            case_id=name,
            question=asked[name].question,
            expected=answers(asked[name]),
            answer=same[0].answer,
            runs=tuple(sorted({one.run for one in same})),
        )
        for name, found in pooled.items()
        for same in found.values()
    )


def tokens_of(text: str) -> tuple[str, ...]:
    """What of an answer counts when two are told apart."""
    return tuple(answer_tokens(text))


def grades(case: QuestionCase) -> Mapping[str, int]:
    """The grade of each source that is expected; those of a plain list have 1."""
    ids = case.expected_source_ids or ()
    return ids if isinstance(ids, Mapping) else dict.fromkeys(ids, 1)
