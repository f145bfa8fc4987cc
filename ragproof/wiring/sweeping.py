"""Run the points of a sweep, each as a run of its own, and read back what they show."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ragproof.analysis.sweep import Study, study
from ragproof.analysis.sweep_names import Params, point_name
from ragproof.analysis.sweep_points import Axes, SweepPoint, measured
from ragproof.analysis.sweep_rules import Rule, Selection
from ragproof.core import Better, Case, Declared, RunHeader, RunState, Split, UsageError
from ragproof.datasets import load, select
from ragproof.store.listing import RunInfo
from ragproof.store.open import RunStore, open_store
from ragproof.text.nearest import nearest
from ragproof.wiring import grid
from ragproof.wiring.identity import refuse_unlike
from ragproof.wiring.plan import plan
from ragproof.wiring.schema import Config
from ragproof.wiring.schema_sweep import SweepConfig
from ragproof.wiring.wish import Wish

DONE = (RunState.COMPLETED, RunState.FAILED)
UNTOUCHED = "a sweep tunes, and what it was tuned on cannot judge the choice afterwards"


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """A sweep as the config has it, and as far as the store has runs of it."""

    id: str
    config: Config
    section: SweepConfig
    wish: Wish
    """What is asked of all its runs."""

    @cached_property
    def points(self) -> list[Params]:
        """Every combination, in the order of the config."""
        adapter = self.config.adapter
        return grid.points(self.section, {} if adapter is None else adapter.params)

    @property
    def name(self) -> str:
        """What it is called."""
        return grid.sweep_name(self.section)

    def point_name(self, at: int) -> str:
        """The point in words."""
        return point_name(self.points[at])

    def runs(self, store: RunStore) -> dict[int, RunInfo]:
        """The newest run of each point that has one."""
        found: dict[int, RunInfo] = {}
        for info in store.runs(self.config.runs_under):
            of = _of_sweep(info)
            if of.get("id") == self.id:
                at = grid.position(of.get("params", {}), self.points)
                if at is not None:
                    found.setdefault(at, info)
        return found

    def todo(self, *, retry_errors: bool = False) -> list[int]:
        """The points that are not done, in order."""
        with self.opened() as (store, runs):
            return [
                at
                for at in range(len(self.points))
                if at not in runs
                or runs[at].state not in DONE
                or (retry_errors and store is not None and store.failed(runs[at].header.id))
            ]

    def wish_for(self, at: int) -> Wish:
        """What is asked of the run of a point; the budget is what the other points leave of it.

        Raises UsageError where they leave nothing.
        """
        with self.opened() as (store, runs):
            own = runs.pop(at, None)
            others = [info.header.id for info in runs.values()]
            spent = 0.0 if store is None else sum(map(store.spent, others))
        params = self.points[at]
        settings: dict[str, Any] = {f"adapter.params.{key}": one for key, one in params.items()}
        if self.section.metrics is not None and self.wish.metrics is None:
            settings["metrics"] = self.section.model_dump(mode="json")["metrics"]
        if (limit := self.config.max_cost_usd) is not None:
            settings["max_cost_usd"] = max(limit - spent, 0.0)
        return dataclasses.replace(
            self.wish,
            settings=settings,
            sweep={"id": self.id, "name": self.name, "params": dict(params)},
            resume=None if own is None else own.header.id,
            retry_errors=self.wish.retry_errors and own is not None,
            label=f"sweep:{self.name}/{point_name(params).replace(', ', ',')}",
        )

    def spent(self) -> float:
        """USD that all its runs have cost so far."""
        with self.opened() as (store, runs):
            return sum(store.spent(one.header.id) for one in runs.values()) if store else 0.0

    def state(self, at: int) -> RunState | None:
        """How the run of a point stands; None where there is none."""
        with self.opened() as (_, runs):
            return runs[at].state if at in runs else None

    def check(self, header: RunHeader) -> None:
        """Refuse a run that lacks what is to be compared, or that is not like the others."""
        for place, key in self._asked():
            with self.config.blamed("sweep", *place):
                _declared(header, key, place[-1])
        with self.opened() as (_, runs):
            known = [info.header for info in runs.values()]
        if known:
            first = min(known, key=lambda one: one.started_at)
            refuse_unlike(first, header, grid.names(self.section))

    def _asked(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Where in the section a metric's key stands, and the key."""
        yield ("quality",), self.section.quality
        if self.section.cost is not None:
            yield ("cost",), self.section.cost
        if "latency" in self.section.model_fields_set:
            yield ("latency",), self.section.latency
        if (chosen := self.section.select) is not None:
            for key in ("metric", "cost_metric"):
                if (metric := getattr(chosen, key)) is not None:
                    yield ("select", key), metric

    def opened(self) -> _Opened:
        """Open the store for a moment."""
        return _Opened(self)


