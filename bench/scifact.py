"""SciFact as published, through `ragproof run`: `python -m bench.scifact [DATA]`.

DATA is the folder with SciFact's corpus, claims, judgments and stored vectors, by default
`../shared/data/scifact`, or what `SCIFACT` says. Three searches are evaluated on the 300 judged
claims that BEIR calls the test topics: BM25 (Lucene's scoring, k1 1.5, b 0.75, Snowball's English
stems, which take PyStemmer), all-MiniLM-L6-v2 by its stored vectors, and both fused by reciprocal
rank. Exits with 1 where a figure is not the published one.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.measure import took
from bench.scifact_search import tokenizer

PUBLISHED = {"bm25": (0.684, 0.689), "minilm": (0.647, 0.647), "rrf": (0.716, 0.716)}
"""nDCG@10: lowest and highest."""
TOLERANCE = 0.004
METRIC = "retrieval.ndcg_at_k"
HERE = Path(__file__).parent


def beir(data: Path, folder: Path) -> None:
    """Write the benchmark in BEIR's layout."""
    (folder / "qrels").mkdir(parents=True)
    with (
        gzip.open(data / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines,
        (folder / "corpus.jsonl").open("w", encoding="utf-8") as out,
    ):
        for one in map(json.loads, lines):
            text = " ".join(one["abstract"])
            out.write(json.dumps({"_id": str(one["_id"]), "title": one["title"], "text": text}))
            out.write("\n")
    claims = (data / "claims_dev.jsonl").read_text(encoding="utf-8").splitlines()
    with (folder / "queries.jsonl").open("w", encoding="utf-8") as out:
        for one in map(json.loads, claims):
            out.write(json.dumps({"_id": str(one["id"]), "text": one["claim"]}) + "\n")
    judged = (data / "qrels_dev.tsv").read_text(encoding="utf-8").split("\n")
    rows = ["\t".join(line.split()[::2][:2] + line.split()[3:]) for line in judged if line.strip()]
    titles = "query-id\tcorpus-id\tscore"
    (folder / "qrels/test.tsv").write_text("\n".join([titles, *rows, ""]), encoding="utf-8")


def evaluated(by: str, data: Path, folder: Path) -> Mapping[str, Any]:
    """Run one search and give the run's document."""
    params = {"by": by, "folder": str(folder / "scifact"), "vectors": str(data / VECTORS)}
    adapter = {"type": "python", "target": "bench.scifact_search:Search", "params": params}
    config = {
        "project": "scifact",
        "adapter": adapter,
        "metrics": [METRIC, "retrieval.recall_at_k"],
    }
    (folder / "ragproof.yaml").write_text(json.dumps(config), encoding="utf-8")
    run = ["-m", "ragproof", "run", "--beir", "scifact", "--k", "10", "--label", by, "--json"]
    made: Mapping[str, Any] = json.loads(took(run, folder).output)
    return made


VECTORS = "minilm_vectors.npz"


def main(data: Path) -> int:
    """Print figures beside those published."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), *sys.path])
    off = []
    print(f"{'search':8} {'nDCG@10':>8} {'95 % interval':>16} {'published':>14} {'topics':>7}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        beir(data, folder / "scifact")
        for by, (low, high) in PUBLISHED.items():
            figure = evaluated(by, data, folder)["metrics"][METRIC]
            mean, ends = figure["mean"], figure["ci95"]
            told = f"{low:.3f}" if low == high else f"{low:.3f}-{high:.3f}"
            between = f"[{ends[0]:.3f}, {ends[1]:.3f}]"
            print(f"{by:8} {mean:8.4f} {between:>16} {told:>14} {figure['scored']:>7}")
            if not low - TOLERANCE <= mean <= high + TOLERANCE:
                off.append(by)
    if tokenizer() is None:
        print("PyStemmer is not installed: BM25 has a lighter stemmer here, and so has the fusion")
    print(f"not as published: {', '.join(off)}" if off else "all as published")
    return 1 if off else 0


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SCIFACT")
    sys.exit(main(Path(given or HERE.parents[1] / "shared/data/scifact").absolute()))
