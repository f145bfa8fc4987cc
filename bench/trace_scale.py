"""What `ragproof trace-gold` costs a case: `python -m bench.trace_scale [CASES ...]`.

Saved cases of two gold sources each, with 10 survivors, 10 candidates, 5 reranked and 5 chunks of
context, some of which lost gold. Reading them is measured apart: all that is above it is tracing.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from bench.measure import took
from ragproof.core import (
    AdapterInfo,
    Answer,
    CaseRun,
    Chunk,
    Citation,
    DatasetInfo,
    Finished,
    Level,
    Observation,
    QuestionCase,
    RunHeader,
    RunState,
)
from ragproof.core.observation import Trace
from ragproof.store.open import open_store

STORE = "s.db"
TEXT = "Some text of a chunk. " * 10
READ = f"""
from ragproof.store.open import open_store
with open_store("{STORE}", create=False) as store:
    print(sum(1 for _ in store.case_runs("bench")))
"""


def case(number: int) -> CaseRun:
    """A case whose trace tells every stage."""
    name = f"case-{number:07d}"
    ids = [f"doc-{(number * 7 + at) % 1000}" for at in range(10)]
    chunks = tuple(
        Chunk(id=f"{one}#0", text=TEXT, score=1.0, metadata={"document_id": one}) for one in ids
    )
    trace = Trace(survivors=tuple(ids), candidates=chunks, reranked=chunks[:5], context=chunks[:5])
    answer = Answer(answer_text="yes", citations=(Citation(chunk_id=chunks[0].id),), trace=trace)
    asked = QuestionCase(
        id=name, question=f"What is {number}?", expected_source_ids=(ids[number % 10], "doc-1")
    )
    return CaseRun(asked, Observation(case_id=name, retrieved=chunks[:5], answer=answer))


async def fill(folder: Path, size: int) -> None:
    """Save so many."""
    header = RunHeader(
        id="bench",
        project="bench",
        started_at="2026-01-02T03:04:05.000006+00:00",
        dataset=DatasetInfo(name="d", path="/d", hash="0", total=size, cases=size),
        adapter=AdapterInfo(type="python", target="none"),
        metrics={},
    )
    with open_store(folder / STORE) as store:
        store.begin(header)
        for first in range(0, size, 1000):
            many = (case(number) for number in range(first, min(first + 1000, size)))
            batch = [Finished(one.case.id, (), Level.CASE, one, ()) for one in many]
            await store.append("bench", batch)
        store.finish("bench", RunState.COMPLETED, {})


def main() -> None:
    """Print a row a size."""
    print(f"{'cases':>8} {'CPU s':>8} {'peak MB':>8} {'us/case':>8}   reading alone: CPU s")
    for size in [int(one) for one in sys.argv[1:]] or [10_000, 100_000]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            asyncio.run(fill(folder, size))
            told = took(["-m", "ragproof", "trace-gold", "--json", "--store", STORE], folder)
            assert sum(json.loads(told.output)["counts"].values()) == size
            read = took(["-c", READ], folder)
        per_case = told.cpu / size * 1e6
        print(f"{size:>8} {told.cpu:>8.2f} {told.peak:>8.0f} {per_case:>8.0f}   {read.cpu:.2f}")


if __name__ == "__main__":
    main()
