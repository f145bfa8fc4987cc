"""How much a run costs a case: `python -m bench.run_scale [CASES ...]` (1000 10000 100000).

A dataset of qa cases and a pipeline that does nothing, so that all that is measured is ragproof:
reading, asking, scoring nine metrics, storing everything, summing up. Then the run is read back.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from bench.measure import Took, took

ADAPTER = """
class Trivial:
    async def retrieve(self, question, k):
        n = int(question.rsplit(" ", 1)[1])
        return [{"id": f"doc-{(n * 7 + i * 3) % 1000}", "text": "Some text of a chunk. " * 10,
                 "score": 1.0 / (i + 1)} for i in range(k)]

    async def answer(self, question):
        n = int(question.rsplit(" ", 1)[1])
        return {"answer_text": f"answer {n}", "citations": [{"chunk_id": f"doc-{n * 7 % 1000}"}]}
"""
METRICS = (
    *(f"retrieval.{name}_at_k" for name in ("precision", "recall", "ndcg", "hit")),
    *("retrieval.mrr", "retrieval.average_precision", "echo.exact_match"),
    *("generation.citation_validity", "system.latency_seconds"),
)
"""Nine: further ones cost about the same each."""
READ = """
import sys
from ragproof.store.open import open_store
from ragproof.analysis.summary import summarise
with open_store(sys.argv[1], create=False) as store:
    record = store.record(store.find("latest", None).header.id)
    print(len(record.cases), sorted(record.columns))
"""


def main() -> None:
    """Print a row a size."""
    sizes = [int(one) for one in sys.argv[1:]] or [1_000, 10_000, 100_000]
    print(
        f"{'cases':>8} {'CPU s':>8} {'wall s':>8} {'peak MB':>8} {'us/case':>8}   read: CPU s, MB"
    )
    base = None
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            run, read = measured(size, Path(name))
        base = base or run
        per_case = run.cpu / size * 1e6
        print(
            f"{size:>8} {run.cpu:>8.2f} {run.wall:>8.2f} {run.peak:>8.0f} {per_case:>8.0f}"
            f"   {read.cpu:.2f}, {read.peak:.0f}"
        )


def measured(size: int, folder: Path) -> tuple[Took, Took]:
    """Run that many cases in a folder of its own, then read them back."""
    (folder / "trivial.py").write_text(ADAPTER, encoding="utf-8")
    (folder / "ragproof.yaml").write_text(
        "project: bench\nadapter: {type: python, target: 'trivial:Trivial'}\n"
        f"dataset: d.jsonl\nrun: {{concurrency: 32}}\nmetrics: [{', '.join(METRICS)}]\n",
        encoding="utf-8",
    )
    with (folder / "d.jsonl").open("w", encoding="utf-8") as lines:
        for n in range(size):
            ids = [f"doc-{(n * 7 + 3) % 1000}", f"doc-{n % 1000}"]
            case = {
                "id": f"case-{n}",
                "question": f"What is number {n}",
                "expected_source_ids": ids,
            }
            lines.write(json.dumps({**case, "expected_answer": f"answer {n}"}) + "\n")
    run = took(["-m", "ragproof", "run", "--json"], folder)
    figures = json.loads(run.output)
    assert figures["cases"]["ok"] == size, figures["cases"]
    return run, took(["-c", READ, str(folder / ".ragproof/ragproof.db")], folder)


if __name__ == "__main__":
    main()
