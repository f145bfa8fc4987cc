"""retrieval.unjudged_at_k"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import JUDGED, RETRIEVAL
from ragproof.metrics.ranks import check_k


@dataclass(frozen=True)
class UnjudgedAtK(PureMetric[CaseRun]):
    """Share of the first k retrieved places whose source nobody has judged.

    Question: How much of what was found is unknown to the judgments, and so counted as wrong?
    Formula: |first k distinct retrieved sources without a grade of 0 or above| / k
    Range: 0, all that was found is judged, to 1, nothing is. Lower is better: precision at k
        would lie between `retrieval.precision_at_k` and the sum of the two, were all judged.
    Edge cases: The denominator is always k, as in precision; an empty place is not unjudged. A
        grade of 0 means judged and not relevant; a grade below 0 means not judged, as in
        trec_eval. A list of expected sources does not tell what else was judged and is skipped.
    Not to be confused with: `Judged@k` of ir_measures, which divides by the retrieved where they
        are fewer than k, and takes a grade below 0 as a judgment.
    References: Buckley and Voorhees, SIGIR 2004, for what unjudged sources do to a score;
        trec_eval `unj_k`.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids={"a": 1, "b": 0})
        >>> found = tuple(Chunk(id=source) for source in ("a", "x", "b", "y"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> UnjudgedAtK(k=4).score(run).value
        0.5
    """

    k: int = 5

    spec = Spec(unit=Unit.FRACTION, better=Better.LOWER, needs=(RETRIEVAL, JUDGED), blames=False)

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Scored:
        """Count the sources in the first k places that were not judged."""
        ranked, judged = run[RETRIEVAL], run[JUDGED]
        unjudged = [source for source in ranked[: self.k] if source not in judged]
        return Scored(len(unjudged) / self.k, {"unjudged": unjudged})
