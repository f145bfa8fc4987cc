"""Personal data that was found and that there is: spans of text, each of a type."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ragproof.core import CaseRun, MissingInput
from ragproof.core.case import TypedSpan
from ragproof.core.needs import EXPECTED_PII, PII
from ragproof.core.outcome import Json
from ragproof.metrics.parameters import one_of

MATCHES = ("exact", "partial")
NO_SCORES = "adapter does not expose scores of pii"
SHOWN = 20
Span: TypeAlias = tuple[int, int]
ByType: TypeAlias = Mapping[str, list[tuple[Span, bool]]]
"""Type to its spans, each once, in order, and whether the other side has it too."""


def check_match(match: str) -> None:
    """Raise ValueError for what is no way to compare spans."""
    one_of("match", match, MATCHES)


def found(run: CaseRun, match: str, min_score: float) -> ByType:
    """The spans that the adapter gave, and whether each is labelled."""
    given, labelled = _given(run, min_score), run[EXPECTED_PII]
    return _held_against(given, labelled, match)


def labelled(run: CaseRun, match: str, min_score: float) -> ByType:
    """The spans that are labelled, and whether the adapter gave each."""
    given, wanted = _given(run, min_score), run[EXPECTED_PII]
    return _held_against(wanted, given, match)


def told(spans: Iterable[tuple[Span, bool]]) -> dict[str, Json]:
    """Evidence: how many, how many of them right, and the first that are not."""
    every = list(spans)
    wrong: list[Json] = [list(span) for span, right in every if not right]
    return {"spans": len(every), "right": len(every) - len(wrong), "wrong": wrong[:SHOWN]}


@dataclass(frozen=True, slots=True)
class Detections:
    """What a detector found of one type in a document, by its scores."""

    finds: tuple[tuple[float, bool], ...]
    """Score of each span, and whether it is right."""
    hits: tuple[float, ...]
    """Of each labelled span that was found the highest score of what finds it."""
    labelled: int


def detections(run: CaseRun, match: str) -> Mapping[str, Detections]:
    """Type to what was found of it. Raises MissingInput where a span has no score."""
    given, wanted = run[PII], run[EXPECTED_PII]
    scores: dict[str, dict[Span, float]] = defaultdict(dict)
    for one in given:
        if one.score is None:
            raise MissingInput(NO_SCORES)
        there, span = scores[one.type], (one.start, one.end)
        there[span] = max(one.score, there.get(span, one.score))
    labels: dict[str, set[Span]] = defaultdict(set)
    for one in wanted:
        labels[one.type].add((one.start, one.end))
    right = _held_against(given, wanted, match)
    return {
        name: Detections(
            tuple((scores[name][span], is_right) for span, is_right in right.get(name, ())),
            tuple(_hits(labels[name], scores[name], match)),
            len(labels[name]),
        )
        for name in sorted(scores.keys() | labels.keys())
    }


def _hits(labels: Iterable[Span], scores: Mapping[Span, float], match: str) -> Iterator[float]:
    for label in sorted(labels):
        reached = reach([label])
        found = [
            score
            for span, score in scores.items()
            if span == label or (match == "partial" and shares(span, reached))
        ]
        if found:
            yield max(found)


def _given(run: CaseRun, min_score: float) -> list[TypedSpan]:
    spans = run[PII]
    if min_score > 0 and any(span.score is None for span in spans):
        raise MissingInput(NO_SCORES)
    return [span for span in spans if span.score is None or span.score >= min_score]


def _held_against(spans: Iterable[TypedSpan], others: Iterable[TypedSpan], match: str) -> ByType:
    there: dict[str, set[Span]] = defaultdict(set)
    for other in others:
        there[other.type].add((other.start, other.end))
    mine: dict[str, set[Span]] = defaultdict(set)
    for span in spans:
        mine[span.type].add((span.start, span.end))
    return {
        name: [
            (span, span in there[name] or (match == "partial" and shares(span, far)))
            for span in sorted(mine[name])
        ]
        for name in sorted(mine)
        for far in [reach(there[name])]
    }


Reach: TypeAlias = tuple[list[int], list[int]]
"""Starts of spans, in order, and how far any of them up to there reaches."""


def reach(spans: Iterable[Span]) -> Reach:
    """How far spans reach, ready to be asked; those of no length are nothing."""
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        starts.append(start)
        ends.append(max(end, ends[-1]) if ends else end)
    return starts, ends


def shares(span: Span, others: Reach) -> bool:
    """Whether a span has a character in common with any of the others.

    >>> shares((3, 5), reach([(0, 4)])), shares((4, 5), reach([(0, 4)]))
    (True, False)
    """
    start, end = span
    starts, ends = others
    before = bisect_left(starts, end)  # those that begin before this one ends
    return start < end and before > 0 and ends[before - 1] > start
