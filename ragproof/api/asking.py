"""From the arguments of a call to what wiring understands."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias, TypedDict, cast

from ragproof.adapters.method import is_capable
from ragproof.core import Case, Metric, PureMetric, ToolMetric, UsageError
from ragproof.datasets import Dataset, dump, read_given
from ragproof.text.nearest import nearest
from ragproof.wiring.config_checks import secrets
from ragproof.wiring.given import NOTHING_GIVEN, Given
from ragproof.wiring.wish import Wish

Cases: TypeAlias = str | Path | Iterable[Mapping[str, Any] | Case]
"""A dataset file, or cases: mappings with the keys of a dataset's line, or `Case` objects."""
Asked: TypeAlias = str | Mapping[str, Mapping[str, Any] | None] | Metric[Any] | type[Metric[Any]]
"""A metric: its id or a glob, `{id: parameters}`, a metric, or its class."""
TARGET = re.compile(r"[\w.]+:[\w.]+")
GIVEN = "cases"
"""What a dataset is called that was given in code."""
OURS = "ragproof.metrics."


class Said(TypedDict, total=False):
    """What else may be said of an evaluation; None is "not said"."""

    k: int | None
    concurrency: int | None
    repeats: int | None
    source_match: str | None
    timeout_seconds: float | None
    judge: str | Mapping[str, Any] | bool | None
    sample: int | None
    seed: int | None
    limit: int | None
    split: str | None
    store: str | Path | None
    project: str | None
    label: str | None
    resume: str | None
    config: str | Path | None
    settings: Mapping[str, Any] | None
    progress: bool


