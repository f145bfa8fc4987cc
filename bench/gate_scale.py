"""What a gate with a baseline costs: `python -m bench.gate_scale [CASES ...]` (10000 100000).

Two runs of ten metrics are written to a store of their own. Each metric has a minimum and a
greatest drop, so that everything is read, resampled and tested. Start-up is that of `--version`
plus the imports of a gate over no more than ten cases.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.measure import Took, took
from ragproof.core import (
    AdapterInfo,
    CaseRun,
    DatasetInfo,
    Finished,
    Observation,
    QuestionCase,
    Row,
    RunHeader,
    RunState,
    Scored,
)
from ragproof.store.open import open_store
from ragproof.wiring.plan import declarations, plan

METRICS = (
    *(f"retrieval.{name}_at_k" for name in ("precision", "recall", "ndcg", "hit")),
    *("retrieval.mrr", "retrieval.average_precision", "echo.exact_match"),
    *("generation.citation_validity", "generation.token_f1", "system.latency_seconds"),
)
CONFIG = """
project: bench
gate:
  baseline: latest
  thresholds:
"""
BATCH = 2_000


def main() -> None:
    """Print a row a size."""
    sizes = [int(one) for one in sys.argv[1:]] or [10_000, 100_000]
    start = measured(10)
    print(f"start-up {start.cpu:.2f} CPU s, {start.peak:.0f} MB")
    print(f"{'cases':>8} {'CPU s':>8} {'above':>8} {'wall s':>8} {'peak MB':>8}")
    for size in sizes:
        found = measured(size)
        above = found.cpu - start.cpu
        print(f"{size:>8} {found.cpu:>8.2f} {above:>8.2f} {found.wall:>8.2f} {found.peak:>8.0f}")


def measured(size: int) -> Took:
    """Gate a run of that many cases in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rules = "".join(f"    {one}: {{min: 0.001, max_drop: 0.02}}\n" for one in METRICS[:-1])
        rules += f"    {METRICS[-1]}: {{max: 9, max_drop: 0.02}}\n"
        (folder / "ragproof.yaml").write_text(CONFIG + rules, encoding="utf-8")
        for number in range(2):
            asyncio.run(_fill(folder / ".ragproof/ragproof.db", size, number))
        found = took(["-m", "ragproof", "gate", "--json"], folder)
        assert len(json.loads(found.output)["results"]) == 2 * len(METRICS)
        return found


async def _fill(store_path: Path, size: int, number: int) -> None:
    metrics = plan([(one, {}) for one in METRICS])
    header = RunHeader(
        id=f"run-{number}",
        project="bench",
        started_at=f"2026-01-0{number + 1}T00:00:00.000000",
        dataset=DatasetInfo(name="d", path="/d", hash="0" * 64, total=size, cases=size),
        adapter=AdapterInfo(type="python", target="a:b"),
        metrics=declarations(metrics),
    )
    with open_store(store_path) as store:
        store.begin(header)
        batch: list[Finished] = []
        for one in _finished(size, number):
            batch.append(one)
            if len(batch) == BATCH:
                await store.append(header.id, batch)
                batch = []
        await store.append(header.id, batch)
        store.finish(header.id, RunState.COMPLETED, {})


def _finished(size: int, number: int) -> Iterator[Finished]:
    """Scores of three kinds, the second run's those of the first with some changes."""
    draw = np.random.default_rng(3)
    ease = draw.beta(4, 2, size)
    other = np.random.default_rng(4 + number)
    noisy = np.clip(ease[:, None] + other.normal(0, 0.05, (size, len(METRICS))), 0, 1)
    noisy[:, 3] = noisy[:, 3] > 0.5
    noisy[:, 4] = np.round(noisy[:, 4] * 2) / 2
    case = QuestionCase(id="", question="q")
    for at, values in enumerate(noisy.tolist()):
        name = f"case-{at:06}"
        rows = [
            Row(metric, metric, Scored(value))
            for metric, value in zip(METRICS, values, strict=True)
        ]
        run = CaseRun(dataclasses.replace(case, id=name), Observation(case_id=name))
        yield Finished(name, rows, run=run)


if __name__ == "__main__":
    main()
