"""citation.nli_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ANSWER, CITED, CONTEXT, NLI, REFUSAL
from ragproof.metrics.citation_entailment import cited_statements, with_needed
from ragproof.metrics.parameters import positive_share


@dataclass(frozen=True)
class NliPrecision(ToolMetric[CaseRun]):
    """Share of the citations that the statement cited for needs, by a local model.

    Question: Can a reader trust a citation to lead to what is said, as far as a small model can
        tell?
    Formula: |pairs of a statement and an id cited for it, where all that is cited for the statement
        entails it, and the passage entails it alone or the other passages do not| / |pairs of a
        statement and an id cited for it|
    Range: 0, no citation bears anything out, to 1, all do.
    Edge cases: Model, statements and citations are those of `citation.nli_recall`, to be entailed
        is to have a probability of at least `threshold`. Of a statement that is not borne out by
        all that is cited for it, no citation counts; the only citation of one that is, does. An
        answer that cites nothing, or declines, or states nothing, is not applicable. Where no chunk
        of the context tells its text, it is not applicable, too.
    Not to be confused with: `citation.precision`, where a judge decides, and a passage that says a
        part of the claim counts.
    References: Gao et al., EMNLP 2023 (ALCE), citation precision.

    Example:
        >>> from ragproof.metrics.citation_entailment import Cited
        >>> from ragproof.metrics.statements import Statement
        >>> said = Cited(Statement("It is red.", ("a", "b")), None, True, needed=("a",))
        >>> len(said.needed) / len(said.statement.ids)
        0.5
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
        """Count the citations that are needed."""
        model = tools[NLI]
        cited = await cited_statements(run, model, self.threshold)
        found = await with_needed(cited, run, model, self.threshold)
        pairs = sum(len(one.statement.ids) for one in found)
        evidence: dict[str, Json] = {
            "statements": [one.account() for one in found],
            "citations": pairs,
        }
        if not pairs:
            raise DoesNotArise("the answer cites nothing", evidence)
        return Scored(sum(len(one.needed) for one in found) / pairs, evidence)
