"""A store that forgets; for tests and dry runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ragproof.core import CaseRun, Finished, Json, Level, RunHeader, RunState
from ragproof.core.record import CaseRow, RunRecord
from ragproof.store.columns import Heap, result


class MemoryStore:
    """Keeps runs in a dict."""

    def __init__(self) -> None:
        self._headers: dict[str, RunHeader] = {}
        self._saved: dict[str, dict[tuple[Level, str, int], Finished]] = {}
        self._summaries: dict[str, Mapping[str, Mapping[str, Json]]] = {}
        self.states: dict[str, RunState] = {}

    def begin(self, header: RunHeader, /) -> None:
        """Open a run, or open it again."""
        self._headers.setdefault(header.id, header)
        self._saved.setdefault(header.id, {})
        self._summaries[header.id] = {}
        self.states[header.id] = RunState.RUNNING

    async def append(self, run_id: str, batch: Sequence[Finished], /) -> None:
        """Save finished subjects."""
        for one in batch:
            repeat = one.run.repeat if one.run else 0
            if one.level is Level.CASE:
                self._saved[run_id].pop((Level.ASIDE, one.subject, repeat), None)
            self._saved[run_id][one.level, one.subject, repeat] = one

    def finish(
        self, run_id: str, state: RunState, summaries: Mapping[str, Mapping[str, Json]], /
    ) -> None:
        """Close a run."""
        self.states[run_id] = state
        self._summaries[run_id] = summaries

    def done(self, run_id: str, /) -> set[tuple[str, int]]:
        """Trials already saved."""
        return {(name, repeat) for level, name, repeat in self._saved[run_id] if level == "case"}

    def waiting(self, run_id: str, /) -> set[tuple[str, int]]:
        """Trials that were observed and set aside."""
        return {(name, repeat) for level, name, repeat in self._saved[run_id] if level == "aside"}

    def observed(self, run_id: str, trial: tuple[str, int], /) -> CaseRun | None:
        """What the pipeline did on a trial; None if nothing, or a failure."""
        found = (self._saved[run_id].get((level, *trial)) for level in (Level.ASIDE, Level.CASE))
        runs = (one.run for one in found if one is not None and one.run is not None)
        return next((run for run in runs if run.observation.failure is None), None)

    def case_runs(self, run_id: str, /) -> Iterator[CaseRun]:
        """The saved case runs in order of case id and repeat."""
        found = sorted(self._scored(run_id).items(), key=_name)
        return (one.run for _, one in found if one.run)

    def saved(self, run_id: str, /) -> Iterator[Finished]:
        """All that was saved, by level, name and repeat."""
        return (one for _, one in sorted(self._scored(run_id).items(), key=lambda item: item[0]))

    def finished(
        self, run_id: str, subject: str, /, repeat: int = 0, level: Level = Level.CASE
    ) -> Finished:
        """One subject as it was saved."""
        return self._saved[run_id][level, subject, repeat]

    detail = finished

    def summaries(self, run_id: str, /) -> Mapping[str, Mapping[str, Json]]:
        """The figures of the finished run."""
        return self._summaries[run_id]

    def record(self, run_id: str, /) -> RunRecord:
        """A whole run, a column a metric."""
        header = self._headers[run_id]
        saved = [one for _, one in sorted(self._scored(run_id).items(), key=_name)]
        cases = [one for one in saved if one.level is Level.CASE]
        others = [one for one in saved if one.level is not Level.CASE]
        keys: dict[tuple[str, str], int] = {}
        heap = Heap()
        for number, one in enumerate([*cases, *others]):
            rows = ((keys.setdefault((row.key, row.metric), len(keys)), row) for row in one.rows)
            heap.add([result(number, key, row.outcome, applies=row.applies) for key, row in rows])
        place = np.array([*range(len(cases)), *range(len(others))], np.int32)
        columns = heap.columns(
            header.metrics, list(keys), place, len(cases), [one.subject for one in others]
        )
        table = tuple(_case_row(one.run) for one in cases if one.run)
        return RunRecord(header, self.states[run_id], table, columns)

    def _scored(self, run_id: str) -> dict[tuple[Level, str, int], Finished]:
        """What is not set aside."""
        saved = self._saved[run_id].items()
        return {key: one for key, one in saved if one.level is not Level.ASIDE}


def _name(item: tuple[tuple[Level, str, int], Finished]) -> tuple[str, int]:
    (_, subject, repeat), _ = item
    return subject, repeat


def _case_row(run: CaseRun) -> CaseRow:
    case, seen = run.case, run.observation
    about = (case.kind, case.slices, case.group, seen.failure, seen.asked_at)
    return CaseRow(case.id, run.repeat, *about)
