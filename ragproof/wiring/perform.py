"""Carry a prepared run out and sum it up."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragproof.analysis.detail import CaseDetail
from ragproof.analysis.findings import NO_JUDGE, Findings, JudgeUse, find
from ragproof.analysis.judged import mute_judge, unjudged
from ragproof.analysis.worst import ranked
from ragproof.core import CaseRun, Cause, RunError, RunHeader, RunState
from ragproof.core.garbage import uncollected
from ragproof.core.record import RunRecord
from ragproof.engine.board import UNWATCHED, Board
from ragproof.engine.run import Ended, Run
from ragproof.engine.stop import Stop
from ragproof.reports.json import summary
from ragproof.store.open import RunStore
from ragproof.text.counting import counted
from ragproof.wiring.judging import concurrency
from ragproof.wiring.local_models import with_local_embed
from ragproof.wiring.loop import BrokenOff, carried_out
from ragproof.wiring.plan import READINGS
from ragproof.wiring.prepare import Prepared

MUTE = "the judge answered nothing"
WORST = 3
"""So many cases are shown up close."""


@dataclass
class Tally:
    """How far a run is."""

    done: int = 0
    failed: int = 0
    timeouts: int = 0
    beyond: int = 0
    """Cases for which more chunks came back than were asked for."""

    def add(self, run: CaseRun) -> None:
        """Count one more case."""
        failure = run.observation.failure
        self.done += 1
        self.failed += failure is not None
        self.timeouts += failure is not None and failure.cause is Cause.TIMEOUT


@dataclass(frozen=True)
class Outcome:
    """A run that came to its end."""

    findings: Findings
    error: RunError | None
    """What ended it before its time."""


def perform(
    prepared: Prepared,
    *,
    board: Board,
    stop: Stop,
    told: Callable[[Tally], None],
    up_close: int = WORST,
) -> Outcome:
    """Score what is missing, store the figures, and return what was found.

    `told` is called for every case that is durable. Raises StoreError when the store can no
    longer be read or written at all.
    """
    begun = _Begun(prepared, told)
    word = json.dumps({"store": prepared.store.where, "run": prepared.header.id})
    board.note(word, limit=prepared.header.settings.case_timeout_seconds)
    gc.freeze()  # what was loaded lives as long as the run: no need to look through it each time
    try:
        ended = carried_out(_scored(prepared, board, stop, begun.saved), stop)
    except BrokenOff as error:
        ended = Ended(RunState.PARTIAL, error)
    finally:
        gc.unfreeze()
    return begun.summed_up(ended, up_close)


async def perform_here(
    prepared: Prepared, *, stop: Stop, told: Callable[[Tally], None], up_close: int = WORST
) -> Outcome:
    """The same on the loop that runs, which is the caller's: it is neither closed nor listened on.

    Nobody supervises this run. Cancelled, it leaves what is saved as it is.
    """
    begun = _Begun(prepared, told)
    ended = await _scored(prepared, UNWATCHED, stop, begun.saved)
    return await asyncio.to_thread(begun.summed_up, ended, up_close)


class _Begun:
    """A run under way: counts what is saved, and sums it up in the end."""

    def __init__(self, prepared: Prepared, told: Callable[[Tally], None]) -> None:
        self._prepared, self._told, self._tally = prepared, told, _before(prepared)
        told(self._tally)

    def saved(self, run: CaseRun) -> None:
        depth = self._prepared.header.settings.depth
        self._tally.add(run)
        self._tally.beyond += len(run.observation.retrieved or ()) > depth
        self._told(self._tally)

    def summed_up(self, ended: Ended, up_close: int) -> Outcome:
        header, tally = self._prepared.header, self._tally
        warnings = [*self._prepared.draft.system.warnings]
        if tally.beyond:
            many = f"{tally.beyond:,} of {counted(tally.done, 'case')}"
            warnings.append(ignores_k(many, header.settings.depth))
        why = self._prepared.equipment.breakdown if ended.state is RunState.COMPLETED else None
        state = RunState.PARTIAL if why else ended.state
        found = close(self._prepared.store, header.id, state, warnings, up_close)
        if why and not any(one.startswith(MUTE) for one in found.warnings):
            found = replace(
                found, warnings=(f"the judge stopped answering: {why}", *found.warnings)
            )
        return Outcome(found, ended.error)


async def _scored(
    prepared: Prepared, board: Board, stop: Stop, saved: Callable[[CaseRun], None]
) -> Ended:
    try:
        return await assembled(prepared, board, stop, saved).score(prepared.draft.trials())
    finally:
        await prepared.equipment.close()


def assembled(
    prepared: Prepared, board: Board, stop: Stop, saved: Callable[[CaseRun], None]
) -> Run:
    """Put the parts of a run together."""
    draft, equipment = prepared.draft, prepared.equipment
    return Run(
        header=prepared.header,
        adapter=draft.system.adapter,
        metrics=equipment.asking(draft.metrics),
        store=prepared.store,
        readings=equipment.reading(READINGS),
        tools=replace(
            equipment.tools,
            pipeline=with_local_embed(draft.system.pipeline, draft.local),
            local=draft.local,
            corpus=draft.corpus,
            ontology=draft.ontology,
            prices=draft.prices,
        ),
        judging=concurrency(draft.config) if equipment.judged else 0,
        stop=stop,
        board=board,
        again=prepared.again,
        saved=saved,
    )


def ignores_k(where: str, depth: int) -> str:
    """Say that a pipeline gives more than it was asked for, which flatters mrr and the like."""
    return f"in {where} more than the {depth} chunks asked for came back: does the pipeline heed k?"


def _before(prepared: Prepared) -> Tally:
    """What is done already; failed trials that are made anew are not."""
    there = prepared.store.counts(prepared.header.id)
    if prepared.again:
        return Tally(done=there.total - len(prepared.again))
    return Tally(there.total, there.errors + there.timeouts, there.timeouts)


def close(
    store: RunStore,
    run_id: str,
    state: RunState,
    warnings: Sequence[str] = (),
    up_close: int = WORST,
) -> Findings:
    """Sum a run up as it stands and store the figures."""
    with uncollected():
        found = findings(store, run_id, state, warnings, up_close)
    store.finish(run_id, found.record.state, summary(found)["metrics"])
    return found


def findings(
    store: RunStore,
    run_id: str,
    state: RunState | None = None,
    warnings: Sequence[str] = (),
    up_close: int = WORST,
) -> Findings:
    """Read a run back and find what a report shows of it, the worst cases up close.

    `state` is what the run is about to be closed with; a completed run in which no case
    succeeded has failed, and one that lacks a case is not complete, whatever lost it.
    """
    record = store.record(run_id)
    if state is not None:
        record = replace(record, state=state)
    mute = mute_judge(record)
    if record.state is RunState.COMPLETED:
        if not any(case.failure is None for case in record.cases):
            record = replace(record, state=RunState.FAILED)
        elif mute is not None or len(record.cases) < record.header.trials:
            record = replace(record, state=RunState.PARTIAL)
    return find(
        record,
        details=_details(store, record, up_close),
        judge=_use(store, record),
        warnings=[*warnings, *([f"{MUTE}: {mute}"] if mute else unjudged(record))],
        worst_count=WORST,
    )


def _use(store: RunStore, record: RunRecord) -> JudgeUse:
    """What the run asked of its judge, by the store's book."""
    header = record.header
    if header.judge is None:
        return NO_JUDGE
    calls, hits, usd = store.judged(header.id)
    known = store.calibration(header.judge.removeprefix("recorded: "))
    card = tuple(one for one in known if _is_of(one, header))
    lost = store.unanswered(header.id)
    return JudgeUse(header.judge_model or header.judge, calls, hits, usd, card, lost)


def _is_of(figures: Mapping[str, Any], header: RunHeader) -> bool:
    """Whether a calibration is of what the run asks, and of the wording it asks with."""
    metric = str(figures["metric"])
    asked = [
        prompts
        for key, prompts in header.prompt_hashes.items()
        if metric == (header.metrics[key].id if key in header.metrics else key)
    ]
    return any(list(figures.get("prompts", one)) == [*one] for one in asked)


def _details(store: RunStore, record: RunRecord, up_close: int) -> dict[str, CaseDetail]:
    details = {}
    for case in ranked(record, up_close):
        saved = store.detail(record.header.id, case.id)
        if saved.run is not None:
            rows = {row.key: row.outcome for row in saved.rows}
            details[case.id] = CaseDetail(saved.run, rows)
    return details
