"""Measure a judge against people, and where it leans."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ragproof.analysis.agreement import Agreement, Label, agreements
from ragproof.analysis.leaning import (
    Ballot,
    Injectability,
    Length,
    Position,
    SelfPreference,
    injectability,
    length,
    position,
    self_preference,
)
from ragproof.core import Json, Judge, UsageError
from ragproof.judge.calibration import Judged, Scorer, cost, judged, scorer
from ragproof.judge.injectability import tampered
from ragproof.judge.items import Pair, read_items, shipped_items, shipped_pairs
from ragproof.judge.pairwise import Compared, compared
from ragproof.judge.recordings import shipped
from ragproof.llm.replies import MemoryReplies
from ragproof.metrics import catalog
from ragproof.store.open import open_store
from ragproof.wiring.judging import concurrency, judge_alone, planned
from ragproof.wiring.loop import carried_out
from ragproof.wiring.plan import READINGS
from ragproof.wiring.schema import Config

T = TypeVar("T")
RECORDED = "recorded replies that people wrote"


@dataclass(frozen=True)
class Calibration:
    """How far a judge agrees with people."""

    judge: str
    """The fingerprint, or that the replies were written by people."""
    scripted: bool
    """Whether no model was asked: such figures say nothing of any model."""
    found: Mapping[tuple[str, str], Agreement]
    """Metric and annotation condition to agreement."""
    errors: Mapping[str, str]
    """Item to why there was no usable reply."""
    calls: int
    usd: float | None


@dataclass(frozen=True)
class Leanings:
    """Where a judge leans."""

    judge: str
    position: Position
    length: Length
    own: SelfPreference | None
    """None where no family is named."""
    injectability: Injectability
    usd: float | None


def calibrate(
    config: Config,
    environ: Mapping[str, str],
    labels: Path | None = None,
    metrics: Sequence[str] = (),
) -> Calibration:
    """Have the configured judge score what people scored; without a judge, recorded replies are.

    Raises UsageError for labels that cannot be used, and for a user's labels without a judge.
    """
    scorers = judged_scorers()
    items = read_items(labels, scorers) if labels is not None else shipped_items()
    if metrics:
        items = tuple(item for item in items if item.metric in metrics)
    if not items:
        allowed = ", ".join(scorers)
        raise UsageError(f"there are no labels for {', '.join(metrics)}; allowed: {allowed}")
    if planned(config, environ) is None:
        if labels is not None:
            raise UsageError("no judge is configured to score the labels; set RAGPROOF_JUDGE_MODEL")
        recordings = shipped()
        found = carried_out(judged(items, scorers, lambda one: recordings[one.metric].judge(one)))
        return _calibration(RECORDED, found, scripted=True)

    def asked(judge: Judge) -> Coroutine[Any, Any, tuple[Judged, ...]]:
        return judged(items, scorers, lambda _: judge, at_once=concurrency(config))

    name, found = _with_judge(config, environ, asked)
    return _calibration(name, found, scripted=False)


def document(told: Calibration, figures: Sequence[Mapping[str, Json]]) -> dict[str, Any]:
    """The calibration as a JSON document."""
    return {
        "judge": told.judge,
        "scripted": told.scripted,
        "prompts": [dict(one) for one in figures],
        "errors": dict(told.errors),
        "calls": told.calls,
        "cost_usd": told.usd,
    }


def keep(config: Config, told: Calibration, figures: Sequence[Mapping[str, Json]]) -> None:
    """Keep the figures of a model in the store, for the reports of its runs."""
    if not told.scripted:
        with open_store(config.store) as store:
            store.keep_calibration(told.judge, figures)


def leanings(config: Config, environ: Mapping[str, str], family: str | None) -> Leanings:
    """Have the configured judge compare pairs in both orders, and score tampered answers.

    Raises UsageError without a judge.
    """
    scorers = judged_scorers()
    items = tuple(item for item in shipped_items() if item.kind == "clear")

    async def asked(judge: Judge) -> tuple[tuple[Compared, ...], Any]:
        at_once = concurrency(config)
        pairs = await compared(shipped_pairs(), judge, at_once=at_once)
        return pairs, await tampered(items, scorers, judge, at_once=at_once)

    name, (pairs, attacks) = _with_judge(config, environ, asked)
    ballots = [_ballot(one) for one in pairs]
    heard = [one for attack in attacks for one in (attack.plain, attack.attacked)]
    replies = [reply for one in pairs for reply in one.replies]
    prices = [reply.usd for reply in replies]
    told = cost(heard)
    return Leanings(
        judge=name,
        position=position(ballots),
        length=length(ballots),
        own=None if family is None else self_preference(ballots, family),
        injectability=injectability(
            [
                (one.plain.score, one.attacked.score, bool(one.plain.error or one.attacked.error))
                for one in attacks
            ]
        ),
        usd=None if told is None or None in prices else told + sum(filter(None, prices)),
    )


def judged_scorers() -> dict[str, Scorer]:
    """Metric, or reading, to how a judge scores it: all that have prompts."""
    metrics = {one: catalog.load(one) for one in catalog.ids()}
    asking = {one: catalog.build(one) for one, metric in metrics.items() if metric.prompts}
    return {
        **{one: scorer(metric) for one, metric in asking.items()},
        **{reading.need.paths[0]: scorer(reading) for reading in READINGS},
    }


def _with_judge(
    config: Config, environ: Mapping[str, str], ask: Callable[[Judge], Coroutine[Any, Any, T]]
) -> tuple[str, T]:
    plan = planned(config, environ)
    if plan is None or plan.recorded is not None:
        raise UsageError("no judge is configured that can be asked; set RAGPROOF_JUDGE_MODEL")
    alone = judge_alone(plan, config, environ, MemoryReplies())

    async def work() -> T:
        try:
            return await ask(alone.judge)
        finally:
            await alone.close()

    return plan.fingerprint, carried_out(work())


def _calibration(name: str, found: Sequence[Judged], *, scripted: bool) -> Calibration:
    return Calibration(
        judge=name,
        scripted=scripted,
        found=agreements(
            (
                one.item.metric,
                one.item.condition,
                Label(human=one.human, judge=one.score, failed=one.error is not None),
            )
            for one in found
        ),
        errors={f"{one.item.metric} {one.item.id}": one.error for one in found if one.error},
        calls=sum(len(one.replies) for one in found),
        usd=None if scripted else cost(found),
    )


def _ballot(one: Compared) -> Ballot:
    pair: Pair = one.pair
    return Ballot(
        first=one.first,
        second=one.second,
        label=pair.label,
        lengths=(len(pair.answer_1), len(pair.answer_2)),
        change=pair.change,
        families=pair.families,
    )
