"""context.citation_coverage"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, CITED, SUPPLIED
from ragproof.metrics.supplied import EMPTY


@dataclass(frozen=True)
class CitationCoverage(PureMetric[CaseRun]):
    """Share of the chunks that the model was given which the answer cites.

    Question: How much of the context shows up in the answer's citations?
    Formula: |distinct supplied chunks that are cited| / |distinct supplied chunks|; with
        `source_match: document` documents take the place of chunks
    Range: 0, none is cited, to 1, all are.
    Edge cases: An answer that cites nothing scores 0; an adapter that exposes no citations is
        skipped. An empty context is not applicable, and counted as such. What is cited without
        having been supplied counts nowhere here; the evidence lists it.
    Not to be confused with: use, or support: a chunk may be used and not cited, and cited and not
        used; or `generation.citation_validity`, whose denominator is what is cited. No value is
        right as such: a context of twenty chunks for a question that one answers is none the
        better for twenty citations.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import Answer, Chunk, Citation, Observation, QuestionCase
        >>> answer = Answer(answer_text="?", citations=(Citation(chunk_id="a"),))
        >>> seen = Observation(case_id="q", answer=answer, retrieved=(Chunk(id="a"), Chunk(id="b")))
        >>> CitationCoverage().score(CaseRun(QuestionCase(id="q", question="?"), seen)).value
        0.5
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.NEITHER, needs=(ANSWER, CITED, SUPPLIED))

    def score(self, run: CaseRun, /) -> Scored:
        """Look for each supplied source among the cited ones."""
        run[ANSWER]  # that there is no answer says more than that it cites nothing
        cited = dict.fromkeys(one.chunk_id for one in run[CITED])
        source_of = {one.id: run.source_match.source(one) for one in run[SUPPLIED]}
        supplied = dict.fromkeys(source_of.values())
        if not supplied:
            raise DoesNotArise(EMPTY, {"cited": [*cited]})
        named = {source_of.get(one, one) for one in cited}
        evidence = {
            "cited": [one for one in supplied if one in named],
            "not_cited": [one for one in supplied if one not in named],
            "not_supplied": [one for one in cited if source_of.get(one, one) not in supplied],
        }
        return Scored(len(evidence["cited"]) / len(supplied), evidence)
