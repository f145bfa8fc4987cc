"""Try everything that a run needs, one thing after the other, before anything is spent."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from ragproof.analysis.never_found import unmatched
from ragproof.core import (
    CaseRun,
    Failed,
    JudgeError,
    Level,
    Metric,
    Observation,
    Row,
    RunError,
    Scored,
    Skipped,
    Tools,
    calling,
)
from ragproof.core.needs import EXPECTED_SOURCES
from ragproof.core.outcome import NotApplicable
from ragproof.core.spec import Unit
from ragproof.engine.board import Board
from ragproof.engine.observe import Observer
from ragproof.engine.run import wanted
from ragproof.engine.score import Scorer, read
from ragproof.llm.settings import ModelSettings
from ragproof.reports.wording import figure
from ragproof.text.counting import counted
from ragproof.wiring.loop import carried_out
from ragproof.wiring.ontology_check import remarks
from ragproof.wiring.perform import ignores_k
from ragproof.wiring.plan import READINGS
from ragproof.wiring.prepare import Draft, draft
from ragproof.wiring.wish import Wish

ABSENT = "in every case of the dataset: "


@dataclass(frozen=True)
class Step:
    """One thing that was tried and is well, or a remark on it."""

    name: str
    detail: str
    metrics: tuple[str, ...] = ()
    """Keys of the metrics that it is about."""

    @property
    def in_full(self) -> str:
        """The detail with the metrics."""
        return f"{self.detail}: {', '.join(self.metrics)}" if self.metrics else self.detail


def checkup(wish: Wish, environ: Mapping[str, str], board: Board) -> Iterator[Step]:
    """Yield a step for each thing that is well; raise UsageError or RunError at what is not.

    One case, the first, is put to the pipeline; the board shows while it is out.
    """
    ready = draft(wish, environ)
    header, cases = ready.header, ready.cases
    kinds = Counter(str(case.kind) for case in cases)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    yield Step("config", str(ready.config.source_path or "none; defaults and flags"))
    yield Step("dataset", f"{header.dataset.path}: {told}; sha256 {header.dataset.hash[:12]}")
    yield from (Step(name, said) for name, said in remarks(ready))
    with ready.open_store() as store:
        store.check_writable()
        yield Step("store", store.where)
    adapter = header.adapter
    yield Step("adapter", f"{adapter.type} {adapter.target}, version {adapter.version or 'none'}")
    for warning in ready.system.warnings:
        yield Step("adapter", warning)
    yield from _judge(ready, environ)
    for model, keys in ready.header.by_local_model.items():
        yield Step("model", f"local, of {', '.join(keys)}: {model}")
    first = cases[0]
    seen, rows = carried_out(_asked(ready, board))
    if (failure := seen.observation.failure) is not None:
        raise RunError(f"case {first.id!r} failed: {failure.cause}: {failure.message}")
    shown = ", ".join(_exposed(seen.observation, header.settings.depth))
    yield Step("pipeline", f"case {first.id!r}: {shown}")
    if len(seen.observation.retrieved or ()) > header.settings.depth:
        yield Step("warning", ignores_k("this case", header.settings.depth))
    if strange := _strange(seen, ready):
        yield Step("warning", strange)
    lacking = _lacking(ready)
    lost = {key for keys in lacking.values() for key in keys}
    fitting = {key for key, one in ready.metrics.items() if _suits(one, seen)}
    there = [row for row in rows if row.metric not in lost]
    for (name, said), found in _by_outcome(there, fitting).items():
        yield Step(name, said, tuple(found))
    for reason, found in lacking.items():
        yield Step("missing", f"{ABSENT}{reason}", tuple(found))


def _suits(metric: Metric[Any], seen: CaseRun) -> bool:
    """Whether a metric that skips the case does so for something else than the case itself."""
    return metric.level is not Level.CASE or metric.spec.suits(seen)


def _judge(ready: Draft, environ: Mapping[str, str]) -> Iterator[Step]:
    plan = ready.judge
    if plan is None:
        yield Step("judge", "none; what needs one is skipped (set RAGPROOF_JUDGE_MODEL)")
        return
    yield Step("judge", plan.fingerprint)
    weighs = any(prompt.weighs for one in ready.metrics.values() for prompt in one.prompts)
    for settings in plan.settings:
        for note in carried_out(_probed(settings, environ, weighs=weighs)):
            yield Step("judge", f"{settings.model}: {note}")


async def _probed(
    settings: ModelSettings, environ: Mapping[str, str], *, weighs: bool
) -> tuple[str, ...]:
    from ragproof.llm.client import Client  # noqa: PLC0415  aiohttp is heavy
    from ragproof.llm.probe import probe  # noqa: PLC0415  as above

    client = Client.of(settings, environ)
    try:
        return (await probe(client, weighs=weighs)).notes
    except JudgeError as fault:
        raise RunError(f"the judge cannot be used: {fault}") from fault
    finally:
        await client.close()


async def _asked(ready: Draft, board: Board) -> tuple[CaseRun, list[Row]]:
    settings, system = ready.header.settings, ready.system
    trial = next(ready.trials())
    board.note("", limit=settings.case_timeout_seconds)
    board.enter(0, trial.name)
    calling.set(lambda: board.in_thread(0))
    beats = asyncio.create_task(board.beating())
    try:
        observed = await Observer(system.adapter, settings.case_timeout_seconds).observe(trial.case)
        seen = CaseRun(trial.case, observed, source_match=settings.source_match)
        unjudged = ready.metrics
        if ready.judge is not None:  # it is asked once, apart: this is to cost next to nothing
            unjudged = {key: one for key, one in ready.metrics.items() if not one.prompts}
        seen, _ = await read(seen, wanted(READINGS, unjudged), Tools())
        tools = Tools(
            corpus=ready.corpus, ontology=ready.ontology, prices=ready.prices, local=ready.local
        )
        return seen, await Scorer(unjudged).outcomes(seen, tools)
    finally:
        beats.cancel()
        board.leave(0)
        await system.adapter.close()


def _strange(seen: CaseRun, ready: Draft) -> str | None:
    """Say so where nothing that was retrieved is expected by any case of the dataset."""
    retrieved = list(dict.fromkeys(map(seen.source_match.source, seen.observation.retrieved or ())))
    unseen = Observation(case_id="")
    nothing: frozenset[str] = frozenset()
    runs = (CaseRun(case, unseen) for case in ready.cases)
    known = nothing.union(*(run.get(EXPECTED_SOURCES) or nothing for run in runs))
    if not (retrieved and known) or not known.isdisjoint(retrieved):
        return None
    mine = seen.get(EXPECTED_SOURCES) or known
    return unmatched(min(mine), retrieved[:3], seen.source_match)


def _exposed(seen: Observation, depth: int) -> Iterator[str]:
    """What the pipeline shows of itself."""
    if seen.retrieved is not None:
        yield f"{len(seen.retrieved)} retrieved ({depth} asked for)"
    if (answer := seen.answer) is not None:
        yield f"an answer of {counted(len(answer.answer_text), 'character')}"
        if answer.citations is not None:
            yield f"{len(answer.citations)} cited"
        if answer.trace is not None:
            yield "a trace"
    if seen.parsed is not None:
        yield f"parsed text of {counted(len(seen.parsed.text), 'character')}"
    if seen.chunks is not None:
        yield f"{counted(len(seen.chunks), 'chunk')} of the document"
    if seen.seconds is not None:
        yield figure(seen.seconds, Unit.SECONDS)


def _by_outcome(rows: list[Row], fitting: Set[str]) -> dict[tuple[str, str], list[str]]:
    """What became of the first case: name of the step and reason to metric keys.

    What only this case lacks is not missing: `fitting` are the metrics that it suits.
    """
    found: dict[tuple[str, str], list[str]] = {("metrics", "scored on it"): []}
    for row in rows:
        match row.outcome:
            case Scored():
                told = "metrics", "scored on it"
            case Skipped(reason=reason) if row.metric in fitting:
                told = "missing", reason
            case Skipped(reason=reason):
                told = "metrics", f"not about it, {reason}"
            case NotApplicable(reason=reason):
                told = "metrics", f"not applicable to it, {reason}"
            case Failed(cause=cause, message=message):
                told = "failed", f"{cause}: {message}"
        found.setdefault(told, []).append(row.key)
    return {told: keys for told, keys in found.items() if keys}


def _lacking(ready: Draft) -> dict[str, list[str]]:
    """Why metrics can score not a single case of the dataset: reason to their keys."""
    unseen = Observation(case_id="")
    runs = [CaseRun(case, unseen) for case in ready.cases]
    found: dict[str, list[str]] = defaultdict(list)
    for key, metric in ready.metrics.items():
        spec = metric.spec
        if not any(spec.suits(run) for run in runs):
            covered = [run for run in runs if run.case.kind in spec.kinds]
            absent = [n for n in spec.of_the_case if all(n.of(run) is None for run in covered)]
            kinds = " or ".join(spec.kinds)
            found[absent[0].reason if absent else f"it has none of kind {kinds}"].append(key)
    return found
