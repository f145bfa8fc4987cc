"""query.evidence_coverage"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EVIDENCE, EXPECTED_SOURCES, PARTS
from ragproof.metrics.trajectory import sources_of


@dataclass(frozen=True)
class EvidenceCoverage(PureMetric[CaseRun]):
    """Share of the relevant sources that are in the evidence the answer was written from.

    Question: When the search ended, was the evidence there?
    Formula: |relevant ∩ sources of the final evidence| / |relevant|; the final evidence is
        `trace.context`, else all that `trace.steps` saw, else the answer's `retrieved_chunks`
    Range: 0, none was there, to 1, all were.
    Edge cases: There is no cut at k: what counts is what there was at the end. What a step saw and
        the context does not hold is lost, where there is a context. Ids in steps are those of
        chunks; where matched by document they are looked up among the chunks that the observation
        holds. An empty context or a search without a step scores 0.
    Not to be confused with: `retrieval.recall_at_k`, of one list cut at k; whether the evidence
        was used.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Step, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> steps = (Step(query="?", seen=("x",)), Step(query="more", seen=("a", "x")))
        >>> answer = Answer(answer_text="?", trace=Trace(steps=steps))
        >>> EvidenceCoverage().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(EVIDENCE, EXPECTED_SOURCES),
        uses=(PARTS,),
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look each relevant source up."""
        last = run[EVIDENCE]
        there = sources_of(run, last)
        relevant = run[EXPECTED_SOURCES]
        found, missed = relevant.intersection(there), relevant.difference(there)
        evidence = {"found": sorted(found), "missed": sorted(missed)}
        return Scored(len(found) / len(relevant), evidence)
