"""system.first_token_seconds"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import FIRST_TOKEN


@dataclass(frozen=True)
class FirstTokenSeconds(PureMetric[CaseRun]):
    """Seconds until the first token of the answer came; known as TTFT.

    Question: How long does who asks look at nothing?
    Formula: the trace's first_token_seconds
    Range: 0 upwards. Lower is better.
    Edge cases: It is as the pipeline measured it, from the same start as the latency if the two
        are to be compared. A pipeline that does not stream does not tell it and is skipped.
    Not to be confused with: `system.latency_seconds`, when the answer is complete; read the two
        side by side.
    References: Agrawal et al., OSDI 2024 (Sarathi-Serve), for time to first token beside the
        time between tokens.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Trace
        >>> answer = Answer(answer_text="", trace=Trace(first_token_seconds=0.25))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> FirstTokenSeconds().score(run).value
        0.25
    """

    spec = Spec(unit=Unit.SECONDS, better=Better.LOWER, needs=(FIRST_TOKEN,))

    def score(self, run: CaseRun, /) -> Scored:
        """Take the seconds as they were measured."""
        return Scored(run[FIRST_TOKEN])
