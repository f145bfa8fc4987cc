"""generation.claim_support"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ragproof.core import Better, CaseRun, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ANSWER, CONTEXT, JUDGE, QUESTION, RETRIEVE
from ragproof.metrics.atomic_facts import (
    EXTRACT,
    FIGURES,
    VERIFY,
    found_facts,
    said_by,
    searching,
)
from ragproof.metrics.parameters import at_least, one_of


@dataclass(frozen=True)
class ClaimSupport(ToolMetric[CaseRun]):
    """Share of the answer's claims that its context, or what is retrieved for each, supports.

    Question: Is each claim supported, and by what the answer was given or only by what it was not?
    Formula: |supported claims| / |claims|, the claims listed by one call and checked by a second;
        the evidence of a claim is the context and, where the adapter can be asked, `passages`
        passages retrieved for it. `figure: distinct` (default) counts no claim that repeats an
        earlier one or is trivial, `figure: all` counts every one that is listed. Both are in the
        evidence
    Range: 0, nothing it claims is supported, to 1, all is.
    Edge cases: An answer without a factual claim, such as a refusal, and one that claims only
        what is trivial, is not applicable. A trivial claim that is contradicted counts. The
        context is the answer's own `retrieved_chunks`, else those of `retrieve`; where it is
        empty and nothing is found, every claim is unsupported and `without_evidence` counts it;
        where there are passages and none tells its text, it is not applicable. `by_context` counts
        the distinct claims that the context has a part in supporting, `by_search` those that only
        other passages do, `searched` says whether any were looked for. Claims that lack a needed
        modifier are unsupported and flagged; claims that together give a false impression are
        flagged in `misleading`, and with `strict_order` count as unsupported. A verdict that is
        missing or given twice is sent back; a judge without a usable reply, its one repair
        included, is a judge error.
    Not to be confused with: `generation.groundedness`, one call and the context alone; or
        `generation.factscore`, for which the context is no evidence.
    References: Es et al., EACL 2024 (Ragas, faithfulness); Min et al., EMNLP 2023 (FActScore), for
        evidence by fact; Jiang et al., 2024 (Core); Song et al., EMNLP Findings 2024 (VeriScore);
        Zheng et al., EMNLP 2025 (MontageLie).

    Example:
        >>> ClaimSupport(figure="most")
        Traceback (most recent call last):
        ...
        ValueError: figure: got 'most'; allowed: distinct, all
    """

    passages: int = 5
    figure: str = "distinct"
    strict_order: bool = False

    prompts = (EXTRACT, VERIFY)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, ANSWER, CONTEXT),
        uses=(QUESTION, RETRIEVE),
        on_request=True,
    )

    def __post_init__(self) -> None:
        one_of("figure", self.figure, FIGURES)
        at_least("passages", self.passages)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the claims listed, evidence added to the context, and each checked."""
        judge, answer, context = tools[JUDGE], run[ANSWER], run[CONTEXT]
        retrieve = RETRIEVE.of(tools)
        search = None if retrieve is None else searching(run, retrieve, self.passages)
        found = await found_facts(run, judge, answer.answer_text, given=context, search=search)
        scored = found.score(self.figure, strict_order=self.strict_order)
        given = {said_by(one) for one in context}
        held = [
            {said_by(passage) for passage in found.borne_by.get(one.id, ())}
            for one in found.facts
            if found.padding(one) is None
        ]
        by_context = sum(not given.isdisjoint(names) for names in held)
        by_search = sum(bool(names) and given.isdisjoint(names) for names in held)
        more = {"searched": search is not None, "by_context": by_context, "by_search": by_search}
        return replace(scored, evidence={**scored.evidence, **more})
