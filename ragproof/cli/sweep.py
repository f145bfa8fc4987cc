"""ragproof sweep"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from ragproof.cli import options
from ragproof.cli.main import (
    EXECUTION_FAILED,
    NOT_MET,
    STOPPED,
    SUCCESS,
    WRONG_INPUT,
    Process,
    exit_code,
    say,
    tell,
)
from ragproof.core import RunState

if TYPE_CHECKING:
    from ragproof.analysis.sweep import Study
    from ragproof.engine.board import Board
    from ragproof.engine.supervise import Lost
    from ragproof.wiring.sweeping import Sweep


LOADED_ONCE = ("ragproof.wiring.perform", "ragproof.reports.progress", "ragproof.reports.terminal")
"""What each point needs, loaded here and not again in every process."""


@dataclass(frozen=True)
class Pages:
    """How the result is shown."""

    as_json: bool
    markdown: Path | None
    html: Path | None
    strict: bool


@click.command()
@options.config
@options.store
@options.dataset
@click.option("--resume", is_flag=True, help="Go on with the newest sweep of this name.")
@click.option("--show", is_flag=True, help="Show the newest sweep of this name; run nothing.")
@click.option("--plan", is_flag=True, help="Only say points, cases and what the judge will cost.")
@options.evaluation
@click.option("--strict", is_flag=True, help="Exit with 1 where the rule cannot choose.")
@options.markdown
@click.option("--html", type=click.Path(path_type=Path), help="Write a page with charts.")
@options.as_json
@click.pass_obj
def command(
    process: Process | None,
    /,
    *,
    resume: bool,
    show: bool,
    plan: bool,
    strict: bool,
    markdown: Path | None,
    html: Path | None,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """Compare combinations of adapter parameters on one dataset, and choose by a rule.

    What varies, and the rule, stand in the section `sweep` of the config; the split `release` is
    not to be tuned on. Each combination is an ordinary run: after any stop, `ragproof sweep
    --resume` goes on with what is missing.
    """
    from ragproof.wiring.sweeping import begin, earlier
    from ragproof.wiring.wish import Wish

    wish = Wish(**said)
    if wish.retry_errors and not resume:
        raise click.UsageError("--retry-errors goes with --resume, whose failed cases it tries")
    if show and (resume or plan):
        raise click.UsageError("--show runs and plans nothing; leave --resume and --plan out")
    options.refuse_two_on_stdout({"markdown": markdown, "html": html}, as_json=as_json)
    pages = Pages(as_json, markdown, html, strict)
    sweep = earlier(wish, os.environ) if show else begin(wish, os.environ, resume=resume)
    if strict and sweep.section.select is None:
        raise click.UsageError("--strict is about the rule in sweep.select, and there is none")
    if plan:
        return _plan(sweep, process, as_json=as_json)
    code = SUCCESS if show else _run(sweep, process)
    if code == WRONG_INPUT:
        return code
    if code and not as_json and all(sweep.state(at) is None for at in range(len(sweep.points))):
        return say("no point could begin; there is nothing to compare", code)
    return _present(sweep, pages, code)


def _run(sweep: Sweep, process: Process | None) -> int:
    """Run the points that are not done, one after the other, each in a process of its own."""
    todo = sweep.todo(retry_errors=sweep.wish.retry_errors)
    for module in LOADED_ONCE if todo else ():
        import_module(module)
    worst = SUCCESS
    for place, at in enumerate(todo, 1):
        name = sweep.point_name(at)
        if sys.stderr.isatty():
            tell(f"point {place} of {len(todo)}: {name}")
        limit = sweep.config.max_cost_usd
        if place > 1 and limit is not None and (spent := sweep.spent()) >= limit > 0:
            return say(_over_budget(name, spent, limit), EXECUTION_FAILED)
        code = _point(sweep, at, process)
        if code == SUCCESS:
            continue
        if code in (WRONG_INPUT, STOPPED):
            begun = sweep.state(at) is not None or place > 1
            go_on = "; go on: ragproof sweep --resume" if begun else ""
            return say(f"the sweep stopped at {name}{go_on}", code)
        if sweep.state(at) is RunState.OVER_BUDGET:
            return say(_over_budget(name, sweep.spent(), limit or 0.0), EXECUTION_FAILED)
        worst = say(f"{name}: this point did not come to its end", code)
    return worst


def _over_budget(name: str, spent: float, limit: float) -> str:
    return (
        f"the sweep stopped at {name}: ${spent:.6f} of the budget of ${limit:.6f} for all points "
        "is spent; raise RAGPROOF_MAX_COST_USD (max_cost_usd), then: ragproof sweep --resume"
    )


def _point(sweep: Sweep, at: int, process: Process | None) -> int:
    """Run one point and show nothing of it; return the exit code that its run has."""
    from ragproof.cli.child import in_child
    from ragproof.cli.evaluation import Presentation, carry_out

    wish = sweep.wish_for(at)

    def work(board: Board, _out: TextIO) -> int:
        with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
            return carry_out(wish, board, Presentation(as_json=True), nowhere, sweep.check)

    return exit_code(lambda: in_child(process, work, as_json=False, lost=_settled))


def _settled(lost: Lost) -> None:
    from ragproof.store.open import open_store
    from ragproof.wiring.settle import settle

    left = json.loads(lost.note)
    with open_store(left["store"], create=False) as store:
        settle(store, left["run"], lost)


def _plan(sweep: Sweep, process: Process | None, *, as_json: bool) -> int:
    """Print points, cases and calls; the first point that is not done is loaded for it."""
    from ragproof.cli.child import in_child

    def work(_board: Board, out: TextIO) -> int:
        from rich.console import Console

        from ragproof.reports.sweep_plan import plan_json, print_sweep_plan
        from ragproof.wiring.sweep_plan import planned

        told = planned(sweep, os.environ)
        if as_json:
            out.write(plan_json(told) + "\n")
        else:
            print_sweep_plan(Console(file=out), told)
        return SUCCESS

    return in_child(process, work, as_json=as_json)


def _present(sweep: Sweep, pages: Pages, code: int) -> int:
    """Print what the runs show, write the pages that are asked for; return the exit code."""
    from rich.console import Console

    from ragproof.cli.evaluation import whereabouts
    from ragproof.reports.sweep_json import sweep_json
    from ragproof.reports.sweep_terminal import print_sweep
    from ragproof.wiring.sweeping import found

    study = found(sweep)
    if pages.markdown is not None:
        from ragproof.reports.sweep_markdown import sweep_markdown

        options.put(pages.markdown, sweep_markdown(study))
    if pages.html is not None:
        from ragproof.reports.sweep_html import sweep_html

        options.put(pages.html, sweep_html(study))
    if pages.as_json:
        click.echo(sweep_json(study, sweep.id))
    elif options.STDOUT not in (pages.markdown, pages.html):
        print_sweep(
            Console(), study, _next_steps(study, whereabouts(sweep.wish.config, sweep.wish.store))
        )
    undecided = study.choice is not None and study.choice.chosen is None
    return code or (NOT_MET if pages.strict and undecided else SUCCESS)


def _next_steps(study: Study, place: str) -> list[str]:
    """What a user would do after this sweep, which `place` finds."""
    steps = []
    if not study.completed:
        steps.append(f"go on with what is missing: ragproof sweep --resume{place}")
    best = study.reference if study.choice is None else study.choice.chosen
    if best is not None and (record := study.points[best].record) is not None:
        steps.append(
            f"look at its cases: ragproof report {record.header.id}{place} --html report.html"
        )
    return steps
