"""What RM3 and Bo1 do to BM25 on SciFact: `python -m bench.expansion [DATA]`.

DATA is the folder `scifact`, by default `../shared/data/scifact`. These are the figures that a
rewrite by a model has to beat.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
from ragproof.demo.feedback import EXPANSIONS, Feedback
from ragproof.metrics.retrieval.ndcg_at_k import NdcgAtK
from ragproof.metrics.retrieval.recall_at_k import RecallAtK

MEASURES: dict[str, RecallAtK | NdcgAtK] = {
    "R@10": RecallAtK(k=10),
    "R@100": RecallAtK(k=100),
    "nDCG@10": NdcgAtK(k=10),
}


def cases(folder: Path) -> list[QuestionCase]:
    """The claims and the abstracts that bear on them."""
    relevant: dict[str, list[str]] = defaultdict(list)
    for line in (folder / "qrels_dev.tsv").read_text(encoding="utf-8").splitlines():
        claim, _, document, _ = line.split()
        relevant[claim].append(document)
    claims = (folder / "claims_dev.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        QuestionCase(
            id=str(one["id"]),
            question=one["claim"],
            expected_source_ids=tuple(relevant[str(one["id"])]),
        )
        for one in map(json.loads, claims)
        if str(one["id"]) in relevant
    ]


def main(arguments: list[str]) -> None:
    """Print a line an expansion."""
    folder = Path(arguments[0]) if arguments else Path("../shared/data/scifact")
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    feedback = Feedback([" ".join([one["title"], *one["abstract"]]) for one in documents])
    asked = cases(folder)
    for expansion in EXPANSIONS:
        runs = []
        for case in asked:
            best = feedback.search(case.question, 100, expansion)
            found = tuple(Chunk(id=str(documents[at]["_id"])) for at, _ in best)
            runs.append(CaseRun(case, Observation(case_id=case.id, retrieved=found)))
        shown = (
            f"{name} {fmean(measure.score(run).value for run in runs):.3f}"
            for name, measure in MEASURES.items()
        )
        print(f"{expansion:5} {len(runs)} claims  {'  '.join(shown)}")


if __name__ == "__main__":
    main(sys.argv[1:])
