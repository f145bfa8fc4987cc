"""echo.exact_match"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, EXPECTED_ANSWER


@dataclass(frozen=True)
class ExactMatch(PureMetric[CaseRun]):
    """Whether the answer is, character for character, an expected one; for debugging.

    Question: Does the pipeline give back exactly what was expected?
    Formula: 1 if the answer equals an acceptable answer, both stripped of the white space
        around them, else 0
    Range: 0, it differs, or 1, it is the same.
    Edge cases: Case, inner white space and punctuation count. Of several acceptable answers
        one suffices. An empty answer is an answer.
    Not to be confused with: `generation.exact_match`, which drops articles, case and
        punctuation; or any metric of whether the answer is right.
    References: none; it shows that cases, adapter and answers are joined as they should be.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_answer=("Paris", "in Paris"))
        >>> seen = Observation(case_id="q1", answer=Answer(answer_text=" in Paris "))
        >>> ExactMatch().score(CaseRun(case, seen)).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, EXPECTED_ANSWER),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look for an acceptable answer that equals the one given."""
        given = run[ANSWER].answer_text.strip()
        matched = next((one for one in run[EXPECTED_ANSWER] if one.strip() == given), None)
        return Scored(float(matched is not None), {"matched": matched})
