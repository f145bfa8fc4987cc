"""Measure a judge against people, alone or beside another."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragproof.analysis.agreement import Agreement, Label, Replacement, agreements, replacement
from ragproof.core import Json, Reply, UsageError
from ragproof.judge.calibration import Judged, calls, cost
from ragproof.judge.items import Item, claim_items, read_items, shipped_items
from ragproof.judge.recordings import SCRIPTED, Recording, said, shipped, write_recordings
from ragproof.llm.prices import Prices
from ragproof.store.open import open_store
from ragproof.wiring.foreseeing import elsewhere
from ragproof.wiring.judging import Equipment, concurrency, planned
from ragproof.wiring.loop import carried_out
from ragproof.wiring.measuring import judged_scorers, prompts_of, recordings_of, with_judge
from ragproof.wiring.schema import Config
from ragproof.wiring.schema import Prices as PricesConfig

WRITTEN = "recorded replies that people wrote"


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """What the command line says of a calibration."""

    labels: Path | None = None
    """The user's own; None for the fixtures that ship."""
    metrics: tuple[str, ...] = ()
    """Only these; none for all that have labels."""
    claims: bool = False
    """Whether the claims that people found are scored one by one, instead of whole answers."""
    no_cache: bool = False
    record: Path | None = None
    """Where the replies are written down."""

    @property
    def names_metrics(self) -> bool:
        """Whether just these metrics are wanted, not whatever can be measured."""
        return self.labels is not None or bool(self.metrics)


@dataclass(frozen=True, kw_only=True)
class Other:
    """Another model that may take the judge's place."""

    model: str
    base_url: str | None = None
    prices: tuple[float, float] | None = None
    """US dollars a million tokens sent and answered; unknown where not given."""

    def judging(self, config: Config) -> Config:
        """The config with this model as its judge, asked in the same way."""
        known = PricesConfig()
        if self.prices is not None:
            known = PricesConfig(input_per_mtok=self.prices[0], output_per_mtok=self.prices[1])
        changes: dict[str, Any] = {"model": self.model, "panel": (), "prices": known}
        if self.base_url is not None:
            changes["base_url"] = self.base_url
        if config.max_cost_usd is not None and self.prices is None:
            raise UsageError(
                "there is a budget (RAGPROOF_MAX_COST_USD, max_cost_usd), but what the other model "
                "costs is not known; give --against-prices INPUT OUTPUT"
            )
        judge = config.judge.model_copy(update=changes)
        return config.model_copy(update={"judge": judge})


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """How far a judge agrees with people."""

    judge: str
    """The fingerprint, or whose replies were replayed."""
    scripted: bool = False
    """Whether people wrote the replies: such figures say nothing of any model."""
    recorded: bool = False
    """Whether no model was asked now."""
    found: Mapping[tuple[str, str], Agreement]
    """Metric and annotation condition to agreement."""
    judged: tuple[Judged, ...]
    usd: float | None
    """What was paid now; None where a price is unknown."""
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    """Metric to why nothing of it could be scored."""

    @property
    def errors(self) -> dict[str, str]:
        """Item to why there was no usable reply."""
        return {f"{one.item.metric} {one.item.id}": one.error for one in self.judged if one.error}

    @property
    def calls(self) -> tuple[int, int]:
        """Replies, and how many of them the store had already."""
        return calls(self.judged)


def calibrate(config: Config, environ: Mapping[str, str], wish: Measuring) -> Calibration:
    """Have the configured judge score what people scored; without a judge, recorded replies are.

    Raises UsageError for labels that cannot be used, and for a user's labels without a judge.
    """
    items = _items(wish)
    if wish.claims and planned(config, environ) is None:
        raise UsageError("--claims needs a judge to ask of each claim; set RAGPROOF_JUDGE_MODEL")
    if (recordings := recordings_of(config)) is not None:
        kept = [one for one in items if wish.metrics or one.metric in recordings]
        return _replayed(kept, recordings, config, environ, wish)
    plan = planned(config, environ)
    if plan is None:
        if wish.labels is not None:
            raise UsageError("no judge is configured to score the labels; set RAGPROOF_JUDGE_MODEL")
        return _replayed(items, shipped(), config, environ, wish)
    if wish.record is not None and len(plan.settings) != 1:
        raise UsageError("--record writes down the replies of one model; judge.model names one")

    beyond = elsewhere(config, environ, items, asked_for=wish.names_metrics)

    def asked(equipment: Equipment) -> Coroutine[Any, Any, tuple[Judged, ...]]:
        scorers, judge = judged_scorers(equipment), equipment.judge
        return beyond.judged(scorers, lambda _: judge, at_once=concurrency(config))

    plan, found = with_judge(config, environ, asked, lookup=not wish.no_cache)
    if wish.record is not None:
        write_recordings(wish.record, list(_recorded(plan.fingerprint, found)))
    usd = 0.0 if plan.recorded else cost(found)
    told = _calibration(plan.fingerprint, found, usd, recorded=plan.recorded is not None)
    return replace(told, left_out=beyond.left_out)


@dataclass(frozen=True, kw_only=True)
class Replaced:
    """Two judges on the same labels."""

    current: Calibration
    candidate: Calibration
    found: Mapping[tuple[str, str], Replacement]
    """Metric and annotation condition to how they compare."""
    costs: tuple[float | None, float | None]
    """US dollars of all replies of each, those that the store had included."""