class _Opened:
    """The store, open for a moment, with the runs of a sweep; none where there is no store yet."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep
        self._store: RunStore | None = None

    def __enter__(self) -> tuple[RunStore | None, dict[int, RunInfo]]:
        try:
            self._store = open_store(self._sweep.config.store, create=False)
        except UsageError:
            return None, {}
        return self._store, self._sweep.runs(self._store)

    def __exit__(self, *_: object) -> None:
        if self._store is not None:
            self._store.close()


def begin(wish: Wish, environ: Mapping[str, str], *, resume: bool) -> Sweep:
    """Read what is to be swept, and refuse what a sweep must not touch.

    Raises UsageError for whatever the caller can mend.
    """
    sweep = earlier(wish, environ) if resume else _fresh(wish, environ)
    section = sweep.section
    if section.metrics is not None:
        with sweep.config.blamed("sweep", "metrics"):
            shipped = [one for one in _metrics(section) if ":" not in one[0]]
            plan(shipped, sweep.config.run.k)
    if sweep.config.adapter is None:
        raise UsageError(
            f"{sweep.config.where('sweep')}: there is no adapter whose parameters could vary"
        )
    _refuse_release(_cases(sweep))
    return sweep


def earlier(wish: Wish, environ: Mapping[str, str]) -> Sweep:
    """The newest sweep of the name that is in the store, with what it was asked for."""
    fresh = _fresh(wish, environ)
    with open_store(fresh.config.store, create=False) as store:
        for info in store.runs(fresh.config.runs_under):
            of = _of_sweep(info)
            if of.get("name") == fresh.name:
                asked = dict(info.header.asked)
                for own in ("settings", "sweep"):
                    asked.pop(own, None)
                wish = wish.after(asked)
                return dataclasses.replace(
                    fresh, id=of["id"], wish=wish, config=wish.load_config(environ)
                )
    raise UsageError(
        f"there is no sweep {fresh.name!r} in {fresh.config.store} yet. Start one: ragproof sweep"
    )


def found(sweep: Sweep) -> Study:
    """Read the runs of a sweep and compare them."""
    section, config = sweep.section, sweep.config
    axes = Axes(
        quality=section.quality,
        latency=section.latency,
        cost=section.cost,
        by=section.by,
        min_completion=config.gate.min_completion,
    )
    selection = _selection(section)
    further = [] if selection is None else [selection.metric, selection.cost_metric]
    keys = [key for key in further if key]
    with sweep.opened() as (store, runs):
        points = [
            _measured(store, params, runs.get(at), axes, keys)
            for at, params in enumerate(sweep.points)
        ]
    baseline = None
    if section.baseline is not None:
        given = {} if config.adapter is None else config.adapter.params
        whole = grid.completed(section.baseline, section, given)
        baseline = grid.position(whole, sweep.points)
    return study(sweep.name, points, axes, baseline, selection)


def _measured(
    store: RunStore | None,
    params: Params,
    info: RunInfo | None,
    axes: Axes,
    further: Sequence[str],
) -> SweepPoint:
    if info is None or store is None:
        return measured(params, None, axes)
    usd = store.judged(info.header.id)[2] if info.header.judge is not None else 0.0
    return measured(params, store.record(info.header.id), axes, usd, further)


def _fresh(wish: Wish, environ: Mapping[str, str]) -> Sweep:
    config = wish.load_config(environ)
    if config.sweep is None:
        where = f"{config.source_path} has no section `sweep`. Write one"
        if config.source_path is None:
            where = "there is no ragproof.yaml. Start with `ragproof init`, and write a section"
        raise UsageError(f"{where}: `sweep: {{params: {{chunk_size: [128, 256, 512]}}}}`")
    return Sweep(id=secrets.token_hex(5), config=config, section=config.sweep, wish=wish)


def _cases(sweep: Sweep) -> tuple[Case, ...]:
    if sweep.config.dataset is None:
        raise UsageError(
            "no dataset is named. Give --dataset FILE, or write `dataset: FILE` in "
            f"{sweep.config.source_path or 'ragproof.yaml'}"
        )
    wish = sweep.wish
    if wish.split == Split.RELEASE:
        raise UsageError(f"--split release: {UNTOUCHED}. Give --split development")
    return select(
        load(sweep.config.dataset).cases,
        split=wish.split,
        limit=wish.limit,
        sample=wish.sample,
        seed=wish.seed or 0,
    )


def _refuse_release(cases: Sequence[Case]) -> None:
    """What guided a choice can no longer judge it."""
    if touched := sum(case.split == Split.RELEASE for case in cases):
        raise UsageError(
            f"{touched} of {len(cases)} cases are of split release: {UNTOUCHED}. "
            "Give --split development"
        )


def _of_sweep(info: RunInfo) -> Mapping[str, Any]:
    """Of which sweep a run is a point."""
    told: object = info.header.asked.get("sweep")
    return told if isinstance(told, Mapping) else {}


def _metrics(section: SweepConfig) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for one in section.metrics or ():
        for name, params in ({one: None} if isinstance(one, str) else one).items():
            yield name, params or {}


def _declared(header: RunHeader, key: str, place: str) -> Declared:
    """The metric of a key; raises UsageError where the runs do not have it, or it has no better."""
    of = header.metrics.get(key)
    if of is None:
        labelled = (
            one
            for name, one in header.metrics.items()
            if one.each is not None and key.startswith(name.removesuffix("]"))
        )
        of = next(labelled, None)
    if of is None:
        raise UsageError(
            f"sweep.{place}: the runs have no metric {key!r}.{nearest(key, header.metrics)} "
            f"They have those of `metrics`: add it there, or name one of them by sweep.{place}"
        )
    if of.better is Better.NEITHER:
        raise UsageError(f"sweep.{place}: of {key} neither more nor less is better")
    return of


def _selection(section: SweepConfig) -> Selection | None:
    if (asked := section.select) is None:
        return None
    return Selection(
        rule=Rule(asked.rule),
        metric=asked.metric or section.quality,
        param=asked.param,
        min_gain=asked.min_gain or 0.0,
        tolerance=asked.tolerance,
        cost_metric=asked.cost_metric,
        gain_per_cost=asked.gain_per_cost or 0.0,
        stability=asked.stability,
        max_latency_seconds=asked.max_latency_seconds,
        max_cost=asked.max_cost,
    )
