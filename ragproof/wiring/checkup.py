"""Try everything that a run needs, one thing after the other, before anything is spent."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ragproof.core import CaseRun, Failed, Observation, Row, RunError, Scored, Skipped, calling
from ragproof.core.outcome import NotApplicable
from ragproof.engine.board import Board
from ragproof.engine.observe import Observer
from ragproof.engine.run import wanted
from ragproof.engine.score import Scorer, read
from ragproof.engine.stop import Stop
from ragproof.wiring.loop import carried_out
from ragproof.wiring.plan import READINGS
from ragproof.wiring.prepare import Draft, draft
from ragproof.wiring.wish import Wish


@dataclass(frozen=True)
class Step:
    """One thing that was tried and is well, or a remark on it."""

    name: str
    detail: str


def checkup(wish: Wish, environ: Mapping[str, str], board: Board) -> Iterator[Step]:
    """Yield a step for each thing that is well; raise UsageError or RunError at what is not.

    One case, the first, is put to the pipeline; the board shows while it is out.
    """
    ready = draft(wish, environ)
    header, cases = ready.header, ready.cases
    kinds = Counter(str(case.kind) for case in cases)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    yield Step("config", str(ready.config.source_path or "none; defaults and flags"))
    yield Step("dataset", f"{header.dataset.path}: {counted}; sha256 {header.dataset.hash[:12]}")
    with ready.open_store() as store:
        yield Step("store", store.where)
    adapter = header.adapter
    yield Step("adapter", f"{adapter.type} {adapter.target}, version {adapter.version or 'none'}")
    for warning in ready.system.warnings:
        yield Step("adapter", warning)
    first = cases[0]
    seen, rows = carried_out(_asked(ready, board), Stop())
    if (failure := seen.observation.failure) is not None:
        raise RunError(f"case {first.id!r} failed: {failure.cause}: {failure.message}")
    yield Step("pipeline", f"case {first.id!r}: {', '.join(_exposed(seen.observation))}")
    for said, keys in _by_outcome(rows).items():
        yield Step("metrics", f"{said}: {', '.join(keys)}")
    if unscored := _never_scored(ready):
        yield Step("metrics", f"no case of the dataset has what these need: {', '.join(unscored)}")


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
        seen, _ = await read(seen, wanted(READINGS, ready.metrics), ready.tools)
        return seen, await Scorer(ready.metrics).outcomes(seen, ready.tools)
    finally:
        beats.cancel()
        board.leave(0)
        await system.adapter.close()


def _exposed(seen: Observation) -> Iterator[str]:
    """What the pipeline shows of itself."""
    if seen.retrieved is not None:
        yield f"{len(seen.retrieved)} chunks retrieved"
    if (answer := seen.answer) is not None:
        yield f"an answer of {len(answer.answer_text)} characters"
        yield f"{len(answer.citations or ())} citations"
        if answer.trace is not None:
            yield "a trace"
    if seen.parsed is not None:
        yield f"parsed text of {len(seen.parsed.text)} characters"
    if seen.chunks is not None:
        yield f"{len(seen.chunks)} chunks of the document"
    if seen.seconds is not None:
        yield f"{seen.seconds:.3g} s"


def _by_outcome(rows: list[Row]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        match row.outcome:
            case Scored():
                found["scored on it"].append(row.key)
            case Skipped(reason=reason) | NotApplicable(reason=reason):
                found[reason].append(row.key)
            case Failed(cause=cause, message=message):
                found[f"{cause}: {message}"].append(row.key)
    return dict(found)


def _never_scored(ready: Draft) -> list[str]:
    """Metrics for which the dataset has not a single case."""
    unseen = Observation(case_id="")
    runs = [CaseRun(case, unseen) for case in ready.cases]
    return [
        key
        for key, metric in ready.metrics.items()
        if not any(
            run.case.kind in metric.spec.kinds
            and all(need.of(run) is not None for need in metric.spec.needs if need.is_of_the_case)
            for run in runs
        )
    ]
