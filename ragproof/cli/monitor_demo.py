"""ragproof monitor demo"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from ragproof.cli import monitor_import

TAGS = {"intent": "app.intent"}
FIELDS = {
    **{"route": "app.route", "confidence": "app.confidence", "intent": "app.intent"},
    "citations": "app.citations",
}


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("traffic"),
    show_default=True,
    metavar="FOLDER",
    help="Made where it is not there.",
)
@click.option("--seed", type=int, default=0, metavar="N", help="Other users [default: 0].")
def command(out: Path, seed: int) -> None:
    """Write two weeks of made-up traffic and import it: no key, no network.

    About 250 questions to the demo's pipeline in traces.jsonl, as an OpenTelemetry collector writes
    them, and what users did in events.jsonl. On the ninth day a release makes it slower, and worse
    in one intent. The import is what `ragproof monitor import` does with your own traces.
    """
    from ragproof.core import UsageError
    from ragproof.wiring.traffic_import import TrafficRequest, imported

    demo = import_module("ragproof.demo.traffic")  # by name, as `ragproof demo` names its pipeline
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"--out: {out} is there and not empty; name another folder")
    demo.write(out, seed)
    request = TrafficRequest(
        sources=(out / demo.TRACES,),
        events=(out / demo.EVENTS,),
        exposes=demo.EXPOSED,
        tags=TAGS,
        mapping=FIELDS,
        out=out,
    )
    monitor_import.show(out, imported(request))
