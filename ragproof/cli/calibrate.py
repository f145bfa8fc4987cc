"""ragproof calibrate"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import options
from ragproof.cli.main import NOT_MET, SUCCESS

if TYPE_CHECKING:
    from ragproof.reports.calibration import Asked
    from ragproof.wiring.calibrating import Calibration, Measuring, Other
    from ragproof.wiring.schema import Config


@dataclass(frozen=True, kw_only=True)
class _Least:
    """The agreement that is asked for, and how it is shown."""

    exact: float
    within: float
    as_json: bool


@click.command()
@options.config
@options.store
@click.option(
    "--min-exact",
    type=options.FiniteRange(0, 1),
    default=0.70,
    metavar="X",
    help="Least share in the same band as people [default: 0.70].",
)
@click.option(
    "--min-within",
    type=options.FiniteRange(0, 1),
    default=0.90,
    metavar="X",
    help="Least share at most one band apart [default: 0.90].",
)
@click.option("--labels", type=click.Path(path_type=Path), help="Your own labels (JSONL).")
@click.option("--metric", "metrics", multiple=True, metavar="ID", help="Only this; repeatable.")
@click.option("--claims", is_flag=True, help="Score the claims people found, one by one.")
@click.option("--run", metavar="RUN", help="Labels name cases of this run; find a threshold.")
@click.option(
    "--answers",
    nargs=2,
    metavar="RUN RUN",
    help="Runs of questions on reference and on parsed texts: what does misreading cost them?",
)
@click.option("--quality", metavar="ID", help="With it: how answers are scored.")
@click.option(
    "--allowed",
    type=options.FiniteRange(0, 1),
    metavar="X",
    help="With it: loss [default: 0.05].",
)
@click.option("--against", metavar="MODEL", help="Compare with another model on the same labels.")
@click.option("--against-url", metavar="URL", help="Where that is [default: the same address].")
@click.option(
    "--against-prices",
    type=(options.FiniteRange(min=0), options.FiniteRange(min=0)),
    metavar="IN OUT",
    help="What that costs, US dollars a million tokens sent and answered.",
)
@click.option("--record", type=options.OutFile(), help="Write the replies down (JSONL).")
@click.option("--no-cache", is_flag=True, help="Ask the judge anew, whatever it said before.")
@options.as_json
def command(
    config: Path | None,
    store: str | None,
    min_exact: float,
    min_within: float,
    *,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """Measure the configured judge against people, before its figures are trusted.

    It scores the shipped fixtures, or your own labels; the reports of its runs show the result.
    Exits 1 where too few answers are in the band in which people put them, or at most one apart.
    Without a judge, replies that people wrote are scored: that checks prompts and fixtures alone.

    With --metric ID of a metric that asks no judge, or with --run, it finds the value from which
    on people call an answer good, and exits 1 where that agrees with them on too few.

    Labels of documents need no people: with --run and ingestion.pii_recall it tabulates precision
    and recall at every score, with ingestion.duplicate_recall the settings of a near-duplicate
    detector, and with --answers the error rate, by class of document, that answers can bear.
    """
    from ragproof.cli.calibrate_documents import asked, show
    from ragproof.wiring.calibrating import Measuring, Other
    from ragproof.wiring.wish import Wish

    model, url, prices = said["against"], said["against_url"], said["against_prices"]
    if model is None and (url is not None or prices is not None):
        raise click.UsageError("--against-url and --against-prices go with --against MODEL")
    loaded = Wish(config=config, store=store).load_config(os.environ)
    if (table := asked(said["metrics"], said, as_json=as_json)) is not None:
        return show(loaded, table)
    least = _Least(exact=min_exact, within=min_within, as_json=as_json)
    names = ("labels", "metrics", "claims", "no_cache", "record")
    wish = Measuring(**{name: said[name] for name in names})
    other = None if model is None else Other(model=model, base_url=url, prices=prices)
    return _against_people(loaded, wish, said["run"], other, least)


def _against_people(
    config: Config, wish: Measuring, run: str | None, other: Other | None, least: _Least
) -> int:
    if (metric := _without_judge(wish, run)) is not None:
        if other is not None or wish.record is not None:
            raise click.UsageError(
                f"--against and --record ask a judge; {metric} is not asked here"
            )
        return _threshold(config, metric, wish, run, least)
    if other is not None:
        return _compared(config, wish, other, least)
    return _alone(config, wish, least)


def _without_judge(wish: Measuring, run: str | None) -> str | None:
    """The metric whose threshold is wanted; None where a judge is to be measured."""
    from ragproof.metrics import catalog
    from ragproof.wiring.measuring import judged_scorers

    local = [one for one in wish.metrics if one not in judged_scorers()]
    if run is None and not local:
        return None
    for one in local:
        catalog.load(one.partition("[")[0])  # an unknown one is told as such
    if len(wish.metrics) != 1:
        raise click.UsageError("a threshold is that of one metric: --metric ID, once")
    return wish.metrics[0]


def _threshold(config: Config, metric: str, wish: Measuring, run: str | None, least: _Least) -> int:
    from rich.console import Console

    from ragproof.reports.thresholds import print_threshold, threshold_json
    from ragproof.wiring.thresholds import calibrate_threshold, keep_thresholds

    if wish.labels is None:
        raise click.UsageError(f"a threshold of {metric} needs labels of your own: --labels FILE")
    found = calibrate_threshold(config, os.environ, metric, wish.labels, run, claims=wish.claims)
    figures = threshold_json(found, least.exact)
    keep_thresholds(config, figures)
    passed = all(one["passed"] for one in figures)
    if least.as_json:
        click.echo(json.dumps({"passed": passed, "thresholds": figures}, indent=2))
    else:
        print_threshold(Console(), found, least.exact)
    return SUCCESS if passed else NOT_MET


def _compared(config: Config, wish: Measuring, other: Other, least: _Least) -> int:
    from rich.console import Console

    from ragproof.analysis.agreement import Thresholds
    from ragproof.reports.calibration import agreement_json
    from ragproof.reports.replacing import print_replacement, replacement_json
    from ragproof.wiring.calibrating import document, keep, replaced

    bounds = Thresholds(least.exact, least.within)
    told = replaced(config, os.environ, wish, other)
    sides = {"current": told.current, "candidate": told.candidate}
    for one in sides.values():
        keep(config, one, agreement_json(one.found, bounds))
    figures = replacement_json(told.found, bounds)
    passed = all(one["passed"] for one in figures)
    if least.as_json:
        both = zip(sides.items(), told.costs, strict=True)
        documents = {
            name: {**document(one, ()), "cost_of_all_replies_usd": cost}
            for (name, one), cost in both
        }
        click.echo(json.dumps({"passed": passed, **documents, "prompts": figures}, indent=2))
    else:
        judges = (_asked(told.current), _asked(told.candidate))
        print_replacement(Console(), judges, told.costs, told.found, bounds)
    return SUCCESS if passed else NOT_MET


def _alone(config: Config, wish: Measuring, least: _Least) -> int:
    from rich.console import Console

    from ragproof.analysis.agreement import Thresholds
    from ragproof.reports.calibration import agreement_json, print_agreement
    from ragproof.wiring.calibrating import calibrate, document, keep

    bounds = Thresholds(least.exact, least.within)
    told = calibrate(config, os.environ, wish)
    figures = agreement_json(told.found, bounds)
    keep(config, told, figures)
    passed = all(one["passed"] for one in figures)
    if least.as_json:
        click.echo(json.dumps({"passed": passed, **document(told, figures)}, indent=2))
    else:
        print_agreement(Console(), _asked(told), told.found, bounds)
    return SUCCESS if passed else NOT_MET


def _asked(told: Calibration) -> Asked:
    from ragproof.reports.calibration import Asked

    replies, cached = told.calls
    return Asked(
        judge=told.judge,
        scripted=told.scripted,
        recorded=told.recorded,
        calls=replies - cached,
        cache_hits=cached,
        usd=told.usd,
        errors=len(told.errors),
        left_out=told.left_out,
    )
