"""query.steps"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import STEPS


@dataclass(frozen=True)
class Steps(PureMetric[CaseRun]):
    """How many searches a question took; the evidence is the trajectory.

    Question: How hard does it search, and how did it go about it?
    Formula: |trace.steps|
    Range: 0 upwards. Neither way is better: a search counts only if it helps.
    Edge cases: No step is 0: the question was answered without a search. The evidence lists query,
        number of ids seen, seconds and tokens of each step.
    Not to be confused with: `query.step_evidence_gain`, what each of them brought.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Step, Trace
        >>> case = QuestionCase(id="q1", question="?")
        >>> answer = Answer(answer_text="?", trace=Trace(steps=(Step(query="a"), Step(query="b"))))
        >>> Steps().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        2.0
    """

    spec = Spec(unit=Unit.COUNT, better=Better.NEITHER, needs=(STEPS,))

    def score(self, run: CaseRun, /) -> Scored:
        """Count the steps and write them down."""
        trajectory = [
            {
                "query": step.query,
                "seen": len({*step.seen}),
                "seconds": step.seconds,
                "tokens": step.tokens,
            }
            for step in run[STEPS]
        ]
        return Scored(float(len(trajectory)), {"trajectory": trajectory})
