"""system.cost_usd"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import COSTED, PRICES
from ragproof.metrics.costs import known_costs


@dataclass(frozen=True)
class CostUsd(ToolMetric[CaseRun]):
    """US dollars that the query cost: all its stages, and its share of the storage.

    Question: What does an answer cost?
    Formula: the sum over all calls of all stages of their `usd`, or else of what the price file
        says: tokens sent and answered, a fixed sum a call, seconds of a machine; plus
        usd_per_month / queries_per_month of the storage, where the price file has it
    Range: 0 upwards. Lower is better, at equal quality.
    Edge cases: Unknown is not free: one call that neither tells its `usd` nor has a price leaves
        the case without a figure, and the reason names the stage. A stage that costs nothing is
        priced 0. A price of tokens counts only where the stage tells them, and must cover all
        that it tells. An answer from a cache has its own price, `hit`, where one is given. An
        empty list of stages is not applicable. What the trace leaves out is not counted.
    Not to be confused with: `system.cost_by_stage`, where it goes; or what the judge cost, which
        stands with the run.
    References: Chen et al., FrugalGPT, 2023, for a price per query as input tokens, output tokens
        and a fixed part.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Answer, Observation, QuestionCase, Stage, Trace
        >>> from ragproof.core.price_list import Price, PriceList, StoragePrice
        >>> tools = Tools(
        ...     prices=PriceList(
        ...         stages={"generate": Price(input_per_mtok=2.0, output_per_mtok=8.0)},
        ...         storage=StoragePrice(usd_per_month=50.0, queries_per_month=100_000.0),
        ...     )
        ... )
        >>> search = Stage(name="search", seconds=0.1, usd=0.0005)
        >>> write = Stage(name="generate", seconds=0.9, input_tokens=1000, output_tokens=500)
        >>> answer = Answer(answer_text="", trace=Trace(stages=(search, write)))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> round(asyncio.run(CostUsd().score(run, tools)).value, 6)
        0.007
    """

    spec = Spec(unit=Unit.USD, better=Better.LOWER, needs=(COSTED,), uses=(PRICES,))

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Add up what all stages cost."""
        costs = known_costs(run, tools)
        return Scored(sum(costs.values()), {"stages": dict(costs)})
