"""context.position_accuracy"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    Chunk,
    DoesNotArise,
    Interval,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import EXPECTED_ANSWER, EXPECTED_SOURCES, GENERATE, QUESTION, SUPPLIED
from ragproof.metrics.positions import in_the_middle, parted, to_the_ends, told


@dataclass(frozen=True)
class PositionAccuracy(ToolMetric[CaseRun]):
    """Whether the answer is right, by where in the context the evidence stands.

    Question: Is evidence in the middle of the context overlooked?
    Formula: for each position 1 if an accepted answer is said by what `generate` answers from the
        supplied chunks with those of expected sources first, in the middle or last, else 0; a
        figure a position. Said is one whose tokens stand in the answer, one after the other
    Range: 0, not said, or 1, said; the mean of a position is its accuracy.
    Edge cases: The chunks are the same in every order; without an expected source among them, or
        with fewer than `least_others` others (2 at least), it is not applicable. With `reordered`
        there are two more figures: `supplied`, the pipeline's own order, and `ends`, that order
        dealt out to both ends, so that what ranked worst stands in the middle. Each figure is a
        call of the pipeline; a call that fails is an error of the case. Costs are those that the
        answer's stages tell. Where the pipeline orders its context itself in `generate`, all
        positions are one. A wrong sentence that has an accepted answer in it counts as right:
        keep expected answers short and telling.
    Not to be confused with: `retrieval.mrr`, which is of the order that was found, not of what a
        model makes of it. That the middle suffers is a hypothesis until the intervals say so.
    References: Liu et al., TACL 2024 (Lost in the Middle).

    Example:
        >>> orders = PositionAccuracy().orders([Chunk(id="g")], [Chunk(id="x"), Chunk(id="y")])
        >>> {name: "".join(one.id for one in order) for name, order in orders.items()}
        {'first': 'gxy', 'middle': 'xgy', 'last': 'xyg'}
    """

    reordered: bool = False
    least_others: int = 2

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(GENERATE, EXPECTED_ANSWER, EXPECTED_SOURCES, SUPPLIED),
        uses=(QUESTION,),
        interval=Interval.WILSON,
        each="position",
        on_request=True,
    )

    def __post_init__(self) -> None:
        if self.least_others < 2:
            raise ValueError(
                f"least_others: got {self.least_others}; allowed: 2 and above, or there is no "
                "middle"
            )

    async def score(self, run: CaseRun, tools: Tools, /) -> dict[str, Scored]:
        """Have the question answered from each order."""
        generate, accepted = tools[GENERATE], run[EXPECTED_ANSWER]
        gold, others = parted(run)
        if len(others) < self.least_others:
            raise DoesNotArise(
                "too few other chunks were supplied to tell positions apart",
                {"gold": [one.id for one in gold], "others": [one.id for one in others]},
            )
        orders = self.orders(gold, others)
        if self.reordered:
            ranked = dict.fromkeys(one.id for one in run[SUPPLIED])
            by_id = {one.id: one for one in (*gold, *others)}
            chunks = [by_id[one] for one in ranked]
            orders |= {"supplied": chunks, "ends": to_the_ends(chunks)}
        found = dict[str, Scored]()
        for position, order in orders.items():
            answer = await generate(run.case, run[QUESTION], order)
            evidence = told(answer, accepted, order)
            found[position] = Scored(float(evidence["said"] is not None), evidence)
        return found

    def orders(self, gold: Sequence[Chunk], others: Sequence[Chunk]) -> dict[str, list[Chunk]]:
        """Position to the context in which the gold stands there."""
        return {
            "first": [*gold, *others],
            "middle": in_the_middle(gold, others),
            "last": [*others, *gold],
        }
