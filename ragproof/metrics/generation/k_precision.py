"""generation.k_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, CONTEXT
from ragproof.metrics.supplied import telling
from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.citation_markers import without_markers
from ragproof.text.passages import passages


@dataclass(frozen=True)
class KPrecision(PureMetric[CaseRun]):
    """Share of the answer's tokens that occur in the context: knowledge precision.

    Question: How much of the answer's wording comes from its sources?
    Formula: |tokens of the answer that occur in the context| / |tokens of the answer|, each token
        as often as the answer has it. Tokens are those of `generation.exact_match`; citation
        markers are left out
    Range: 0, no token occurs there, to 1, all do.
    Edge cases: An answer without a token is not applicable. Against an empty context the score is
        0; where there are chunks and none tells its text, it is not applicable. Wording of one's
        own lowers it however faithful it is, and a refusal scores low.
    Not to be confused with: `generation.groundedness`: a denial has the tokens of what it denies,
        so a wrong answer can score 1; compare it over runs, not with a limit for one answer.
    References: Adlakha et al., TACL 2024 (K-Precision).

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase
        >>> source = (Chunk(id="a", text="Mars has two moons."),)
        >>> said = Answer(answer_text="Mars has three moons [1].", retrieved_chunks=source)
        >>> run = CaseRun(QuestionCase(id="q", question="?"), Observation(case_id="q", answer=said))
        >>> KPrecision().score(run).value
        0.75
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(ANSWER, CONTEXT), version=2)

    def score(self, run: CaseRun, /) -> Scored:
        """Look each token up."""
        tokens = answer_tokens(without_markers(run[ANSWER].answer_text))
        if not tokens:
            raise DoesNotArise("the answer has no token")
        words = passages(chunk.text for chunk in telling(run[CONTEXT])).words
        unseen = [token for token in tokens if token not in words]
        evidence: dict[str, Json] = {"tokens": len(tokens), "unseen": list(dict.fromkeys(unseen))}
        return Scored((len(tokens) - len(unseen)) / len(tokens), evidence)
