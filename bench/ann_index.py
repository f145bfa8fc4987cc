"""Indexes on SciFact's MiniLM vectors: `python -m bench.ann_index [DATA]`.

DATA is the folder with the stored vectors, by default `../shared/data/scifact`, or what `SCIFACT`
says. Takes the extra `ann`. Prints what `ragproof index tune` finds, and the CPU seconds of exact
search against those of one matrix product with a full sort. Exits with 1 where an index that looks
at everything does not find everything, or nothing approximate reaches 0.95.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.measure import took
from ragproof.index.exact import Distance, exact
from ragproof.index.vectors import Vectors

HERE = Path(__file__).parent


def main(data: Path) -> int:
    stored = np.load(data / "minilm_vectors.npz")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side in ("doc", "query"):
            np.save(folder / f"{side}.npy", stored[side].astype(np.float32))
        files = ["--vectors", "doc.npy", "--queries", "query.npy", "--json"]
        found = json.loads(took(["-m", "ragproof", "index", "tune", *files], folder).output)
    fine = True
    print(found["machine"], found["versions"])
    for one in found["indexes"]:
        points = one["points"]
        last, enough = points[-1], [each for each in points if each["recall"] >= 0.95]
        best = max(enough, key=lambda each: each["qps"], default=last)
        print(
            f"{one['index']:<42} last {last['recall']:.4f}; at 0.95: {one['effort']}="
            f"{best['effort']}, {best['recall']:.4f}, {best['qps']:,.0f}/s, "
            f"{one['bytes'] / 1e6:.1f} MB"
        )
        fine &= last["recall"] == 1 or one["kind"] == "hnsw"
    print("recommended:", json.dumps(found["recommended"]))
    _print_exact(stored["doc"].astype(np.float32), stored["query"].astype(np.float32))
    return 0 if fine and found["recommended"]["ground"] != "highest" else 1


def _print_exact(docs: np.ndarray, queries: np.ndarray) -> None:
    sides = Vectors.of(docs, "docs"), Vectors.of(queries, "queries")
    started = time.process_time()
    exact(*sides, Distance.COSINE, 10)
    ours = time.process_time() - started
    started = time.process_time()
    unit = [one / np.linalg.norm(one, axis=1, keepdims=True) for one in (queries, docs)]
    np.argsort(-(unit[0] @ unit[1].T), axis=1)[:, :10].copy()
    plain = time.process_time() - started
    print(f"exact search: {ours:.2f} CPU s, {ours / plain:.2f}x one product and a full sort")


if __name__ == "__main__":
    default = os.environ.get("SCIFACT") or HERE.parents[1] / "shared/data/scifact"
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else default)))
