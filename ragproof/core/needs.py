"""Every input a metric can need, one line each. To add an input, add its line here."""

from __future__ import annotations

from collections.abc import Mapping

from ragproof.core.need import Need
from ragproof.core.observation import Answer, Chunk, Citation
from ragproof.core.ports import Judge
from ragproof.core.readings import Refusal
from ragproof.core.subject import CaseRun, SourceMatch


def _relevant(ids: tuple[str, ...] | Mapping[str, int], _run: CaseRun) -> frozenset[str] | None:
    """Ids listed, or graded 1 and above; none of them is as good as no ids."""
    if isinstance(ids, tuple):
        return frozenset(ids) or None
    return frozenset(source for source, grade in ids.items() if grade >= 1) or None


def _accepted(answer: str | tuple[str, ...], _run: CaseRun) -> tuple[str, ...] | None:
    """Every acceptable answer; an empty list is as good as none."""
    return (answer,) if isinstance(answer, str) else answer or None


def _ranked(chunks: tuple[Chunk, ...], run: CaseRun) -> tuple[str, ...]:
    """Distinct source ids, each at its best rank; possibly none."""
    if run.source_match is SourceMatch.CHUNK:  # every case of every run comes by here
        return tuple(dict.fromkeys([chunk.id for chunk in chunks]))
    return tuple(dict.fromkeys([run.source_match.source(chunk) for chunk in chunks]))


def _some(cited: tuple[Citation, ...], _run: CaseRun) -> tuple[Citation, ...] | None:
    return cited or None


# fmt: off  one line, one input
# The case says
EXPECTED_SOURCES: Need[frozenset[str]] = Need(
    ("case.expected_source_ids",), "case has no expected_source_ids", _relevant
)
EXPECTED_ANSWER: Need[tuple[str, ...]] = Need(
    ("case.expected_answer",), "case has no expected_answer", _accepted
)

# The adapter exposes
RETRIEVAL: Need[tuple[str, ...]] = Need(
    ("observation.retrieved",), "adapter does not expose retrieval", _ranked
)
ANSWER: Need[Answer] = Need(("observation.answer",), "adapter did not produce an answer")
CITATIONS: Need[tuple[Citation, ...]] = Need(
    ("observation.answer.citations",), "answer has no citations", _some
)
CONTEXT: Need[tuple[Chunk, ...]] = Need(
    ("observation.answer.retrieved_chunks", "observation.retrieved"),
    "neither the answer nor the adapter gives a context",
)
SECONDS: Need[float] = Need(("observation.seconds",), "adapter was not timed")

# Was read of the answer, once
REFUSAL: Need[Refusal] = Need(("readings.refusal",), ANSWER.reason)

# The run is equipped with
JUDGE: Need[Judge] = Need(("judge",), "no judge is configured")
