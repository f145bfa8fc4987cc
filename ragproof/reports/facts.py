"""What every report says of a run beside its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragproof.analysis.findings import Findings
from ragproof.core.header import Mode
from ragproof.core.spec import Unit
from ragproof.core.subject import SourceMatch
from ragproof.reports.wording import figure, pairs
from ragproof.text.counting import counted


def run_facts(found: Findings) -> Iterator[tuple[str, str]]:
    """Give the facts that a reader needs in order to judge the figures."""
    header = found.record.header
    settings, dataset, adapter = header.settings, header.dataset, header.adapter
    unit = "chunks" if settings.source_match is SourceMatch.CHUNK else "documents"
    yield "id", header.id + (f" ({header.label})" if header.label else "")
    yield (
        "counted",
        f"k = {settings.k} distinct {unit}, {counted(settings.depth, 'chunk')} asked for,"
        f" {counted(settings.repeats, 'trial')} per case, {settings.concurrency} at once,"
        f" {settings.case_timeout_seconds:g} s per case",
    )
    chosen = f"{dataset.cases:,} of {counted(dataset.total, 'case')}"
    selection = f", {pairs(dataset.selection)}" if dataset.selection else ""
    traffic = ", sampled traffic" if header.mode is Mode.ONLINE else ""
    yield "dataset", f"{dataset.name}{traffic}, {chosen}{selection}, sha256 {dataset.hash[:12]}"
    version = f", version {adapter.version}" if adapter.version else ""
    params = f", {pairs(adapter.params)}" if adapter.params else ""
    yield "adapter", f"{adapter.type} {adapter.target}{params}{version}"
    if found.judge.model:
        cost = found.judge.cost_usd
        spent = "cost unknown" if cost is None else figure(cost, Unit.USD)
        if lost := found.judge.unanswered_usd:
            spent += f" (up to {figure(lost, Unit.USD)} of it for calls that brought no reply)"
        calls = f"{counted(found.judge.calls, 'call')}, {found.judge.cache_hits:,} from the cache"
        yield "judge", f"{found.judge.model}, {calls}, {spent}"
        yield "agrees", _card(found.judge.card)
    for model, keys in header.by_local_model.items():
        yield "model", f"local, {model[:19]}, of {', '.join(keys)}"


def _card(card: Sequence[Mapping[str, Any]]) -> str:
    """How far the judge was found to agree with people."""
    if not card:
        return "with people: not measured; run ragproof calibrate"
    told = [
        f"{one['metric']} {figure(one['exact']['value'], Unit.FRACTION)} of {one['items']}"
        for one in card
    ]
    return f"with people, same band: {', '.join(told)} ({card[0]['condition']})"


def state_sentence(found: Findings) -> str:
    """Say how the run stands and how its cases ended."""
    cases = found.summary.cases
    parts = [f"{cases.ok:,} of {counted(cases.total, 'trial' if _repeats(found) else 'case')} ok"]
    parts += [f"{cases.errors:,} failed"] if cases.errors else []
    parts += [f"{cases.timeouts:,} timed out"] if cases.timeouts else []
    parts += [f"{cases.missing:,} not tried"] if cases.missing else []
    return f"{found.record.state.value}: {', '.join(parts)}"


def _repeats(found: Findings) -> bool:
    return found.record.header.settings.repeats > 1
