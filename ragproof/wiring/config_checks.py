"""What must hold of a configuration beyond the types of its keys."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from ragproof.text.faults import Fault, Path, is_secret, shown
from ragproof.text.nearest import nearest
from ragproof.wiring import grid
from ragproof.wiring.schema import AdapterConfig, Config, EndpointConfig, HttpConfig, Rule
from ragproof.wiring.schema_decisions import decision_faults
from ragproof.wiring.schema_monitor import monitor_faults
from ragproof.wiring.schema_sweep import SweepConfig

_OWN_KEYS = {"http": "http", "recorded": "path"}
"""Adapter type to the key that it needs; all other types need `target`."""
_PASSWORD = re.compile(r"://[^/@\s:]*:[^/@\s]+@")
_FILLED_IN = re.compile(r"env:\w|\{\w+\}")


def check(config: Config, outside: Collection[Sequence[str]] = ()) -> Iterator[Fault]:
    """Yield what is wrong with a configuration whose keys have the right types.

    `outside` are the places that the file does not decide.
    """
    if config.adapter is not None:
        yield from _adapter(config.adapter)
    if config.run.depth is not None and config.run.depth < config.run.k:
        got = f"got {config.run.depth}; allowed: run.k, which is {config.run.k}, and above"
        yield Fault(("run", "depth"), got)
    yield from _metrics(config)
    yield from _judge(config)
    yield from _gate(config)
    yield from decision_faults(config.decisions, config.gate.human_labels)
    yield from monitor_faults(config.monitor)
    replaced = any(place[0] == "adapter" for place in outside)
    if config.sweep is not None and not replaced:  # it is about the adapter of the file
        yield from _sweep(config.sweep, config.adapter)


def secrets(value: object, path: Path = ()) -> Iterator[Fault]:
    """Yield each secret that is written out in the file."""
    if isinstance(value, dict):
        yield from chain.from_iterable(secrets(one, (*path, key)) for key, one in value.items())
    elif isinstance(value, list):
        yield from chain.from_iterable(secrets(one, (*path, i)) for i, one in enumerate(value))
    elif isinstance(value, str) and value and not _FILLED_IN.search(value):
        if is_secret(path[-1] if path else None):
            yield Fault(
                path,
                "a secret stands in the file. In an HTTP request write env:NAME, as in "
                '"Bearer env:TOKEN", and set NAME in the environment; elsewhere have your own '
                "code read it from there",
            )
        elif _PASSWORD.search(value):
            yield Fault(
                path,
                "a password stands in the address. Leave it out and set it in the environment "
                "(RAGPROOF_STORE for the store with password, PGPASSWORD for it alone)",
            )


def _adapter(adapter: AdapterConfig) -> Iterator[Fault]:
    needed = _OWN_KEYS.get(adapter.type, "target")
    for key in ("target", "http", "path"):
        held = getattr(adapter, key)
        if key == needed and held is None:
            yield Fault(("adapter", key), f"missing; an adapter of type {adapter.type} needs it")
        elif key != needed and held is not None:
            message = f"an adapter of type {adapter.type} has no {key}; it has {needed}"
            yield Fault(("adapter", key), message)
    if needed == "target" and adapter.target is not None:
        module, _, attribute = adapter.target.partition(":")
        if not (module and attribute):
            got = f"got {shown(adapter.target)}; allowed: module:attribute"
            yield Fault(("adapter", "target"), f"{got}, such as my_package.pipeline:build")
    if adapter.http is not None:
        yield from _http(adapter.http)


def _http(http: HttpConfig) -> Iterator[Fault]:
    path = ("adapter", "http")
    if http.retrieve is None and http.answer is None:
        yield Fault(path, "neither retrieve nor answer is there; one of them is needed")
    if http.retrieve is not None:
        yield from _endpoint(http.retrieve, (*path, "retrieve"), "chunks_path")
    if http.answer is not None:
        yield from _endpoint(http.answer, (*path, "answer"), "answer_path")


def _endpoint(endpoint: EndpointConfig, path: Path, needed: str) -> Iterator[Fault]:
    if getattr(endpoint, needed) is None:
        yield Fault((*path, needed), f"missing; {path[-1]} needs it")
    if not endpoint.request.url.startswith(("http://", "https://", "env:", "{")):
        got = shown(endpoint.request.url)
        yield Fault((*path, "request", "url"), f"got {got}; allowed: http:// or https:// ...")
    for name, value in endpoint.request.headers.items():
        if not name or re.search(r"[\r\n\0]", name + value):
            message = "a header has a name and holds neither line ends nor NUL"
            yield Fault((*path, "request", "headers", name), message)


def _metrics(config: Config) -> Iterator[Fault]:
    for index, one in enumerate(config.metrics or ()):
        if not isinstance(one, str) and len(one) != 1:
            got = f"got {shown(one)}; allowed: one metric id with its parameters"
            yield Fault(("metrics", index), f"{got}, such as `retrieval.recall_at_k: {{k: 10}}`")
    if config.metrics == ():
        yield Fault(("metrics",), "got an empty list; leave the key out for all that apply")


def _judge(config: Config) -> Iterator[Fault]:
    judge = config.judge
    if judge.provider == "recorded" and judge.run is None:
        yield Fault(("judge", "run"), "missing; provider recorded replays the replies of a run")
    if judge.provider != "recorded" and judge.run is not None:
        yield Fault(("judge", "run"), "only provider recorded replays the replies of a run")
    if judge.base_url is not None and not judge.base_url.startswith(("http://", "https://")):
        got = shown(judge.base_url)
        yield Fault(("judge", "base_url"), f"got {got}; allowed: http:// or https:// ...")


def _gate(config: Config) -> Iterator[Fault]:
    for metric, held in config.gate.thresholds.items():
        path: Path = ("gate", "thresholds", metric)
        if isinstance(held, Rule):
            yield from _rule(held, path)
        elif not held:
            yield Fault(path, "got an empty list; write a rule or leave the metric out")
        else:
            for index, rule in enumerate(held):
                yield from _rule(rule, (*path, index))
    for index, waiver in enumerate(config.gate.waivers):
        if waiver.metric not in config.gate.thresholds:
            close = nearest(waiver.metric, config.gate.thresholds)
            message = f"got {shown(waiver.metric)}, which has no threshold to waive.{close}"
            yield Fault(("gate", "waivers", index, "metric"), message)


def _rule(rule: Rule, path: Path) -> Iterator[Fault]:
    bounds = (rule.min, rule.max, rule.max_drop, rule.max_rise)
    if all(bound is None for bound in bounds):
        yield Fault(path, "nothing can fail this rule; give it min, max, max_drop or max_rise")
    elif rule.max_drop is None and rule.max_rise is None:
        for name in ("noise_floor", "non_inferiority"):
            if getattr(rule, name):
                message = "is about a change; it goes with max_drop or max_rise"
                yield Fault((*path, name), message)
    if rule.estimate != "plain" and (
        rule.statistic != "mean" or rule.max_drop is not None or rule.max_rise is not None
    ):
        message = "human labels correct the mean of one run; it goes with min and max alone"
        yield Fault((*path, "estimate"), message)
    if rule.min is not None and rule.max is not None and rule.min > rule.max:
        message = f"got min {rule.min:g} above max {rule.max:g}, which nothing can meet"
        yield Fault(path, message)


def _sweep(sweep: SweepConfig, adapter: AdapterConfig | None) -> Iterator[Fault]:
    yield from grid.faults(sweep, {} if adapter is None else adapter.params)
    if adapter is None or adapter.type not in _OWN_KEYS:
        return
    held = adapter.path if adapter.http is None else adapter.http.model_dump_json()
    for name in grid.names(sweep):
        if f"{{{name}}}" not in str(held):  # every point would be the same
            path = ("sweep", "params", name) if name in sweep.params else ("sweep", "points")
            place = f"adapter.{_OWN_KEYS[adapter.type]}"
            yield Fault(path, f"nothing in {place} is filled in by {{{name}}}")
