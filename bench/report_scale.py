"""What the HTML report of a run costs: `python -m bench.report_scale [CASES ...]` (10000 100000).

A run of ten metrics is written to a store of its own: tagged cases with an answer and five
retrieved chunks each, one in fifty of them failed, and a gate that asks something of every metric.
CPU seconds are those of the whole command, start-up included.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.gate_scale import METRICS
from bench.measure import Took, took
from ragproof.core import (
    AdapterInfo,
    Answer,
    CaseRun,
    Cause,
    Chunk,
    DatasetInfo,
    Failed,
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

CONFIG = "project: bench\ndataset: d.jsonl\n"
GATE = "gate:\n  thresholds:\n" + "".join(f"    {one}: {{min: 0.5}}\n" for one in METRICS[:-1])
BATCH = 2_000
EVERY = 50
"""One case in so many failed."""
TEXT = "The seal is checked every 500 hours and replaced after 2,000 hours of operation. " * 4
CHUNKS = tuple(Chunk(id=f"p{number}", text=TEXT) for number in range(5))


def main() -> None:
    """Print a row a size."""
    sizes = [int(one) for one in sys.argv[1:]] or [10_000, 100_000]
    head = "cases", "asked for", "CPU s", "wall s", "peak MB", "file MB"
    print("{:>8} {:<12} {:>8} {:>8} {:>8} {:>8}".format(*head))
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            asyncio.run(_fill(folder / ".ragproof/ragproof.db", size))
            for what, config, form in (
                ("html", CONFIG, "html"),
                ("html, gate", CONFIG + GATE, "html"),
                ("markdown", CONFIG + GATE, "markdown"),
                ("junit", CONFIG + GATE, "junit"),
                ("sarif", CONFIG + GATE, "sarif"),
            ):
                found, length = measured(folder, config, form)
                print(
                    f"{size:>8} {what:<12} {found.cpu:>8.2f} {found.wall:>8.2f} "
                    f"{found.peak:>8.0f} {length / 1e6:>8.2f}"
                )


def measured(folder: Path, config: str, form: str) -> tuple[Took, int]:
    """Report the run of a folder; what it took, and the size of the file."""
    (folder / "ragproof.yaml").write_text(config, encoding="utf-8")
    found = took(["-m", "ragproof", "report", f"--{form}", "report"], folder)
    return found, (folder / "report").stat().st_size


async def _fill(store_path: Path, size: int) -> None:
    header = RunHeader(
        id="run",
        project="bench",
        started_at="2026-01-01T00:00:00.000000",
        dataset=DatasetInfo(name="d", path="/d.jsonl", hash="0" * 64, total=size, cases=size),
        adapter=AdapterInfo(type="python", target="a:b"),
        metrics=declarations(plan([(one, {}) for one in METRICS])),
    )
    with open_store(store_path) as store:
        store.begin(header)
        batch: list[Finished] = []
        for one in _finished(size):
            batch.append(one)
            if len(batch) == BATCH:
                await store.append(header.id, batch)
                batch = []
        await store.append(header.id, batch)
        store.finish(header.id, RunState.COMPLETED, {})


def _finished(size: int) -> Iterator[Finished]:
    """Scores of three kinds: continuous, yes or no, three bands."""
    draw = np.random.default_rng(3)
    values = np.clip(draw.beta(4, 2, (size, 1)) + draw.normal(0, 0.05, (size, 10)), 0, 1)
    values[:, 3] = values[:, 3] > 0.5
    values[:, 4] = np.round(values[:, 4] * 2) / 2
    lost = Failed(Cause.ADAPTER, "ConnectionError: the index refused")
    for at, scores in enumerate(values.tolist()):
        name = f"case-{at:06}"
        case = QuestionCase(
            id=name,
            question="When must the shaft seal be replaced?",
            expected_source_ids=("p0", "p9"),
            tags={"intent": f"intent {at % 8}", "language": ("en", "de", "fr")[at % 3]},
        )
        failed = at % EVERY == 0
        seen = Observation(
            case_id=name,
            retrieved=None if failed else CHUNKS,
            answer=None if failed else Answer(answer_text="After 2,000 hours."),
            failure=lost if failed else None,
        )
        rows = [
            Row(metric, metric, lost if failed else Scored(value))
            for metric, value in zip(METRICS, scores, strict=True)
        ]
        yield Finished(name, rows, run=CaseRun(case, seen))


if __name__ == "__main__":
    main()
