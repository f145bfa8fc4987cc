"""generation.factscore"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import ANSWER, JUDGE, QUESTION, RETRIEVE
from ragproof.metrics.atomic_facts import EXTRACT, FIGURES, VERIFY, found_facts, searching
from ragproof.metrics.parameters import at_least, one_of


@dataclass(frozen=True)
class Factscore(ToolMetric[CaseRun]):
    """Share of the answer's atomic facts that passages retrieved for each support.

    Question: Is what the answer says borne out by the collection, whatever it was given?
    Formula: |supported facts| / |facts|; for each fact the adapter's `retrieve` is asked anew, for
        `passages` passages. Facts that repeat an earlier one, and trivial ones, count neither
        above nor below (`figure: distinct`, the default); `figure: all` counts every fact that is
        listed, as published, without the penalty for short answers. Both are in the evidence
    Range: 0, nothing is supported, to 1, all is.
    Edge cases: An answer without a factual claim, such as a refusal, and one that claims only
        what is trivial, is not applicable. A trivial fact that is contradicted counts. A fact for
        which nothing is found is unsupported, and `without_evidence` counts it; where passages
        are found and none tells its text, it is not applicable. Facts that lack a needed modifier
        are unsupported and flagged. Facts that are supported one by one and together give a false
        impression are flagged in `misleading`; with `strict_order` they count as unsupported.
        A quote that the answer does not have is counted in `false_quotes`. A verdict that is
        missing or given twice is sent back; a judge without a usable reply, its one repair
        included, is a judge error.
    Not to be confused with: `generation.groundedness`, which asks whether the answer's own context
        supports it; or `generation.claim_support`, which takes both together. What the collection
        does not hold is unsupported, even if it is true.
    References: Min et al., EMNLP 2023 (FActScore); Jiang et al., 2024 (Core), for repeated and
        trivial facts; Song et al., EMNLP Findings 2024 (VeriScore), for modifiers; Zheng et al.,
        EMNLP 2025 (MontageLie), for true facts in a misleading order.

    Example:
        >>> Factscore(passages=0)
        Traceback (most recent call last):
        ...
        ValueError: passages: got 0; allowed: 1 and above
    """

    passages: int = 5
    figure: str = "distinct"
    strict_order: bool = False

    prompts = (EXTRACT, VERIFY)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, RETRIEVE, ANSWER),
        uses=(QUESTION,),
        on_request=True,
    )

    def __post_init__(self) -> None:
        one_of("figure", self.figure, FIGURES)
        at_least("passages", self.passages)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the facts listed, retrieve for each, and have each checked."""
        judge, retrieve, answer = tools[JUDGE], tools[RETRIEVE], run[ANSWER]
        search = searching(run, retrieve, self.passages)
        found = await found_facts(run, judge, answer.answer_text, search=search)
        return found.score(self.figure, strict_order=self.strict_order)
