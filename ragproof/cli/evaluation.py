"""What `run`, `demo` and `report` share: evaluate, show, exit code."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from ragproof.cli import options
from ragproof.cli.child import in_child
from ragproof.cli.main import (
    EXECUTION_FAILED,
    STOPPED,
    SUCCESS,
    Process,
    drop,
    is_cut_off,
    say,
    tell,
)
from ragproof.core import RunState
from ragproof.core.garbage import uncollected
from ragproof.engine.board import Board
from ragproof.engine.stop import Stop
from ragproof.engine.supervise import Lost

if TYPE_CHECKING:
    from ragproof.analysis.findings import Findings
    from ragproof.core import RunHeader
    from ragproof.reports.progress import Progress
    from ragproof.wiring.prepare import Nothing
    from ragproof.wiring.wish import Wish

CODES = {RunState.COMPLETED: SUCCESS, RunState.INTERRUPTED: STOPPED}


@dataclass(frozen=True)
class Presentation:
    """How the result is shown."""

    as_json: bool = False
    html: Path | None = None
    """Where a report is written, too."""
    markdown: Path | None = None
    """Where a short report is written, too; instead where it is `-`, which is stdout."""
    next_steps: Sequence[str] | None = None
    """None for those that follow from the run."""
    place: str = ""
    """The options by which the next commands find the run, as `whereabouts` writes them."""

    @property
    def up_close(self) -> int:
        """How many cases are shown with question, answer and sources."""
        from ragproof.analysis.findings import LISTED
        from ragproof.wiring.perform import WORST

        return LISTED if self.html or self.markdown else WORST


def evaluate(wish: Wish, process: Process | None, show: Presentation) -> int:
    """Carry a wish out and show what was found; return the exit code."""

    def settled(lost: Lost) -> None:
        from ragproof.store.open import open_store
        from ragproof.wiring.settle import settle

        left = json.loads(lost.note)
        with open_store(left["store"], create=False) as store:
            present(settle(store, left["run"], lost, show.up_close), show, sys.stdout)

    return in_child(
        process,
        lambda board, out: carry_out(wish, board, show, out),
        as_json=show.as_json,
        lost=settled,
    )


def carry_out(
    wish: Wish,
    board: Board,
    show: Presentation,
    out: TextIO,
    check: Callable[[RunHeader], None] = lambda _: None,
) -> int:
    """Do it in this process: prepare, perform, present; return the exit code.

    `check` may refuse a new run by what its header says.
    """
    with uncollected():
        from ragproof.wiring.perform import perform
        from ragproof.wiring.prepare import Nothing, prepare

    prepared = prepare(wish, os.environ, check=check)
    if isinstance(prepared, Nothing):
        return _show_again(prepared, show, out)
    with prepared.store:
        total = len(prepared.draft.cases) * prepared.header.settings.repeats
        stop = Stop(lambda: tell("stopping: finishing the cases in hand (again: at once)"))
        with _progress(total) as progress:
            outcome = perform(
                prepared,
                board=board,
                stop=stop,
                told=lambda tally: progress.update(tally.done, tally.failed, tally.timeouts),
                up_close=show.up_close,
            )
    if outcome.error is not None:
        say(str(outcome.error), EXECUTION_FAILED)
    return present(outcome.findings, show, out)


def _progress(total: int) -> Progress:
    from ragproof.reports.progress import Progress

    if not sys.stderr.isatty():
        return Progress(total, None)
    from rich.console import Console

    return Progress(total, Console(stderr=True))


def _show_again(done: Nothing, show: Presentation, out: TextIO) -> int:
    from ragproof.wiring.perform import findings

    run_id = done.info.header.id
    tell(f"run {run_id} is done already; there is nothing to resume")
    with done.store:
        return present(findings(done.store, run_id, up_close=show.up_close), show, out)


def present(found: Findings, show: Presentation, out: TextIO) -> int:
    """Print the findings of a run as text or JSON, and write the pages that are asked for.

    Returns the exit code of a command that was to bring the run to its end. It is the run's own
    also where whoever reads the output closes it early, as `head` does: nothing is lost by that.
    """
    try:
        _present(found, show, out)
        out.flush()
    except (BrokenPipeError, SystemExit) as fault:
        if not is_cut_off(fault):
            raise
        drop(out)
    return CODES.get(found.record.state, EXECUTION_FAILED)


def _present(found: Findings, show: Presentation, out: TextIO) -> None:
    from ragproof.text.files import write_whole

    if show.html is not None:
        from ragproof.reports.html import run_html

        write_whole(show.html, run_html(found))
    if show.markdown is not None:
        from ragproof.reports.markdown import run_markdown

        if show.markdown == options.STDOUT:
            out.flush()
            out.buffer.write(run_markdown(found).encode())
        else:
            write_whole(show.markdown, run_markdown(found))
    if show.as_json:
        from ragproof.reports.json import summary_json

        out.write(summary_json(found) + "\n")
    elif show.markdown != options.STDOUT:
        from rich.console import Console

        from ragproof.reports.terminal import print_run

        steps = show.next_steps
        if steps is None:
            steps = next_steps_after(found, show.place)
        print_run(Console(file=out), found, steps)


def whereabouts(config: Path | None, store: str | None) -> str:
    """Write the options by which another command finds the same store.

    An address may hold a password, so it is not written out.

    >>> whereabouts(None, "night ly.db"), whereabouts(Path("a.yaml"), "postgresql://me@host/db")
    (" --store 'night ly.db'", ' --config a.yaml --store URL')
    """
    said = [] if config is None else ["--config", shlex.quote(str(config))]
    if store is not None:
        said += ["--store", "URL" if "://" in store else shlex.quote(store)]
    return "".join(f" {one}" for one in said)


def next_steps_after(found: Findings, place: str = "") -> list[str]:
    """What a user would do after this run, which `place` finds."""
    run_id, cases = f"{found.record.header.id}{place}", found.summary.cases
    steps = []
    if cases.missing:
        steps.append(f"go on with what is missing: ragproof run --resume {run_id}")
    elif found.record.state is RunState.PARTIAL:
        steps.append(f"have what the judge left open judged: ragproof run --resume {run_id}")
    is_recorded = found.record.header.adapter.type == "recorded"
    failed = 0 if is_recorded else cases.errors + cases.timeouts  # a record stays what it is
    if failed or any(line.error_reasons for line in found.summary.lines):
        steps.append(f"try failed cases again: ragproof run --resume {run_id} --retry-errors")
    if is_recorded and any(case.asked_at is not None for case in found.record.cases):
        steps.append(f"see the traffic by windows of time: ragproof monitor report {run_id}")
    steps.append(f"look at every case: ragproof report {run_id} --html report.html")
    if lines := [line for line in found.summary.lines if line.mean is not None]:
        steps.append(f"what a figure means: ragproof metrics {lines[0].column.declared.id}")
    return steps
