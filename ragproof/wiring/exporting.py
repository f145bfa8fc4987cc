"""Write a run to files that other programs read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ragproof.core import Finished, RunHeader, UsageError
from ragproof.reports.recording import recorded_line
from ragproof.reports.table_files import FORMATS, Cells, refuse_missing, rows
from ragproof.store.open import RunStore
from ragproof.text.files import whole


@dataclass
class Exported:
    """How much was written."""

    rows: int = 0
    observations: int = 0
    repeats: int = 0
    """Observations left out: a recorded file has one line a case, that of the first trial."""


def export(
    store: RunStore, header: RunHeader, form: str, path: Path, observations: Path | None
) -> Exported:
    """Write the table of outcomes and, where a path is given, the observations, few in memory.

    Raises UsageError for a format whose package is missing, RunError for a file that cannot be
    written: then neither file is there.
    """
    if observations is not None and observations.resolve() == path.resolve():
        raise UsageError(f"{path}: the table and the observations cannot be one file")
    refuse_missing(form)
    done = Exported()
    with ExitStack() as files:
        table = files.enter_context(whole(path))
        lines = files.enter_context(whole(observations)) if observations else None
        saved = _noted(store.saved(header.id), lines, done)
        FORMATS[form](_counted(rows(header, saved), done), table)
    return done


def _noted(saved: Iterable[Finished], lines: BinaryIO | None, done: Exported) -> Iterator[Finished]:
    """Write down the observation of each case on its way through."""
    for one in saved:
        if lines is not None and one.run is not None:
            if one.run.repeat == 0:
                lines.write(f"{recorded_line(one.run.observation)}\n".encode())
                done.observations += 1
            else:
                done.repeats += 1
        yield one


def _counted(table: Iterable[Cells], done: Exported) -> Iterator[Cells]:
    for cells in table:
        done.rows += 1
        yield cells
