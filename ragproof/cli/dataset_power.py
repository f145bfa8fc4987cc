"""ragproof dataset power"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.wiring.dataset_power import Power, PowerRequest

INNER = options.FiniteRange(0, 1, min_open=True, max_open=True)


@click.command()
@click.argument("dataset", type=shared.FILE, required=False)
@click.option("--run", metavar="RUN", help="A baseline whose scores tell the spread.")
@click.option("--against", metavar="RUN", help="A second run: the spread of paired differences.")
@click.option("--metric", metavar="ID", help="Which metric of the run.")
@click.option("--rate", type=INNER, metavar="P", help="Without a run: the share expected.")
@click.option(
    "--effect",
    type=options.FiniteRange(0, min_open=True),
    default=0.05,
    metavar="X",
    help="The change to be seen [default: 0.05].",
)
@click.option("--power", type=INNER, default=0.8, metavar="P", help="[default: 0.8]")
@click.option("--alpha", type=INNER, default=0.05, metavar="P", help="[default: 0.05]")
@click.option(
    "--correlation",
    type=options.FiniteRange(-1, 1, max_open=True),
    default=0.5,
    metavar="R",
    help="Of two runs' scores, where no second run tells it [default: 0.5].",
)
@click.option(
    "--looks", type=click.IntRange(1, 20), default=1, metavar="N", help="Tests on the way."
)
@click.option(
    "--spending",
    type=click.Choice(["obrien-fleming", "pocock"]),
    default="obrien-fleming",
    help="How looks share the significance level [default: obrien-fleming].",
)
@options.config
@options.store
@options.as_json
def command(*, spending: str, as_json: bool, **said: Any) -> None:  # noqa: ANN401
    """Say how many cases a change needs, and what change the cases at hand can show.

    For the paired t-test, two-sided. The spread comes from a --run and a second --against it, or
    from an assumed --rate, for which DATASET says how many cases there are.
    """
    from ragproof.analysis.sample_size import Spending
    from ragproof.wiring.dataset_power import PowerRequest, powered

    request = PowerRequest(spending=Spending(spending), **said)
    found = powered(request, os.environ)
    if as_json:
        click.echo(json.dumps(_document(request, found), indent=2))
    else:
        _show(request, found)


def _document(request: PowerRequest, found: Power) -> dict[str, Any]:
    spread = found.spread
    return {
        "effect": request.effect,
        "power": request.power,
        "alpha": request.alpha,
        "spread": {
            "standard_deviation_of_differences": spread.deviation,
            "standard_deviation": spread.single,
            "mean": spread.mean,
            "source": spread.source,
        },
        "at_hand": {
            "cases": spread.cases,
            "units": spread.units,
            "power": found.chance,
            "detectable": found.detectable,
            "half_width95": found.half_width,
        },
        "needed": {"cases": found.cases_needed, "units": found.units_needed},
        "looks": None
        if found.plan is None
        else {
            "spending": request.spending,
            "inflation": found.plan.inflation,
            "plan": [
                {
                    "share": look.share,
                    "cases": cases,
                    "z": look.boundary,
                    "p_value": look.p_value,
                    "alpha_spent": look.spent,
                }
                for look, cases in zip(found.plan.looks, found.looks_cases, strict=True)
            ],
        },
    }


def _show(request: PowerRequest, found: Power) -> None:
    from rich.console import Console

    from ragproof.reports.page import Page

    page, spread = Page(Console()), found.spread
    page.entry("spread    ", spread.source, label_style="dim")
    page.entry("          ", f"standard deviation of a difference: {spread.deviation:.4g}")
    if found.cases_needed is None:
        told = f"no practical number shows a change of {request.effect:g}"
    else:
        told = f"{found.cases_needed:,} cases show a change of {request.effect:g}"
        if found.units_needed != found.cases_needed:
            told += f" ({found.units_needed:,} independent groups)"
    page.entry("needed    ", f"{told} with {request.power:.0%} power at {request.alpha:g}", "bold")
    if spread.units is not None and found.chance is not None:
        groups = f" in {spread.units:,} groups" if spread.units != spread.cases else ""
        least = "nothing" if found.detectable is None else f"{found.detectable:.4g}"
        page.entry(
            "at hand   ",
            f"{spread.cases:,} cases{groups}: they show {request.effect:g} with a chance "
            f"of {found.chance:.0%}, and {least} with {request.power:.0%}; a single "
            f"figure is known to ±{found.half_width:.3g}",
            label_style="dim",
        )
    if found.plan is not None:
        page.heading(f"{counted(len(found.plan.looks), 'look')}, {request.spending} spending")
        rows = [
            (f"  {cases:,}", f"{look.boundary:.3f}", f"{look.p_value:.5f}", f"{look.spent:.5f}")
            for look, cases in zip(found.plan.looks, found.looks_cases, strict=True)
        ]
        titles = ("  cases in", "stop at |z|", "p below", "alpha spent")
        widths = page.fitted([titles, *rows])
        page.cells([(one, "dim") for one in titles], widths)
        for row in rows:
            page.cells([(one, "") for one in row], widths)
        page.line(f"needs {found.plan.inflation:.3f} times the cases of a single look", "dim")
