"""Open a store: a file or a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from ragproof.core import CaseRun, Finished, Json, Level, Reply, RunHeader, RunState, UsageError
from ragproof.core.record import RunRecord
from ragproof.store import calibrations, listing, reading, saving
from ragproof.store.backend import Backend, open_database, open_file
from ragproof.store.faults import explaining
from ragproof.store.listing import CaseCounts, RunInfo
from ragproof.store.replies import (
    FreeReplies,
    KeptReplies,
    counted,
    recorded,
    replies_a_score,
    sized_by,
    sizes,
    spent,
)
from ragproof.store.writer import Writer


def open_store(where: str | Path, *, create: bool = True) -> RunStore:
    """Open the store at a path or a `postgresql://` URL, making it if need be.

    With `create=False`, for those who only read, a store that is not there is a UsageError. What
    is no store of ours, damaged, out of reach or of a newer version is a StoreError.
    """
    if isinstance(where, str) and "://" in where:
        return RunStore(open_database(where, create=create))
    return RunStore(open_file(Path(where), create=create))


class RunStore:
    """Runs at rest. Any number of processes may read and write at once, one writing each run."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._writer = Writer(backend)

    @property
    def where(self) -> str:
        """Path or URL, as it may be shown."""
        return self._backend.where

    def __enter__(self) -> RunStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Save what waits to be saved, free the runs being written, close connections."""
        self._writer.close()
        self._backend.close()

    # Writing

    def check_writable(self) -> None:
        """Raise StoreError if nothing can be saved here."""
        with (
            explaining(self.where),
            self._backend.connect_writer() as connection,
            connection.begin(),
        ):
            saving.write_nothing(connection)

    def begin(self, header: RunHeader, /) -> None:
        """Open a run, or open it again, and become its only writer.

        A run that is there keeps the header it began with. Raises RunError when another process
        is writing it. Whoever dies ceases to be the writer.
        """
        self._writer.begin(header)

    def append(self, run_id: str, batch: Sequence[Finished], /) -> Coroutine[Any, Any, None]:
        """Save finished subjects; return once they are durable. May be awaited by many.

        Raises StoreError when they could not be saved; nothing can be saved then any more, and
        nothing that was saved is harmed.
        """
        return self._writer.append(run_id, batch)

    def replies(self, run_id: str, fingerprint: str, /, *, lookup: bool = True) -> KeptReplies:
        """The replies of a judge, and the book of its calls for a run that is open for writing."""
        return KeptReplies(self._backend, self._writer, run_id, fingerprint, lookup=lookup)

    def free_replies(
        self, fingerprint: str, /, *, lookup: bool = True, spent: float = 0.0
    ) -> FreeReplies:
        """The replies of a judge that is asked outside a run."""
        return FreeReplies(self._backend, self._writer, fingerprint, lookup=lookup, spent=spent)

    def keep_calibration(self, judge: str, found: Sequence[Mapping[str, Json]], /) -> None:
        """Keep what a judge was found to be worth, in place of what was known of it."""
        backend = self._backend
        with explaining(backend.where), backend.connect_writer() as writer, writer.begin():
            calibrations.keep(writer, judge, found)

    def calibration(self, judge: str, /) -> list[dict[str, Any]]:
        """What is known of a judge: one mapping of figures a metric and condition."""
        with self._backend.reading() as connection:
            return calibrations.kept(connection, judge)

    def finish(
        self, run_id: str, state: RunState, summaries: Mapping[str, Mapping[str, Json]], /
    ) -> None:
        """Close a run, with the figures of each metric key."""
        self._writer.finish(run_id, state, summaries)

    # Reading one run

    def done(self, run_id: str, /) -> set[tuple[str, int]]:
        """Case id and repeat of the trials already saved."""
        with self._backend.reading() as connection:
            return reading.trials(connection, reading.run_key(connection, run_id))

    def failed(self, run_id: str, /) -> set[tuple[str, int]]:
        """Those of them on which the pipeline or any metric failed."""
        with self._backend.reading() as connection:
            return reading.trials(connection, reading.run_key(connection, run_id), failed=True)

    def unjudged(self, run_id: str, /) -> set[tuple[str, int]]:
        """Those of them on which the judge failed a metric."""
        with self._backend.reading() as connection:
            return reading.unjudged(connection, reading.run_key(connection, run_id))

    def waiting(self, run_id: str, /) -> set[tuple[str, int]]:
        """Trials that were observed and set aside, to be scored later."""
        with self._backend.reading() as connection:
            run = reading.run_key(connection, run_id)
            return reading.trials(connection, run, level=Level.ASIDE)

    def observed(self, run_id: str, trial: tuple[str, int], /) -> CaseRun | None:
        """What the pipeline did on a trial, set aside or saved; None if nothing, or a failure."""
        with self._backend.reading() as connection:
            return reading.observed(connection, reading.run_key(connection, run_id), trial)

    def case_runs(self, run_id: str, /) -> Iterator[CaseRun]:
        """The saved case runs in order of case id and repeat, few in memory at a time."""
        after = ("", -1)
        while True:
            with self._backend.reading() as connection:
                page = reading.page(connection, reading.run_key(connection, run_id), after)
            if not page:
                return
            after = page[-1][0]
            for _, run in page:
                yield run

    def saved(self, run_id: str, /) -> Iterator[Finished]:
        """All that was saved: cases, then groups, then sets, by name and repeat; few in memory."""
        after = ("", "", -1)
        while True:
            with self._backend.reading() as connection:
                run = reading.run_key(connection, run_id)
                page = reading.saved_page(connection, run, after)
            if not page:
                return
            after = page[-1][0]
            for _, one in page:
                yield one

    def detail(
        self, run_id: str, subject: str, /, repeat: int = 0, level: Level = Level.CASE
    ) -> Finished:
        """One case, group or set as it was saved: observation, outcomes, evidence and replies."""
        with self._backend.reading() as connection:
            run = reading.run_key(connection, run_id)
            found = reading.detail(connection, run, subject, repeat, level)
        if found is None:
            raise UsageError(f"There is no {level} {subject!r} (repeat {repeat}) in run {run_id!r}")
        return found

    def record(self, run_id: str, /) -> RunRecord:
        """The whole run in columns, for analysis."""
        with self._backend.reading() as connection:
            info = listing.found(connection, self._backend.locks, run_id, None)
            return reading.record(connection, reading.run_key(connection, run_id), info.state)

    def is_of_traffic(self, run_id: str, /) -> bool:
        """Whether any of its cases is of the split `monitoring` and says when it was asked."""
        with self._backend.reading() as connection:
            return reading.is_of_traffic(connection, reading.run_key(connection, run_id))

    def summaries(self, run_id: str, /) -> Mapping[str, Mapping[str, Json]]:
        """The figures that were stored when the run was finished, by metric key."""
        with self._backend.reading() as connection:
            return reading.figures(connection, reading.run_key(connection, run_id))

    def recorded(self, run_id: str, /) -> tuple[str, dict[str, Reply], frozenset[str]]:
        """Fingerprint of a run's judge, its replies by key, and the prompts it was asked."""
        with self._backend.reading() as connection:
            return recorded(connection, reading.run_key(connection, run_id))

    def sizes(self, fingerprint: str, prompts: Sequence[str], /) -> list[Reply]:
        """Replies of a judge to these prompts, from any run: what they tell is their size."""
        with self._backend.reading() as connection:
            return sizes(connection, fingerprint, prompts)

    def sized_by(self, fingerprint: str, prompts: Sequence[str], /) -> list[tuple[str, str | None]]:
        """Id and label of the runs whose replies these are, the newest first."""
        with self._backend.reading() as connection:
            return sized_by(connection, fingerprint, prompts)

    def replies_a_score(self, fingerprint: str, name: str, /) -> float:
        """How many replies of a judge a score of a metric or a reading took in its newest runs."""
        with self._backend.reading() as connection:
            return replies_a_score(connection, fingerprint, name)

    def judged(self, run_id: str, /) -> tuple[int, int, float | None]:
        """Calls that a run made of its judge, replies it was spared, and the cost of the calls."""
        with self._backend.reading() as connection:
            return counted(connection, reading.run_key(connection, run_id))

    def spent(self, run_id: str, /) -> float:
        """USD of a run so far: what was paid and what may have been paid."""
        with self._backend.reading() as connection:
            return spent(connection, reading.run_key(connection, run_id))

    def unanswered(self, run_id: str, /) -> float:
        """The part of it for calls that brought no reply: the most that they may have cost."""
        with self._backend.reading() as connection:
            return spent(connection, reading.run_key(connection, run_id), unanswered=True)

    def counts(self, run_id: str, /) -> CaseCounts:
        """How many trials are saved, and how their observation went."""
        with self._backend.reading() as connection:
            return listing.counts(connection, reading.run_key(connection, run_id))

    # Reading of runs

    def runs(self, project: str | None = None) -> list[RunInfo]:
        """The runs of a project, or all; the newest start first."""
        with self._backend.reading() as connection:
            return listing.listed(connection, self._backend.locks, project)

    def find(self, reference: str, project: str | None = None) -> RunInfo:
        """The run meant by an id, its beginning, a label, `latest` or `latest~N`.

        Raises UsageError that says what there is, when none is meant or several.
        """
        with self._backend.reading() as connection:
            return listing.found(connection, self._backend.locks, reference, project)
