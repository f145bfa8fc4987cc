"""citation.recall"""

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
class Recall(ToolMetric[CaseRun]):
    """Share of the claims that should be cited which have a citation that bears them out.

    Question: Can a reader check what the answer says?
    Formula: |claims that should be cited with at least one supporting citation| / |claims that
        should be cited|
    Range: 0, none can be checked, to 1, all can.
    Edge cases: Citations are the adapter's; where it reports none, the markers in the answer's
        text (`[1]`, `(source: x)`), read as for `citation.marker_validity`.
        An answer that cites nothing scores 0
        where it makes a claim that should be cited. What every reader knows, and what sums up
        claims cited elsewhere, should not. An answer without such a claim is not applicable. A
        citation that says a part of the claim is enough; `citation.set_support` asks for all.
        Where no chunk of the context tells its text, it is not applicable, too.
    Not to be confused with: `citation.precision`, which asks of the citations; or
        `citation.gold_recall`, which asks whether the expected sources are cited.
    References: Gao et al., EMNLP 2023 (ALCE); Liu, Zhang and Liang, EMNLP Findings 2023.

    Example:
        >>> from ragproof.metrics.cited_claims import CitedClaim, Together
        >>> claim = CitedClaim("c1", "Red.", True, ("p1", "p2"), ("p1",), Together.UNSUPPORTED)
        >>> claim.needs_citation and bool(claim.supported_by)
        True
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
        """Count the claims that can be checked."""
        tools[JUDGE]  # before anything else is looked at
        cited = cited_of(run)
        claims = await cited_claims(run, cited, tools)
        due = [one for one in claims if one.needs_citation]
        evidence: dict[str, Json] = {"claims": [one.account(cited.names) for one in claims]}
        if not due:
            raise DoesNotArise("the answer makes no claim that should be cited", evidence)
        return Scored(sum(bool(one.supported_by) for one in due) / len(due), evidence)
