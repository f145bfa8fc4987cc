"""Whether two runs measured the same thing the same way, and in what else they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ragproof.core.header import Declared, RunHeader
from ragproof.core.record import Column


class Obstacle(StrEnum):
    """Why figures of two runs do not belong side by side."""

    DATASET = "dataset"
    """Other cases; those in common may still be compared."""
    JUDGE = "judge"
    """Another judge, local model or other prompts: the yardstick differs."""
    COUNTING = "counting"
    """Another k or another unit of it: a figure of one name means another thing."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One obstacle, in words."""

    obstacle: Obstacle
    text: str


def obstacles(baseline: RunHeader, candidate: RunHeader) -> Iterator[Difference]:
    """Name whatever makes the comparison of two runs doubtful."""
    before, after = baseline.dataset, candidate.dataset
    if before.hash != after.hash:
        yield Difference(
            Obstacle.DATASET,
            f"the dataset was {before.name} ({before.hash[:12]}), now {after.name}"
            f" ({after.hash[:12]})",
        )
    if before.selection != after.selection:
        yield Difference(
            Obstacle.DATASET,
            f"the selection of cases was {_said(before.selection)}, now {_said(after.selection)}",
        )
    if baseline.judge != candidate.judge:
        yield Difference(
            Obstacle.JUDGE,
            f"the judge was {baseline.judge or 'none'}, now {candidate.judge or 'none'}",
        )
    prompts = baseline.prompt_hashes.keys() & candidate.prompt_hashes.keys()
    for name in sorted(prompts):
        if tuple(baseline.prompt_hashes[name]) != tuple(candidate.prompt_hashes[name]):
            yield Difference(Obstacle.JUDGE, f"the prompts of {name} were changed")
    for name in sorted(baseline.metrics.keys() & candidate.metrics.keys()):
        models = (baseline.local_models.get(name), candidate.local_models.get(name))
        if models[0] != models[1]:
            told = [one[:19] if one else "none" for one in models]
            yield Difference(
                Obstacle.JUDGE, f"the local model of {name} was {told[0]}, now {told[1]}"
            )
    for name, was, now in (
        ("k", baseline.settings.k, candidate.settings.k),
        ("source_match", baseline.settings.source_match, candidate.settings.source_match),
    ):
        if was != now:
            yield Difference(Obstacle.COUNTING, f"{name} was {was}, now {now}")


def judge_readings(header: RunHeader) -> set[str]:
    """Name the readings that the judge was asked for; which metrics read them no header tells."""
    return header.prompt_hashes.keys() - header.metrics.keys()


def measured_otherwise(baseline: RunHeader, candidate: RunHeader, declared: Declared) -> str | None:
    """Say by what else two runs measured a metric that both declare alike; None where by the same.

    Readings of the judge do not count.
    """
    before, after = _means(baseline, declared), _means(candidate, declared)
    for name, was in before.items():
        if was != after[name]:
            changed = "other prompts" if name == "prompts" else None
            return changed or f"{name}: {_short(was)} -> {_short(after[name])}"
    return None


def _means(header: RunHeader, declared: Declared) -> Mapping[str, object]:
    """What a metric is measured with; figures by label have the metric's key in common."""
    alike = (declared.id, declared.params)
    key = next((name for name, one in header.metrics.items() if (one.id, one.params) == alike), "")
    return {
        "judge": header.judge if key in header.prompt_hashes else None,
        "local model": header.local_models.get(key),
        "prompts": tuple(header.prompt_hashes.get(key, ())),
        "source_match": header.settings.source_match if "k" in declared.params else None,
    }


def _short(value: object) -> str:
    return "none" if value is None else str(value)[:60]


def changes_told(baseline: RunHeader, candidate: RunHeader) -> Iterator[str]:
    """Say in what the runs differ without that being an obstacle: what is being compared."""
    old, new = baseline.adapter, candidate.adapter
    facts: list[tuple[str, object, object]] = [
        ("adapter type", old.type, new.type),
        ("adapter target", old.target, new.target),
        ("adapter version", old.version, new.version),
    ]
    facts += _each("adapter param", old.params, new.params)
    facts += _each("version of", baseline.versions, candidate.versions)
    facts += [
        (name, getattr(baseline.settings, name), getattr(candidate.settings, name))
        for name in ("depth", "repeats", "concurrency")
    ]
    for name, was, now in facts:
        if was != now:
            yield f"{name}: {_said(was)} -> {_said(now)}"


def _each(
    kind: str, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[tuple[str, object, object]]:
    for name in sorted({*before, *after}):
        yield f"{kind} {name}", before.get(name), after.get(name)


def why_apart(baseline: Column | None, candidate: Column | None) -> str | None:
    """Say why a metric's figures in two runs do not belong together; None where they do."""
    if baseline is None:
        return "only the candidate has it"
    if candidate is None:
        return "only the baseline has it"
    for name in ("id", "params", "version", "pool", "unit"):
        was, now = getattr(baseline.declared, name), getattr(candidate.declared, name)
        if was != now:
            return f"{name}: {_said(was)} -> {_said(now)}"
    return None


def _said(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {one}" for name, one in value.items()) or "all"
    return "not set" if value is None else str(value)
