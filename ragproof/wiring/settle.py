"""Close a run whose process was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from ragproof.analysis.findings import Findings
from ragproof.core import (
    CaseRun,
    Cause,
    Failed,
    Finished,
    Level,
    Observation,
    RagproofError,
    Row,
    RunHeader,
    RunState,
    Tools,
    Trial,
)
from ragproof.datasets import load
from ragproof.engine.score import Scorer
from ragproof.engine.supervise import Lost
from ragproof.metrics import catalog
from ragproof.store.open import RunStore
from ragproof.wiring.perform import WORST, close


def settle(store: RunStore, run_id: str, lost: Lost, up_close: int = WORST) -> Findings:
    """Sum up what was saved; the cases that cost the process its life are failed ones.

    Were they left open, every resume would begin with them and be lost again; as failed cases
    they are counted, and `--retry-errors` tries them once the pipeline is mended.
    """
    header = store.find(run_id).header
    store.begin(header)
    if lost.of_the_pipeline:
        failure = Failed(Cause.TIMEOUT if lost.stalled else Cause.ADAPTER, lost.why)
        names = {call.case for call in lost.calls}
        asyncio.run(_save(store, header, _trials(header, names), failure))
    state = RunState.INTERRUPTED if lost.stopped else RunState.PARTIAL
    return close(store, run_id, state, up_close=up_close)


def _trials(header: RunHeader, names: set[str]) -> list[Trial]:
    """The trials of these names, as far as the dataset is still there to tell."""
    try:
        cases = load(Path(header.dataset.path)).cases
    except RagproofError:
        return []
    trials = (Trial(case, at) for at in range(header.settings.repeats) for case in cases)
    return [trial for trial in trials if trial.name in names]


async def _save(
    store: RunStore, header: RunHeader, trials: Sequence[Trial], failure: Failed
) -> None:
    saved = store.done(header.id)
    for trial in trials:
        if trial.key in saved:
            continue
        seen = Observation(case_id=trial.case.id, failure=failure)
        match = header.settings.source_match
        run = CaseRun(trial.case, seen, repeat=trial.repeat, source_match=match)
        rows = [row for key in header.metrics for row in await _rows(header, key, run, failure)]
        await store.append(header.id, [Finished(trial.case.id, rows, run=run)])


async def _rows(header: RunHeader, key: str, run: CaseRun, failure: Failed) -> list[Row]:
    declared = header.metrics[key]
    if declared.level is not Level.CASE:
        return []
    try:
        metric = catalog.build(declared.id, **declared.params)
    except RagproofError:  # a user's own, which cannot be imported from here
        return [Row(key, key, failure)]
    return await Scorer({key: metric}).outcomes(run, Tools())
