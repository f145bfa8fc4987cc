"""ragproof metrics"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import options

if TYPE_CHECKING:
    from ragproof.metrics.page import Page


@click.command()
@click.argument("metric_id", metavar="[ID]", required=False)
@options.as_json
def command(metric_id: str | None, *, as_json: bool) -> None:
    """List the metrics, or explain one: formula, needs, direction, edge cases, source.

    A glob such as 'retrieval.*' lists those that it stands for.
    """
    from rich.console import Console

    from ragproof.metrics import catalog
    from ragproof.metrics.page import page
    from ragproof.reports.tables import MetricPage, MetricRow, print_metric, print_metrics

    known = catalog.matching(metric_id) if metric_id else catalog.ids()
    pages = [page(one) for one in known]
    is_one = metric_id is not None and known == (metric_id,)
    if as_json:
        plain = [_plain(one) for one in pages]
        click.echo(json.dumps(plain[0] if is_one else plain, indent=2))
    elif is_one:
        one = pages[0]
        told = MetricPage(
            id=one.declared.id, summary=one.summary, sections=one.sections, facts=_facts(one)
        )
        print_metric(Console(), told)
    else:
        rows = [
            MetricRow(id=one.declared.id, layer=one.declared.layer, summary=one.summary)
            for one in pages
        ]
        print_metrics(Console(), rows)


def _facts(page: Page) -> dict[str, str]:
    declared = page.declared
    return {
        "layer": f"{declared.layer}, {'headline' if declared.headline else 'component'}",
        "unit": declared.unit,
        "better": declared.better,
        "cases": ", ".join(declared.kinds),
        "parameters": ", ".join(f"{name}={value}" for name, value in declared.params.items())
        or "none",
        "over a run": "mean of the cases" if declared.pool == "mean" else "ratio of sums",
        "skipped when": "; ".join(page.reasons),
        "version": str(declared.version),
    }


def _plain(page: Page) -> dict[str, Any]:
    declared = page.declared
    return {
        "id": declared.id,
        "summary": page.summary,
        "sections": dict(page.sections),
        "unit": declared.unit,
        "better": declared.better,
        "pool": declared.pool,
        "interval": declared.interval,
        "level": declared.level,
        "layer": declared.layer,
        "headline": declared.headline,
        "kinds": list(declared.kinds),
        "params": dict(declared.params),
        "skip_reasons": list(page.reasons),
        "version": declared.version,
    }
