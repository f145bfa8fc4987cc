"""query.exhausted_budget"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Interval, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import STOP_REASON

OUT_OF_BUDGET = re.compile(
    r"budget|exhaust|out_of_(time|tokens|calls|steps)|time_?out|deadline"
    r"|(max|limit)_|(_|^)(limit|max)|(calls|steps|tokens|time|turns|iterations)_(limit|max|up)"
    r"|^(calls|steps|tokens|time|turns|iterations|length)$"
)


@dataclass(frozen=True)
class ExhaustedBudget(PureMetric[CaseRun]):
    """Share of the questions whose search ended because its budget did.

    Question: How often is the search cut off, instead of done?
    Formula: |questions whose `trace.stop_reason` says that the calls, tokens, steps or time were
        used up| / |questions with a stop_reason|
    Range: 0, never, to 1, always. Lower is better.
    Edge cases: Such are reasons that speak of a budget, of exhaustion, a limit, a maximum, a
        deadline or a timeout, and calls, steps, tokens, time, turns, iterations or length alone;
        capitals, spaces and hyphens make no difference. A pipeline with words of its own names
        them in the parameter `reasons`, separated by commas; then these count and no others. A
        question cut off may still have been answered right: look at both.
    Not to be confused with: a timeout of the case, which is an error and in no figure.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?")
        >>> answer = Answer(answer_text="?", trace=Trace(stop_reason="max_calls"))
        >>> ExhaustedBudget().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        1.0
    """

    reasons: str = ""

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(STOP_REASON,),
        interval=Interval.WILSON,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Read the reason."""
        reason = run[STOP_REASON]
        if self.reasons:
            exhausted = _plain(reason) in {_plain(one) for one in self.reasons.split(",")}
        else:
            exhausted = OUT_OF_BUDGET.search(_plain(reason)) is not None
        return Scored(float(exhausted), {"stop_reason": reason})


def _plain(reason: str) -> str:
    return re.sub(r"[\W_]+", "_", reason.strip().lower())
