"""ragproof monitor import"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.wiring.traffic_import import Imported


def _time(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    from ragproof.analysis.monitor_clock import Clock

    try:
        return None if text is None else Clock.of("UTC").moment(text)
    except ValueError as fault:
        raise click.BadParameter(str(fault)) from None


@click.command()
@click.argument("sources", type=shared.FILE, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="For cases.jsonl, observations.jsonl and import.json.",
)
@click.option(
    "--format",
    "form",
    default="auto",
    metavar="NAME",
    help="auto, otlp, spans (SDKs, Phoenix), langfuse, lines [default: auto].",
)
@click.option(
    "--events",
    type=shared.FILE,
    multiple=True,
    metavar="FILE",
    help="What users did: JSONL of `trace_id` and `kind`. May be repeated.",
)
@shared.names(
    "--exposes",
    metavar="KIND,...",
    help="Kinds of events that the interface records [default: those in --events].",
)
@click.option(
    "--tag",
    "tags",
    multiple=True,
    callback=shared.pairs,
    metavar="TAG=ATTRIBUTE",
    help="Tag each case by an attribute of its spans: intent=app.intent.",
)
@shared.columns(
    "Which attribute is which field: question, answer, citations, session, route, intent, "
    "confidence, index_version.",
    "FIELD=ATTRIBUTE",
)
@click.option("--turn", metavar="NAME", help="Name of the spans that are a question each.")
@click.option(
    "--session-gap",
    "gap",
    type=options.FiniteRange(min=0),
    default=1800.0,
    metavar="SECONDS",
    help="A later question of the session is no follow-up [default: 1800].",
)
@click.option(
    "--since",
    callback=_time,
    metavar="TIME",
    help="Only cases asked from then on (ISO 8601; UTC without an offset).",
)
@click.option("--until", callback=_time, metavar="TIME", help="Only cases asked before.")
@options.as_json
def command(*, as_json: bool, **said: Any) -> None:  # noqa: ANN401
    """Read production traces into a dataset without truth, and what was recorded of it.

    Spans of one trace become one case (its id is the trace's) and one recorded observation:
    OpenTelemetry JSON under the conventions of OpenInference, of generative AI or of Vercel's AI
    SDK, exports of Phoenix and Langfuse, or plain lines with `id` and `question`. What makes no
    case is counted with the reason.
    """
    from ragproof.wiring.traffic_import import TrafficRequest, imported, told

    found = imported(TrafficRequest(**said))
    if as_json:
        click.echo(json.dumps({"out": str(said["out"]), **told(found)}, indent=2))
    else:
        show(said["out"], found)


def show(out: Path, found: Imported) -> None:
    """Say what came of an import, and what comes next."""
    from rich.console import Console

    from ragproof.reports.page import Page
    from ragproof.wiring.traffic_import import CASES, OBSERVATIONS, period

    page = Page(Console())
    parts = [counted(found.cases, "case"), f"{found.failed:,} of them failed"]
    parts += [counted(found.sessions, "session")] if found.sessions else []
    page.line(f"{out}: {', '.join(parts)}")
    if found.spans:
        page.line(f"of {counted(found.spans, 'span')} in {counted(found.traces, 'trace')}")
    if found.period is not None:
        page.line(f"asked {period(found.period)}")
    said = ", ".join(f"{kind} {number:,}" for kind, number in sorted(found.events.items()))
    page.line(f"events: {said or 'none'}")
    for warning in found.warnings:
        page.entry("  - ", warning, "yellow")
    for title, counts in _counts(found).items():
        if any(counts.values()):
            page.heading(title)
            for name, number in sorted(counts.items()):
                if number:
                    page.entry(f"  {number:>7,}  ", name, label_style="dim")
    page.line(f"next: ragproof run --dataset {out / CASES} --recorded {out / OBSERVATIONS}", "dim")


def _counts(found: Imported) -> dict[str, Mapping[str, int]]:
    """What is not as it might be, by title."""
    some = {option: number for option, number in found.told.items() if number < found.read}
    return {
        "Left out": found.left_out,
        "Cases that lack something": found.lacking,
        f"Attributes that only some of {counted(found.read, 'case')} have": some,
        "Events that belong to no case": {
            "of traces that are not there": found.events_unknown,
            "of a trace of several turns, without span_id": found.events_unplaced,
            "delivered again": found.events_twice,
        },
    }
