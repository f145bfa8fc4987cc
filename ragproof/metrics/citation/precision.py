"""citation.precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, CITED, CONTEXT, JUDGE, QUESTION
from ragproof.metrics.cited_claims import PROMPT, cited_claims, cited_of


@dataclass(frozen=True)
class Precision(ToolMetric[CaseRun]):
    """Share of the citations that bear out what they are cited for; a judge decides.

    Question: Can a reader trust a citation to lead to what is said?
    Formula: |pairs of a claim and a passage cited for it that says it or a part of it| / |pairs of
        a claim and an id cited for it|
    Range: 0, no citation bears anything out, to 1, all do.
    Edge cases: Citations are the adapter's; where it reports none, the markers in the answer's
        text (`[1]`, `(source: x)`), read as for `citation.marker_validity`.
        An id that is not in the context, or
        has no text, bears nothing out. An answer that cites nothing, or cites for no claim, is
        not applicable: who cites nothing misleads nobody, and `citation.recall` shows it. A judge
        without a usable reply, its one repair included, is a judge error. Where no chunk of
        the context tells its text, it is not applicable, too.
    Not to be confused with: `citation.recall`, which asks of the claims; or
        `generation.citation_support`, which counts each cited id once, not each of its places.
    References: Gao et al., EMNLP 2023 (ALCE); Liu, Zhang and Liang, EMNLP Findings 2023.

    Example:
        >>> from ragproof.metrics.cited_claims import CitedClaim, Together
        >>> claim = CitedClaim("c1", "It is red.", True, ("p1", "p2"), ("p1",), Together.SUPPORTED)
        >>> len(claim.supported_by) / len(claim.cites)
        0.5
    """

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, ANSWER, CONTEXT),
        uses=(CITED, QUESTION),
        on_request=True,
        version=2,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Count the citations that bear out their claim."""
        tools[JUDGE]  # before anything else is looked at
        cited = cited_of(run)
        if not cited.names:
            raise DoesNotArise("the answer cites nothing")
        claims = await cited_claims(run, cited, tools)
        pairs = sum(len(one.cites) for one in claims)
        evidence: dict[str, Json] = {
            "claims": [one.account(cited.names) for one in claims],
            "citations": pairs,
        }
        if not pairs:
            raise DoesNotArise("nothing is cited for a claim", evidence)
        return Scored(sum(len(one.supported_by) for one in claims) / pairs, evidence)
