"""Take trials through the pipeline, the readings and the metrics into the store."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from ragproof.core import (
    Adapter,
    CaseRun,
    Finished,
    Level,
    Metric,
    OverBudget,
    Reading,
    Row,
    RunError,
    RunHeader,
    RunState,
    Store,
    Tools,
    Trial,
    calling,
)
from ragproof.engine.board import UNWATCHED, Board
from ragproof.engine.gather import Gathering
from ragproof.engine.observe import Observer
from ragproof.engine.presence import Presence
from ragproof.engine.score import Scorer, read
from ragproof.engine.slots import Slots
from ragproof.engine.stop import Stop

NO_TOOLS = Tools()


def nobody(_: CaseRun, /) -> None:
    """Listen to nothing."""


@dataclass(frozen=True)
class Ended:
    """How a run came to its end."""

    state: RunState
    error: RunError | None = None
    """What ended it before its time."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run: its parts, and the one operation, subject in, outcomes out.

    Every variant (repeats, perturbations, sweeps) is another list of trials. The store must
    have been opened for the header's run.
    """

    header: RunHeader
    adapter: Adapter
    metrics: Mapping[str, Metric[Any]]
    store: Store
    readings: Sequence[Reading[Any]] = ()
    tools: Tools = NO_TOOLS
    stop: Stop
    board: Board = UNWATCHED
    judging: int = 0
    """Calls of the judge that may be out at once; so many more cases may be in hand."""
    again: AbstractSet[tuple[str, int]] = frozenset()
    """Trials to be made anew although the store holds them."""
    saved: Callable[[CaseRun], None] = nobody
    """Told of every case once it is durable."""

    async def score(self, trials: Iterable[Trial]) -> Ended:
        """Score every trial that the store does not hold yet, then the groups and sets."""
        done = self.store.done(self.header.id) - self.again
        todo = (trial for trial in trials if trial.key not in done)
        try:
            error = await self.cases(todo)
            if error is None and not self.stop.asked:
                error = await self._further()
        finally:
            await self.adapter.close()
        return Ended(self._state(error), error)

    def _state(self, error: RunError | None) -> RunState:
        match error:
            case OverBudget():
                return RunState.OVER_BUDGET
            case RunError():
                return RunState.PARTIAL
            case _:
                return RunState.INTERRUPTED if self.stop.asked else RunState.COMPLETED

    async def cases(self, todo: Iterator[Trial]) -> RunError | None:
        """Work through the trials with more workers than may call the pipeline at once.

        So one that waits, for the judge or for the store, keeps no other from being asked.
        """
        at_once = self.header.settings.concurrency
        observer = Observer(self.adapter, self.header.settings.case_timeout_seconds)
        slots, known = Slots(at_once), self.store.waiting(self.header.id) | self.again
        asked, scorer = wanted(self.readings, self.metrics), Scorer(self.metrics)
        errors: list[RunError] = []

        async def work(place: int) -> None:
            calling.set(lambda: self.board.in_thread(place))
            tools = Presence(self.board, place).told_by(self.tools)
            try:
                for trial in todo:
                    async with slots:
                        if self.stop.asked or errors:
                            return
                        self.board.enter(place, trial.name)
                        seen = self._known(trial, known) or await self._observed(trial, observer)
                    finished = await self._finished(seen, asked, scorer, tools)
                    self.board.leave(place)
                    await self.store.append(self.header.id, [finished])
                    self.saved(finished.run or seen)
            except RunError as error:  # the others finish what they have in hand
                errors.append(error)
                self.board.leave(place)  # the summing up is no stall of its call
            except asyncio.CancelledError:
                if not self.stop.asked:  # else it was wished a second time
                    errors.append(_cancelled(trial))

        workers = [asyncio.create_task(work(place)) for place in range(2 * at_once + self.judging)]
        beats = asyncio.create_task(self.board.beating())
        self.stop.on_hurry(lambda: [worker.cancel() for worker in workers])
        try:
            await _joined(workers)
        finally:
            beats.cancel()
        return errors[0] if errors else None

    async def _finished(
        self, seen: CaseRun, asked: Sequence[Reading[Any]], scorer: Scorer, tools: Tools
    ) -> Finished:
        """Score what was observed. What the judge cannot be asked for now is set aside."""
        try:
            known, replies = await read(seen, asked, tools) if asked else (seen, [])
            rows = await scorer.outcomes(known, tools)
        except RunError:  # such as the budget: the pipeline need not be asked again
            aside = Finished(seen.case.id, (), Level.ASIDE, seen)
            await self.store.append(self.header.id, [aside])
            raise
        return Finished(seen.case.id, rows, run=known, replies=replies)

    def _known(self, trial: Trial, known: AbstractSet[tuple[str, int]]) -> CaseRun | None:
        """What the pipeline did before, where only the scores are missing."""
        if trial.key not in known:
            return None
        if (before := self.store.observed(self.header.id, trial.key)) is None:
            return None
        match = self.header.settings.source_match
        return CaseRun(trial.case, before.observation, repeat=trial.repeat, source_match=match)

    async def _observed(self, trial: Trial, observer: Observer) -> CaseRun:
        seen = await observer.observe(trial.case)
        match = self.header.settings.source_match
        return CaseRun(trial.case, seen, repeat=trial.repeat, source_match=match)

    async def _further(self) -> RunError | None:
        """Score groups and sets: the same operation over what the store holds."""
        wide = {key: one for key, one in self.metrics.items() if one.subject is not CaseRun}
        if not wide:
            return None
        heaps = {key: Gathering(metric) for key, metric in wide.items()}
        scorers = {key: Scorer({key: metric}) for key, metric in wide.items()}
        for seen in self.store.case_runs(self.header.id):
            for heap in heaps.values():
                heap.add(seen)
        rows: dict[tuple[str, Level], list[Row]] = defaultdict(list)
        try:
            for key, metric in wide.items():
                for name, subject in heaps[key].subjects().items():
                    rows[name, metric.level] += await scorers[key].outcomes(subject, self.tools)
            batch = [Finished(name, found, level) for (name, level), found in rows.items()]
            await self.store.append(self.header.id, batch)
        except RunError as error:
            return error
        return None


async def _joined(workers: Iterable[asyncio.Task[None]]) -> None:
    """Wait for all, then raise what one of them raised; one that was cancelled unbegun may be."""
    for result in await asyncio.gather(*workers, return_exceptions=True):
        if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
            raise result


def _cancelled(trial: Trial) -> RunError:
    return RunError(
        f"something that was called for the case {trial.name!r} cancelled the task that it ran in; "
        "mend that, then resume the run"
    )


def wanted(
    readings: Iterable[Reading[Any]], metrics: Mapping[str, Metric[Any]]
) -> list[Reading[Any]]:
    """The readings that some metric of the run needs or uses."""
    specs = [metric.spec for metric in metrics.values()]
    return [one for one in readings if any(spec.reads(one.need) for spec in specs)]