def replaced(config: Config, environ: Mapping[str, str], wish: Measuring, other: Other) -> Replaced:
    """Have the configured judge and another score the same labels.

    Raises UsageError without a judge that can be asked.
    """
    if planned(config, environ) is None or config.judge.provider == "recorded":
        raise UsageError(
            "--against compares with a judge that can be asked; set RAGPROOF_JUDGE_MODEL"
        )
    others = other.judging(config)
    one = calibrate(config, environ, wish)
    two = calibrate(others, environ, replace(wish, record=None))
    groups: dict[tuple[str, str], list[tuple[Label, Label]]] = {}
    for mine, theirs in zip(one.judged, two.judged, strict=True):
        key = mine.item.metric, mine.item.condition
        groups.setdefault(key, []).append((_label(mine), _label(theirs)))
    return Replaced(
        current=one,
        candidate=two,
        found={key: replacement(*zip(*pairs, strict=True)) for key, pairs in groups.items()},
        costs=(_worth(one, config), _worth(two, others)),
    )


def document(told: Calibration, figures: Sequence[Mapping[str, Json]]) -> dict[str, Any]:
    """The calibration as a JSON document; without figures, who was asked and what was paid."""
    replies, cached = told.calls
    return {
        "judge": told.judge,
        "scripted": told.scripted,
        "recorded": told.recorded,
        **({"prompts": [dict(one) for one in figures]} if figures else {}),
        "errors": told.errors,
        "left_out": {**told.left_out},
        "calls": replies - cached,
        "cache_hits": cached,
        "cost_usd": told.usd,
    }


def keep(config: Config, told: Calibration, figures: Sequence[Mapping[str, Json]]) -> None:
    """Keep the figures of a model in the store, for the reports of its runs."""
    if told.recorded:
        return
    hashed = [{**one, "prompts": prompts_of(str(one["metric"]))} for one in figures]
    with open_store(config.store) as store:
        store.keep_calibration(told.judge, hashed)


def _items(wish: Measuring) -> tuple[Item, ...]:
    scorers = judged_scorers()
    items = read_items(wish.labels, scorers) if wish.labels is not None else shipped_items()
    if wish.metrics:
        items = tuple(item for item in items if item.metric in wish.metrics)
    if wish.claims:
        items = tuple(
            replace(one, condition=f"{one.condition}; claims one by one")
            for one in claim_items(items)
        )
        if not items:
            raise UsageError("--claims: no label says which claims a person found in the answer")
    if not items:
        allowed = ", ".join(scorers)
        raise UsageError(f"there are no labels for {', '.join(wish.metrics)}; allowed: {allowed}")
    return items


def _replayed(
    items: Sequence[Item],
    recordings: Mapping[str, Recording],
    config: Config,
    environ: Mapping[str, str],
    wish: Measuring,
) -> Calibration:
    """Score by replies that were written down; what has none is an error that says so."""
    if missing := sorted({item.metric for item in items} - recordings.keys()):
        raise UsageError(f"the recording has no replies for {', '.join(missing)}")
    foreseen = {metric for metric, one in recordings.items() if one.source == SCRIPTED}
    beyond = elsewhere(config, environ, items, asked_for=wish.names_metrics, foreseen=foreseen)
    found = carried_out(
        beyond.judged(judged_scorers(), lambda one: recordings[one.metric].judge(one))
    )
    sources = {recordings[item.metric].source: recordings[item.metric].by for item in items}
    scripted = SCRIPTED in sources
    told = ", ".join(f"recorded: {source}; {by}" for source, by in sources.items())
    name = WRITTEN if scripted else told
    calibration = _calibration(name, found, None, scripted=scripted, recorded=True)
    return replace(calibration, left_out=beyond.left_out)


def _recorded(fingerprint: str, found: Sequence[Judged]) -> list[Recording]:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    names = sorted({reply.model for one in found for reply in one.replies if reply.model})
    by = f"{' and '.join(names) or 'a model that does not say its name'}, asked by {now}"
    return [
        Recording(
            metric=metric,
            prompts=prompts_of(metric),
            source=fingerprint,
            by=by,
            replies={one.item.id: said(one.replies) for one in found if one.item.metric == metric},
        )
        for metric in dict.fromkeys(one.item.metric for one in found)
    ]


def _calibration(
    name: str,
    found: Sequence[Judged],
    usd: float | None,
    *,
    scripted: bool = False,
    recorded: bool = False,
) -> Calibration:
    return Calibration(
        judge=name,
        scripted=scripted,
        recorded=recorded,
        found=agreements((one.item.metric, one.item.condition, _label(one)) for one in found),
        judged=tuple(found),
        usd=usd,
    )


def _label(one: Judged) -> Label:
    return Label(human=one.human, judge=one.score, failed=one.error is not None)


def _worth(told: Calibration, config: Config) -> float | None:
    prices = config.judge.prices
    replies: list[Reply] = [reply for one in told.judged for reply in one.replies]
    return Prices(prices.input_per_mtok, prices.output_per_mtok).cost(
        sum(reply.input_tokens or 0 for reply in replies),
        sum(reply.output_tokens or 0 for reply in replies),
    )
