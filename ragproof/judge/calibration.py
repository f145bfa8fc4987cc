"""Have a judge score what people scored. How far they agree is `analysis.agreement`'s to say."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ragproof.core import (
    AdapterError,
    CaseRun,
    DoesNotArise,
    Judge,
    JudgeError,
    Metric,
    MissingInput,
    ModelError,
    PureMetric,
    Reading,
    Refusal,
    Reply,
    Scored,
    ToolMetric,
    Tools,
    UsageError,
)
from ragproof.core.needs import JUDGE
from ragproof.core.overheard import Overheard
from ragproof.judge.items import Item
from ragproof.judge.together import together

Scorer: TypeAlias = Callable[[CaseRun, Tools], Coroutine[Any, Any, float | None]]
"""Has the judge among the tools score a case run; None where the question does not arise."""
JudgeOf: TypeAlias = Callable[[Item], Judge]
"""The judge of an item: one for all, or a recording of what was said of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What people and the judge made of one answer."""

    item: Item
    """The first, where several people labelled the answer."""
    labels: tuple[float | None, ...]
    """The people's scores."""
    score: float | None
    """The judge's; None where the question does not arise, or there was an error."""
    error: str | None = None
    """Why there is no usable reply."""
    replies: tuple[Reply, ...] = ()

    @property
    def human(self) -> float | None:
        """The people's score; of several the median, None where most find nothing to score."""
        told = [one for one in self.labels if one is not None]
        return statistics.median(told) if 2 * len(told) >= len(self.labels) and told else None


def scorer(asking: Metric[Any] | Reading[Any]) -> Scorer:
    """How a judged metric, or the reading of refusals, scores a case run.

    Raises UsageError for a metric that asks no judge.
    """
    if isinstance(asking, PureMetric):
        name = type(asking).__name__
        raise UsageError(f"{name} asks no judge, so there is none to calibrate")
    return _by_metric(asking) if isinstance(asking, ToolMetric) else _by_reading(asking)


def _by_metric(metric: ToolMetric[Any]) -> Scorer:
    async def score(run: CaseRun, tools: Tools) -> float | None:
        try:
            found = await metric.score(run, tools)
        except DoesNotArise:
            return None
        if not isinstance(found, Scored):
            raise UsageError(
                f"{type(metric).__name__} gives several figures; one can be calibrated"
            )
        return found.value

    return score


def _by_reading(reading: Reading[Refusal]) -> Scorer:
    async def score(run: CaseRun, tools: Tools) -> float | None:
        return float((await reading.by_judge(run, tools[JUDGE])).refused)

    return score


async def judged(
    items: Sequence[Item],
    scorers: Mapping[str, Scorer],
    judge_of: JudgeOf,
    *,
    at_once: int = 16,
    tools: Tools | None = None,
) -> tuple[Judged, ...]:
    """Have every labelled answer scored once, however many people labelled it.

    `scorers` is metric to scorer; `tools` are for what an item does not bring along. Raises
    UsageError for an item whose metric is not among them, or that lacks what its metric needs.
    """
    if unknown := [item for item in items if item.metric not in scorers]:
        allowed = ", ".join(sorted(scorers))
        one = unknown[0]
        raise UsageError(f"{one.id}: metric: got {one.metric!r}; allowed: {allowed}")
    slots = asyncio.Semaphore(at_once)

    async def one_by_one(group: Sequence[Item]) -> Judged:
        async with slots:
            return await _judged(group, scorers[group[0].metric], judge_of(group[0]), tools)

    return tuple(await together(one_by_one(group) for group in _answers(items)))


async def _judged(
    group: Sequence[Item], score: Scorer, judge: Judge, tools: Tools | None
) -> Judged:
    item, heard = group[0], Overheard(judge)
    value, error = None, None
    try:
        value = await score(item.to_run(), item.tools(heard, tools))
    except (AdapterError, JudgeError, ModelError) as fault:
        error = str(fault)
    except MissingInput as lacking:
        raise UsageError(f"{item.id}: {item.metric} cannot be scored: {lacking}") from lacking
    labels = tuple(one.score for one in group)
    return Judged(item=item, labels=labels, score=value, error=error, replies=tuple(heard.replies))


def _answers(items: Iterable[Item]) -> list[list[Item]]:
    """The items by what was labelled: one or more people's labels each."""
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        groups.setdefault((item.metric, item.id), []).append(item)
    return [*groups.values()]


def cost(found: Iterable[Judged]) -> float | None:
    """What the replies cost in USD; None where a price is unknown."""
    prices = [reply.usd for one in found for reply in one.replies]
    return None if None in prices else sum(filter(None, prices), 0.0)


def calls(found: Iterable[Judged]) -> tuple[int, int]:
    """How many replies were heard, and how many of them came from the cache."""
    cached = [reply.cached for one in found for reply in one.replies]
    return len(cached), sum(cached)
