"""Bulk scoring against pytrec_eval: `python -m bench.rankings [ROWS ...]`.

Rows are 100,000, 1,000,000 and 10,000,000 if nothing else is said.
Eight measures of a TREC run of 1,000 documents a query, 40 of them judged, whole processes: start,
reading, scoring. Both have their modules compiled before. The least of some trials is shown, since
whatever else the machine does can only add to it. `work` is without start-up and imports, of which
most is numpy's in both. Peers are in the development environment alone.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from bench.measure import Took, took

MEASURES = ("P@10", "R@10", "R@100", "RR", "nDCG@10", "AP", "Success@1", "Judged@10")
DEPTH, JUDGED, COLLECTION = 1_000, 40, 8_000_000
SIZES = (100_000, 1_000_000, 10_000_000)
PEER = """
import sys, pytrec_eval
with open("qrels.trec") as file: qrels = pytrec_eval.parse_qrel(file)
with open("run.trec") as file: run = pytrec_eval.parse_run(file)
asked = {"P.10", "recall.10,100", "recip_rank", "ndcg_cut.10", "map", "success.1"}
found = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
names = next(iter(found.values()))
print({name: sum(one[name] for one in found.values()) / len(found) for name in names})
"""
START = """
import os
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import ragproof.wiring.ranking, ragproof.cli.rankings
"""
OURS = [
    *("-m", "ragproof", "rankings", "--qrels", "qrels.trec", "--run", "run.trec", "--json"),
    *(part for name in MEASURES for part in ("--metric", name)),
]


def main() -> None:
    """Print a row a size."""
    sizes = [int(one) for one in sys.argv[1:]] or SIZES
    print(f"{'rows':>10} {'':>12} {'CPU s':>8} {'work':>8} {'peak MB':>8}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
            os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
            write(folder, size // DEPTH)
            _compare(folder, size)


def _compare(folder: Path, size: int) -> None:
    trials = 2 if size > 5_000_000 else 7
    starts = {"ragproof": ["-c", START]}
    starts["pytrec_eval"] = ["-c", "import pytrec_eval"]
    found = {}
    for name, arguments in (("ragproof", OURS), ("pytrec_eval", ["-c", PEER])):
        took(starts[name], folder)
        start = min(took(starts[name], folder).cpu for _ in range(trials))
        best = min((took(arguments, folder) for _ in range(trials)), key=lambda one: one.cpu)
        found[name] = best, best.cpu - start
        print(f"{size:>10} {name:>12} {best.cpu:>8.2f} {best.cpu - start:>8.2f} {best.peak:>8.0f}")
    (ours, work), (theirs, their_work) = found.values()
    _check(ours, theirs)
    print(f"{'':>10} {'ratio':>12} {theirs.cpu / ours.cpu:>8.2f} {their_work / work:>8.2f}")


def _check(ours: Took, theirs: Took) -> None:
    """Both must have found the same."""
    values = [line.split(":")[1].strip(" ,") for line in ours.output.splitlines() if "nDCG" in line]
    assert f"'ndcg_cut_10': {values[0][:8]}" in theirs.output, (values, theirs.output)


def write(folder: Path, queries: int, seed: int = 1) -> None:
    """Write a run and its qrels."""
    draw = np.random.default_rng(seed)
    with (folder / "run.trec").open("w") as run, (folder / "qrels.trec").open("w") as qrels:
        for query in range(queries):
            documents = draw.permutation(np.unique(draw.integers(0, COLLECTION, DEPTH + 200)))
            names = [f"D{number:07d}" for number in documents[: DEPTH + JUDGED].tolist()]
            scores = np.sort(np.round(draw.gamma(4, 5, DEPTH), 4))[::-1].tolist()
            ranked = enumerate(zip(names, scores, strict=False), 1)
            run.writelines(
                f"q{query} Q0 {name} {rank} {score:.4f} bench\n" for rank, (name, score) in ranked
            )
            places = draw.choice(len(names), JUDGED, replace=False).tolist()
            grades = draw.integers(0, 4, JUDGED).tolist()
            qrels.writelines(
                f"q{query} 0 {names[place]} {grade}\n"
                for place, grade in zip(places, grades, strict=True)
            )


if __name__ == "__main__":
    main()