PLACES = {
    "k": "run.k",
    "concurrency": "run.concurrency",
    "source_match": "run.source_match",
    "timeout_seconds": "run.case_timeout_seconds",
}
"""What is said to the place in the config that it wins over."""
SELECTION = ("sample", "seed", "limit", "split", "repeats")


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What a caller asks for; None is "not said"."""

    cases: Cases | None = None
    adapter: object | None = None
    metrics: Asked | Iterable[Asked] | None = None
    config: str | Path | None = None
    judge: str | Mapping[str, Any] | bool | None = None
    store: str | Path | None = None
    project: str | None = None
    label: str | None = None
    resume: str | None = None
    selection: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    """As in SELECTION."""
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    """Keys of the config by their dotted place."""

    @classmethod
    def of(
        cls,
        cases: Cases | None,
        adapter: object | None,
        metrics: Asked | Iterable[Asked] | None,
        said: Mapping[str, Any],
    ) -> Asking:
        """Sort what is said; raises UsageError for a name that says nothing."""
        known = Said.__annotations__
        for name in said:
            if name not in known:
                told = f"there is no argument {name!r}.{nearest(name, known)}"
                raise UsageError(f"{told} Allowed: {', '.join(known)}")
        there = {name: one for name, one in said.items() if one is not None}
        places = {PLACES[name]: there.pop(name) for name in [*there] if name in PLACES}
        selection = {name: there.pop(name) for name in [*there] if name in SELECTION}
        settings = {**places, **there.pop("settings", {})}
        there.pop("progress", None)
        return cls(
            cases=cases,
            adapter=adapter,
            metrics=metrics,
            selection=selection,
            settings=settings,
            **there,
        )

    @property
    def is_kept(self) -> bool:
        """Whether a store is named: by the caller, or by the config that the caller names."""
        return self.store is not None or self.config is not None

    def wish(self, scratch: str | None = None) -> Wish:
        """The wish; `scratch` is the store of a run that is not kept."""
        _refuse_label(self.label)
        settings = {**self._settings(), **self.settings}
        _refuse_secrets(settings)
        store = scratch if self.store is None else str(self.store)
        is_file = isinstance(self.cases, str | Path)
        project = self.project
        if project is None and self.config is None and self.cases is not None and not is_file:
            project = GIVEN
        return Wish(
            config=None if self.config is None else Path(self.config),
            ignore_config=self.config is None or None,
            project=project,
            store=store,
            dataset=Path(cast("str", self.cases)) if is_file else None,
            label=self.label,
            resume=self.resume,
            settings=settings or None,
            **self._adapter(),
            **self.selection,
        )

    def given(self) -> Given:
        """What is in hand."""
        dataset = None
        if self.cases is not None and not isinstance(self.cases, str | Path):
            dataset = dataset_of(self.cases)
        pipeline, named_after = _pipeline(self.adapter)
        if dataset is None and pipeline is None:
            return NOTHING_GIVEN
        return Given(dataset=dataset, pipeline=pipeline, named_after=named_after)

    def _adapter(self) -> dict[str, Any]:
        adapter = self.adapter
        if isinstance(adapter, Mapping):
            _refuse_secrets({"adapter": adapter})
            return {"adapter": dict(adapter)}
        if isinstance(adapter, Path) or (
            isinstance(adapter, str) and not TARGET.fullmatch(adapter)
        ):
            return {"recorded": Path(adapter)}
        return {"adapter": {"type": "python", "target": adapter}} if _is_text(adapter) else {}

    def _settings(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.metrics is not None:
            found["metrics"] = [*_metrics(self.metrics)]
        if self.judge is False:
            found["judge"] = {}
        elif isinstance(self.judge, str):
            found["judge.model"] = self.judge
        elif isinstance(self.judge, Mapping):
            found["judge"] = dict(self.judge)
        elif self.judge is not None:
            raise UsageError(
                f"judge: got {self.judge!r}; allowed: the name of a model, a mapping with the "
                "keys of the config's `judge`, or False for none"
            )
        return found


def dataset_of(cases: Iterable[Mapping[str, Any] | Case]) -> Dataset:
    """Check cases that are given in code; raises UsageError that names the case and its field."""
    if isinstance(cases, Mapping) or not isinstance(cases, Iterable):
        raise UsageError(
            f"argument cases: got {cases!r:.80}; allowed: a dataset file, or a list of mappings or "
            "Case objects"
        )
    lines = (_line(number, one) for number, one in enumerate(cases, 1))
    return read_given(GIVEN, lines, Path.cwd())


def _line(number: int, one: object) -> str:
    if isinstance(one, Case):
        return dump(one)
    if not isinstance(one, Mapping):
        raise UsageError(
            f"{GIVEN}: case {number}: got {one!r:.80}; allowed: a mapping with the keys of a "
            "dataset's line, or a Case"
        )
    try:
        return json.dumps(dict(one), default=_plain)
    except (TypeError, ValueError, RecursionError) as fault:
        raise UsageError(f"{GIVEN}: case {number}: it is no JSON: {fault}") from None


def _plain(value: object) -> object:
    """What JSON can say of a value that is not its own."""
    if isinstance(value, date):
        return value.isoformat()
    if callable(item := getattr(value, "tolist", None)):  # a number or an array of numpy's
        return item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _pipeline(adapter: object) -> tuple[object | None, object | None]:
    """The pipeline, and what it is called after; a function of the question answers."""
    if adapter is None or isinstance(adapter, str | Path | Mapping):
        return None, None
    if callable(adapter) and not isinstance(adapter, type) and not is_capable(adapter):
        if _takes_a_question(adapter):
            return SimpleNamespace(answer=adapter), adapter
        return adapter, None
    return adapter, None


def _takes_a_question(call: Callable[..., object]) -> bool:
    """Whether it cannot be called without an argument, as what makes a pipeline can."""
    try:
        inspect.signature(call).bind()
    except (TypeError, ValueError):
        return True
    return False


def _metrics(asked: Asked | Iterable[Asked]) -> Iterator[str | dict[str, Any]]:
    alone = isinstance(asked, str | Mapping | PureMetric | ToolMetric | type)
    if not (alone or isinstance(asked, Iterable)):
        raise UsageError(
            f"argument metrics: got {asked!r:.80}; allowed: an id, a glob, {{id: parameters}}, a "
            "metric, or a list of these"
        )
    for one in cast("Iterable[Asked]", [asked] if alone else asked):
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            yield {name: params and dict(params) for name, params in one.items()}
        elif isinstance(one, type) and issubclass(one, PureMetric | ToolMetric):
            yield _id(one)
        elif isinstance(one, PureMetric | ToolMetric):
            params = {field.name: getattr(one, field.name) for field in dataclasses.fields(one)}
            yield {_id(type(one)): params}
        else:
            raise UsageError(
                f"metrics: got {one!r:.80}; allowed: an id or a glob, {{id: parameters}}, a metric "
                "or its class"
            )


def _id(metric: type[Metric[Any]]) -> str:
    """The id of one of ours, else `module:Class`."""
    if metric.__module__.startswith(OURS):
        return metric.__module__.removeprefix(OURS)
    return f"{metric.__module__}:{metric.__qualname__}"


def _refuse_label(label: str | None) -> None:
    if label is not None and (not label.strip() or label.startswith("latest")):
        raise UsageError(f"label: {label!r} cannot be told from other ways to name a run")


def _refuse_secrets(settings: Mapping[str, Any]) -> None:
    """What shapes a run is stored with it."""
    for fault in secrets(settings):
        place = ".".join(str(step) for step in fault.path)
        raise UsageError(
            f"{place}: a secret is written out, and would be stored with the run. Have it read "
            'from the environment: in an HTTP request write env:NAME, as in "Bearer env:TOKEN"; a '
            "judge's key is RAGPROOF_LLM_API_KEY"
        )


def _is_text(value: object) -> bool:
    return isinstance(value, str)
