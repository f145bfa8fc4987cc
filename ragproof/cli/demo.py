"""ragproof demo"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ragproof.cli.main import Process

PAGE = Path("ragproof-demo.html")
TARGET = "ragproof.demo.pipeline:ManualPipeline"
PIPELINES: Mapping[str, Mapping[str, Any]] = {
    "plain": {},
    "naive": {"abstain_below": 0.0, "on_orders": "obey"},
    "guarded": {"on_orders": "drop"},
}
"""The same pipeline with other parameters."""
DATASET = Path(__file__).parent.parent / "demo" / "hearth.jsonl"


@click.command()
@click.option(
    "--pipeline",
    "name",
    type=click.Choice(list(PIPELINES)),
    default="plain",
    show_default=True,
    help="naive answers everything and obeys orders in pages; guarded does neither.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_obj
def command(process: Process | None, /, *, name: str, as_json: bool) -> int:
    """Evaluate a small real pipeline on real questions: no key, no network, no config.

    A search over the manual of a home battery answers 60 questions by quoting, and 8 more that
    plant orders in question or page. It does not do perfectly: see where it is strong, where it
    fails, and what the figures cannot tell.
    """
    from ragproof.cli.evaluation import Presentation, evaluate
    from ragproof.wiring.looking import DEMO_STORE
    from ragproof.wiring.wish import Wish

    wish = Wish(
        store=str(DEMO_STORE),
        dataset=DATASET,
        project="demo",
        adapter={"type": "python", "target": TARGET, "params": PIPELINES[name]},
        label=name,  # by which `compare` knows it
        source_match="document",
        ignore_config=True,
    )
    page = PAGE if name == "plain" else PAGE.with_stem(f"{PAGE.stem}-{name}")
    others = " and ".join(other for other in PIPELINES if other != name)
    steps = (
        f"look at every case: open {page}",
        f"at which stage each lost its evidence: ragproof trace-gold {name} --store {DEMO_STORE}",
        f"the same with --pipeline {others}, then: ragproof compare plain naive "
        f"--store {DEMO_STORE}",
        "how questions, manual and pipeline were made: docs/demo.md",
        "what a figure means: ragproof metrics retrieval.recall_at_k",
        "evaluate your own: ragproof init, in a folder of its own",
    )
    return evaluate(wish, process, Presentation(as_json, page, next_steps=steps))
