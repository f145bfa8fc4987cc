"""Find the run that another one is compared with, and refuse what does not fit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ragproof.analysis.comparable import Obstacle, obstacles
from ragproof.core import RunHeader, RunState, UsageError
from ragproof.core.record import RunRecord
from ragproof.store.exported import read_export
from ragproof.store.listing import RunInfo
from ragproof.store.open import RunStore, open_store
from ragproof.text.files import at_home
from ragproof.wiring.looking import Kept

SUFFIXES = (".jsonl", ".db", ".sqlite", ".sqlite3")
"""What names a file; everything else without a folder is a run of the store."""
SQLITE = b"SQLite format 3\0"
REMEDIES = {
    Obstacle.DATASET: "--common-cases compares the cases that both have",
    Obstacle.JUDGE: "--allow-mixed-judges compares all the same",
    Obstacle.COUNTING: "run both with the same settings, or ask for the other k by name: "
    "`retrieval.recall_at_k: {k: 10}`",
}


@dataclass(frozen=True)
class Tolerated:
    """Differences that the user knows of."""

    mixed_judges: bool = False
    common_cases: bool = False

    @property
    def obstacles(self) -> Collection[Obstacle]:
        """What is no obstacle then."""
        judge = {Obstacle.JUDGE} if self.mixed_judges else set()
        return judge | ({Obstacle.DATASET} if self.common_cases else set())


NOTHING_TOLERATED = Tolerated()


@dataclass(frozen=True)
class Baseline:
    """A run to compare with, and what a reader must know of it."""

    record: RunRecord
    notes: tuple[str, ...] = ()


def hindrance(baseline: RunHeader, run: RunHeader, tolerated: Collection[Obstacle]) -> str | None:
    """Name every difference that forbids a comparison, and what to do; None where there is none."""
    found = [one for one in obstacles(baseline, run) if one.obstacle not in tolerated]
    if not found:
        return None
    remedies = dict.fromkeys(REMEDIES[one.obstacle] for one in found)
    return f"{'; '.join(one.text for one in found)}. {'; '.join(remedies)}"


def baseline_of(
    run: RunRecord, reference: str, store: RunStore, folder: Path, tolerated: Tolerated
) -> Baseline:
    """Read the baseline that is meant; a file's path is relative to the folder.

    Raises UsageError when there is none, when it is the run itself, or when it does not fit.
    """
    if _is_path(reference):
        return _from_file(folder / at_home(reference), run, tolerated)
    if reference == "latest":
        found = _latest(store, run.header, tolerated, before=run.header.started_at)
    else:
        found = store.find(reference, run.header.project)
    _refuse_itself(found.header, run, reference)
    return _fitting(store, found.header, run, tolerated)


def baseline_kept(run: RunRecord, kept: Kept, tolerated: Tolerated) -> Baseline:
    """Read a baseline that is found already; raises as `baseline_of` does."""
    header = kept.store.find(kept.id).header
    _refuse_itself(header, run, kept.id)
    return _fitting(kept.store, header, run, tolerated)


def _is_path(reference: str) -> bool:
    return "/" in reference or "\\" in reference or reference.endswith(SUFFIXES)


def _from_file(path: Path, run: RunRecord, tolerated: Tolerated) -> Baseline:
    try:
        with path.open("rb") as file:
            is_store = file.read(len(SQLITE)) == SQLITE
    except OSError as fault:
        raise UsageError(f"the baseline {path} cannot be read: {fault.strerror}") from None
    if not is_store:
        told = "tells neither dataset nor judge: they are taken to be those of the run"
        record = read_export(path, run)
        _refuse_itself(record.header, run, str(path))
        return Baseline(record, (f"the baseline is the file {path.name}, which {told}",))
    with open_store(path, create=False) as store:
        return _fitting(store, _latest(store, run.header, tolerated).header, run, tolerated)


def _refuse_itself(baseline: RunHeader, run: RunRecord, reference: str) -> None:
    if baseline.id == run.header.id:
        raise UsageError(
            f"the baseline {reference!r} is the run itself; name an earlier run, or `latest`"
        )


def _fitting(store: RunStore, header: RunHeader, run: RunRecord, tolerated: Tolerated) -> Baseline:
    allowed = set(tolerated.obstacles)
    if header.dataset.hash == run.header.dataset.hash:  # other cases of it, but of the same making
        allowed.add(Obstacle.DATASET)
    if why := hindrance(header, run.header, allowed):
        raise UsageError(f"the baseline {header.id} does not fit: {why}")
    record = store.record(header.id)
    notes = [one.text for one in obstacles(header, run.header)]
    if record.state is not RunState.COMPLETED:
        notes.append(f"the baseline is {record.state}")
    return Baseline(record, tuple(notes))


def _latest(
    store: RunStore, header: RunHeader, tolerated: Tolerated, before: str | None = None
) -> RunInfo:
    """The latest completed run of the project on the dataset, with all of the run's cases."""
    for info in store.runs(header.project):
        other = info.header
        same = other.dataset.hash == header.dataset.hash and (
            not other.dataset.selection or other.dataset.selection == header.dataset.selection
        )
        if (
            info.state is RunState.COMPLETED
            and other.id != header.id
            and (before is None or other.started_at < before)
            and (same or tolerated.common_cases)
        ):
            return info
    earlier = "earlier " if before else ""
    raise UsageError(
        f"{store.where} has no {earlier}completed run of project {header.project!r} on this "
        f"dataset ({header.dataset.hash[:12]}) to compare with"
    )
