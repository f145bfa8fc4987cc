"""system.cost_by_stage"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, MissingInput, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import COSTED, PRICES
from ragproof.metrics.costs import costs_of


@dataclass(frozen=True)
class CostByStage(ToolMetric[CaseRun]):
    """US dollars that each stage of the pipeline cost.

    Question: Where does the money go?
    Formula: for each stage name, the sum over its calls of their `usd`, or else of what the price
        file says; for `storage`, usd_per_month / queries_per_month
    Range: 0 upwards, one figure a stage. Lower is better, at equal quality.
    Edge cases: A stage with a call of unknown cost is left out of the case; without any known
        cost the case is skipped, and the reason names a stage. One that did not run in a case is
        not applicable there, so that its mean is over the cases in which it ran: the means need
        not add up to that of the whole. An empty list of stages is not applicable.
    Not to be confused with: `system.cost_usd`, the whole, which one unknown stage makes unknown.
    References: Chen et al., FrugalGPT, 2023, for a price per query as input tokens, output tokens
        and a fixed part.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Answer, Observation, QuestionCase, Stage, Trace
        >>> rerank = Stage(name="rerank", seconds=0.1, usd=0.001)
        >>> answer = Answer(answer_text="", trace=Trace(stages=(rerank, rerank)))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> asyncio.run(CostByStage().score(run, Tools()))["rerank"].value
        0.002
    """

    spec = Spec(unit=Unit.USD, better=Better.LOWER, needs=(COSTED,), uses=(PRICES,), each="stage")

    async def score(self, run: CaseRun, tools: Tools, /) -> Mapping[str, Scored]:
        """Add up what is known, stage by stage."""
        costs = costs_of(run, tools)
        if not costs.known:
            raise MissingInput(costs.why_unknown)
        return {name: Scored(usd) for name, usd in costs.known.items()}
