"""citation.set_support"""

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
class SetSupport(ToolMetric[CaseRun]):
    """Share of the claims that all their citations, taken together, bear out.

    Question: Does what is cited for a claim say all of it, between them?
    Formula: |claims that the union of the passages cited for them supports| / |claims|
    Range: 0, no claim is borne out, to 1, all are.
    Edge cases: Citations are the adapter's; where it reports none, the markers in the answer's
        text (`[1]`, `(source: x)`), read as for `citation.marker_validity`.
        A claim for which nothing is cited is
        not borne out; nor is one for which an id is cited that is not in the context, whatever
        else is. An answer without a claim is not applicable. A judge without a usable reply, its
        one repair included, is a judge error. Where no chunk of the context tells its
        text, it is not applicable, too.
    Not to be confused with: `citation.recall`, for which a part of the claim in one passage is
        enough; or `generation.groundedness`, which looks at the whole context, cited or not.
    References: Gao et al., EMNLP 2023 (ALCE), whose recall asks this of every statement.

    Example:
        >>> from ragproof.metrics.cited_claims import CitedClaim, Together
        >>> CitedClaim("c1", "Red", True, ("p1", "u1"), ("p1",), Together.SUPPORTED).is_supported
        False
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
        """Count the claims that are borne out."""
        tools[JUDGE]  # before anything else is looked at
        cited = cited_of(run)
        claims = await cited_claims(run, cited, tools)
        evidence: dict[str, Json] = {"claims": [one.account(cited.names) for one in claims]}
        if not claims:
            raise DoesNotArise("the answer makes no factual claim", evidence)
        return Scored(sum(one.is_supported for one in claims) / len(claims), evidence)
