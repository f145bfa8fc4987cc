"""query.union_recall_at_k"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, LANES
from ragproof.metrics.ranks import as_retrieved, check_k, relevant_ranks


@dataclass(frozen=True)
class UnionRecallAtK(PureMetric[CaseRun]):
    """Share of the relevant sources that are among the first k of any lane.

    Question: What could several rewrites or retrievers find together?
    Formula: |relevant ∩ union over the lanes of their first k distinct sources| / |relevant|;
        with `lanes: N` over the first N lanes of the trace only
    Range: 0, none was found by any lane, to 1, each by some.
    Edge cases: Each lane is cut at k by itself, so that N lanes hold up to N * k sources: the
        figure can only rise with N, and what it rises by is what another rewrite adds. Ask with
        several N for the frontier of recall and latency, on one run. A lane counts in the order in
        which the trace lists it. Without a lane it is not applicable; of fewer than N lanes all
        are taken.
    Not to be confused with: `retrieval.recall_at_k`, what is left of it after fusing and cutting;
        `query.rewrite_recall_gain`, that against the raw question.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> lanes = {"raw": (Chunk(id="a"),), "rewrite 1": (Chunk(id="x"), Chunk(id="b"))}
        >>> answer = Answer(answer_text="?", trace=Trace(lanes=lanes))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> UnionRecallAtK().score(run).value, UnionRecallAtK(lanes=1).score(run).value
        (1.0, 0.5)
    """

    k: int = 5
    lanes: int = 0

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(LANES, EXPECTED_SOURCES))

    def __post_init__(self) -> None:
        check_k(self.k)
        if self.lanes < 0:
            raise ValueError(f"lanes must be at least 1, or 0 for all, got {self.lanes}")

    def score(self, run: CaseRun, /) -> Scored:
        """Look in every lane."""
        lanes, relevant = run[LANES], run[EXPECTED_SOURCES]
        if not lanes:
            raise DoesNotArise("there is no lane")
        taken = list(lanes.items())[: self.lanes or None]
        found = {
            name: sorted(relevant_ranks(as_retrieved(run, lane), self.k)) for name, lane in taken
        }
        union = {source for sources in found.values() for source in sources}
        evidence: dict[str, Json] = {"found": found, "missed": sorted(relevant - union)}
        return Scored(len(union) / len(relevant), evidence)
