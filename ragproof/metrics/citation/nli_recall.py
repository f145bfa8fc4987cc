"""citation.nli_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ANSWER, CITED, CONTEXT, NLI, REFUSAL
from ragproof.metrics.citation_entailment import cited_statements
from ragproof.metrics.parameters import positive_share


@dataclass(frozen=True)
class NliRecall(ToolMetric[CaseRun]):
    """Share of the answer's statements that all their citations together entail, by a local model.

    Question: Can a reader check what the answer says, as far as a small model can tell?
    Formula: |statements that the passages cited for them, joined, entail with a probability of at
        least `threshold`| / |statements|
    Range: 0, none can be checked, to 1, all can.
    Edge cases: The model is that of `local.nli`, statements are those of
        `generation.nli_support`. Citations are the adapter's; where it reports none, the markers
        in the answer's text, read as for `citation.marker_validity`; one that tells no place in
        the answer is cited for every statement. A statement without a citation is not borne out,
        nor is one for which an id is cited that is not in the context or has no text. Passages
        that are too long for the model are read in windows that overlap, of which the best counts.
        An answer that declines, or states nothing, is not applicable. Where no chunk of the
        context tells its text, it is not applicable, too.
    Not to be confused with: `citation.set_support`, where a judge decides of claims that it finds;
        or `citation.recall`, for which a part of the claim in one passage is enough.
    References: Gao et al., EMNLP 2023 (ALCE), citation recall.

    Example:
        >>> from ragproof.core import PairScore
        >>> from ragproof.metrics.citation_entailment import Cited
        >>> from ragproof.metrics.statements import Statement
        >>> Cited(Statement("It is red.", ("a", "b")), PairScore(0.9, 2.2), True).supported
        True
    """

    threshold: float = 0.5

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(NLI, ANSWER, CONTEXT),
        uses=(CITED, REFUSAL),
    )

    def __post_init__(self) -> None:
        positive_share("threshold", self.threshold)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Count the statements that are borne out."""
        found = await cited_statements(run, tools[NLI], self.threshold)
        evidence = {"statements": [one.account() for one in found]}
        return Scored(sum(one.supported for one in found) / len(found), evidence)
