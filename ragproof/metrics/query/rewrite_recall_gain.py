"""query.rewrite_recall_gain"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Chunk, DoesNotArise, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, LANES, QUESTION, RETRIEVAL
from ragproof.metrics.ranks import as_retrieved, check_k, relevant_ranks

RAW = ("raw", "original", "question")
"""What the lane of the question as it was asked is called, where no name is given."""


@dataclass(frozen=True)
class RewriteRecallGain(PureMetric[CaseRun]):
    """Recall at k of what was retrieved, less that of the question as it was asked.

    Question: Does rewriting or expanding the question find more than the question itself?
    Formula: recall@k of the retrieved list - recall@k of the raw question's lane in `trace.lanes`
    Range: -1, everything was lost by it, to 1, everything was found by it alone; 0, no difference.
    Edge cases: The lane is the one named by the parameter `raw`; without it the one called raw,
        original or question, or by the question itself. Where there is none the metric is not
        applicable. Sources and k count as in `retrieval.recall_at_k`. A lane of fewer than k
        chunks is taken as it is: give every lane the depth at which it would be used alone.
    Not to be confused with: `query.union_recall_at_k`, what all lanes found, before anything was
        fused or cut; a change between two runs, one with and one without, which also sees what
        the answer makes of it.
    References: Voorhees, SIGIR 1994, for expansion measured against the query as it was. RM3 and
        Bo1 (`ragproof/demo/feedback.py`) are the baselines to beat.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> a, b = Chunk(id="a"), Chunk(id="b")
        >>> answer = Answer(answer_text="?", trace=Trace(lanes={"raw": (a,), "hyde": (b,)}))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer, retrieved=(a, b)))
        >>> RewriteRecallGain().score(run).value
        0.5
    """

    k: int = 5
    raw: str = ""

    spec = Spec(
        unit=Unit.DIFFERENCE,
        better=Better.HIGHER,
        needs=(RETRIEVAL, LANES, EXPECTED_SOURCES),
        uses=(QUESTION,),
    )

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Scored:
        """Compare what was retrieved with what the raw question found."""
        run[RETRIEVAL]  # that there is no retrieval says more than that there are no lanes
        lane = self._raw_lane(run[LANES], run)
        relevant = run[EXPECTED_SOURCES]
        after = relevant_ranks(run, self.k)
        before = relevant_ranks(as_retrieved(run, lane), self.k)
        evidence: dict[str, Json] = {
            "raw": len(before) / len(relevant),
            "rewritten": len(after) / len(relevant),
            "gained": sorted(after.keys() - before.keys()),
            "lost": sorted(before.keys() - after.keys()),
        }
        return Scored((len(after) - len(before)) / len(relevant), evidence)

    def _raw_lane(self, lanes: Mapping[str, tuple[Chunk, ...]], run: CaseRun) -> tuple[Chunk, ...]:
        names = (self.raw,) if self.raw else (*RAW, getattr(run.case, "question", ""))
        for name in names:
            if name in lanes:
                return lanes[name]
        raise DoesNotArise("no lane is that of the raw question", {"lanes": sorted(lanes)})
