"""generation.self_consistency"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import SAMPLES
from ragproof.metrics.samples import agreement, check_kind


@dataclass(frozen=True)
class SelfConsistency(PureMetric[CaseRun]):
    """How far the samples that the pipeline drew for one question agree.

    Question: Would it say the same again?
    Formula: `kind: modal`: |samples equal to the commonest| / |samples|; `kind: pairwise`: mean
        over all pairs of samples of the F1 of their tokens. Samples are `trace.samples`, compared
        as tokens of `generation.exact_match`
    Range: modal 1 / |samples|, all differ, to 1, all are equal; pairwise from 0.
    Edge cases: Fewer than two samples are not applicable. `modal` suits short answers: two long
        ones are hardly ever equal. The evidence has the value for the first 2, 3, ... samples:
        take as many as it needs to stay where it is. Below 0.5 the evidence asks for a review.
    Not to be confused with: correctness: a wrong answer can be said every time; or
        `generation.repeat_consistency`, which compares the repeats of a run.
    References: Wang et al., ICLR 2023 (self-consistency); Manakul et al., EMNLP 2023.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> trace = Trace(samples=("Paris.", "paris", "Lyon", "Paris"))
        >>> seen = Observation(case_id="q", answer=Answer(answer_text="Paris", trace=trace))
        >>> SelfConsistency().score(CaseRun(QuestionCase(id="q", question="?"), seen)).value
        0.75
    """

    kind: str = "modal"

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(SAMPLES,))

    def __post_init__(self) -> None:
        check_kind(self.kind)

    def score(self, run: CaseRun, /) -> Scored:
        """Compare the samples."""
        samples = run[SAMPLES]
        return agreement(samples, self.kind)
