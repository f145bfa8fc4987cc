"""Whether a run may be gone on with: what must be the same, and what is not."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

from ragproof.core import RunHeader, UsageError


def refuse_other(before: RunHeader, now: RunHeader) -> None:
    """Raise UsageError that names every difference, if there is one.

    Concurrency and time limits may change: they are not part of what is measured.
    """
    if differences := list(_differences(_identity(before), _identity(now))):
        raise UsageError(
            f"run {before.id} cannot be resumed: {'; '.join(differences)}. "
            "Undo the change, or start a new run without --resume"
        )


def refuse_unlike(before: RunHeader, now: RunHeader, varied: Collection[str]) -> None:
    """Raise UsageError where two points of a sweep differ in more than what is varied.

    A pipeline may name its version after its parameters, so the version is no part of this.
    """
    first, second = (_beside(header, varied) for header in (before, now))
    if differences := list(_differences(first, second)):
        raise UsageError(
            f"the sweep cannot go on from run {before.id}: {'; '.join(differences)}. "
            "Undo the change, or start a new sweep without --resume"
        )


def _beside(header: RunHeader, varied: Collection[str]) -> dict[str, Any]:
    """The identity without what a sweep varies."""
    identity = _identity(header)
    identity["the adapter's params"] = without(identity["the adapter's params"], varied)
    del identity["the adapter's version"]
    if header.adapter.type == "recorded":
        del identity["what the adapter replays or sends"]
    return identity


def without(params: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Parameters without these, of which dotted ones lead into nested mappings.

    >>> without({"a": 1, "b": {"c": 2, "d": 3}}, ["a", "b.c"])
    {'b': {'d': 3}}
    """
    kept: dict[str, Any] = {}
    for name, value in params.items():
        inner = [one.partition(".")[2] for one in names if one.startswith(f"{name}.")]
        if name not in names:
            kept[name] = without(value, inner) if inner and isinstance(value, Mapping) else value
    return kept


def _identity(header: RunHeader) -> dict[str, Any]:
    """In plain JSON values, as a header that was stored has them."""
    adapter, settings = header.adapter, header.settings
    selection = ", ".join(f"{name} {value}" for name, value in header.dataset.selection.items())
    identity = {
        "the mode": header.mode.value,
        "the dataset's hash": header.dataset.hash[:12],
        "the selection of cases": selection or "all",
        "the adapter's type": adapter.type,
        # what is replayed is known by its content, wherever the file lies
        "the adapter's target": adapter.target if adapter.content is None else None,
        "what the adapter replays or sends": adapter.content and adapter.content[:12],
        "the adapter's params": dict(adapter.params),
        "the adapter's version": adapter.version,
        "k": settings.k,
        "depth": settings.depth,
        "source_match": str(settings.source_match),
        "repeats": settings.repeats,
        "metrics": {
            name: {"version": one.version, **one.params} for name, one in header.metrics.items()
        },
        "the ontology": header.versions.get("ontology"),
        "the prices": header.versions.get("prices"),
        "the judge": header.judge,
        "local models": {name: one[:19] for name, one in header.local_models.items()},
        "prompts": {name: list(hashes) for name, hashes in header.prompt_hashes.items()},
    }
    return cast("dict[str, Any]", json.loads(json.dumps(identity)))


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name, value in before.items():
        other = now[name]
        if value == other:
            continue
        if name in ("metrics", "prompts", "local models"):
            yield from _entries(name, value, other)
        else:
            yield f"{name} was {_said(value)}, now {_said(other)}"


def _entries(name: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted(before.keys() | now.keys()):
        if key not in now:
            yield f"{name}: {key} is missing now"
        elif key not in before:
            yield f"{name}: {key} is new"
        elif before[key] != now[key]:
            yield f"{name}: {key} was {_said(before[key])}, now {_said(now[key])}"


def _said(value: object) -> str:
    return "none" if value is None else str(value)
