"""query.step_evidence_gain"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, PARTS, STEPS
from ragproof.metrics.trajectory import sources_of

MOST = 20
"""Steps with a figure of their own; those after it are one figure, called `later`."""


@dataclass(frozen=True)
class StepEvidenceGain(PureMetric[CaseRun]):
    """Share of the relevant sources that each search was the first to see, a figure a step.

    Question: What does another search still add?
    Formula: for each step, |relevant sources in its `seen` and in no earlier step's| / |relevant|
    Range: 0, nothing that was not there before, to 1, everything.
    Edge cases: Steps are numbered from 1; those from the 21st on are one, called later. The mean
        of step 2 is over the questions that took a second step, not over all. The figures of a
        question add up to the share that all its steps saw. Ids are looked up as in
        `query.evidence_coverage`. A question without a step is not applicable.
    Not to be confused with: `query.evidence_coverage`, what was there in the end; more evidence
        counts only where the answer gets better for it.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Step, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> steps = (Step(query="?", seen=("a",)), Step(query="more", seen=("a", "x")))
        >>> answer = Answer(answer_text="?", trace=Trace(steps=steps))
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> {step: one.value for step, one in StepEvidenceGain().score(run).items()}
        {'1': 0.5, '2': 0.0}
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(STEPS, EXPECTED_SOURCES),
        uses=(PARTS,),
        each="step",
        blames=False,
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """See what each step was the first to see."""
        steps, relevant = run[STEPS], run[EXPECTED_SOURCES]
        if not steps:
            raise DoesNotArise("no step was taken")
        found: dict[str, list[str]] = defaultdict(list)
        missing = relevant
        for number, step in enumerate(steps, 1):
            new = missing.intersection(sources_of(run, step.seen))
            found[str(number) if number <= MOST else "later"] += sorted(new)
            missing -= new
        return {
            step: Scored(len(new) / len(relevant), {"first_seen": new})
            for step, new in found.items()
        }
