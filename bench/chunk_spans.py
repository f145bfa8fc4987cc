"""Span figures by size of chunk, BM25 at 5: `python -m bench.chunk_spans [DATA] [CORPUS]`.

DATA is the folder `chunking_eval` (questions with exact spans in five corpora), by default
`../shared/data/chunking_eval`; CORPUS one of its corpora, by default `state_of_the_union`.
For this one, recall .868, .921, .987 and IoU .089, .047, .024 are known for chunks of 400, 800 and
1600 characters; where those were cut is not. Here documents are cut at every so many characters,
and at the last end of a sentence before that.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from statistics import fmean

from ragproof.core import CaseRun, Chunk, Observation, QuestionCase, SourceSpan
from ragproof.metrics.retrieval.span_iou import SpanIou
from ragproof.metrics.retrieval.span_precision import SpanPrecision
from ragproof.metrics.retrieval.span_recall import SpanRecall
from ragproof.text.bm25 import Bm25

SIZES = (400, 800, 1600)
K = 5
SENTENCE_END = re.compile(r"[.?!][\"\u201d\u2019]?\s+")


def cases(folder: Path, corpus: str) -> Iterator[QuestionCase]:
    """The questions about a corpus, with the spans that answer them."""
    with (folder / "questions_df.csv").open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines)):
            if row["corpus_id"] == corpus:
                spans = tuple(
                    SourceSpan(document_id=corpus, start=one["start_index"], end=one["end_index"])
                    for one in json.loads(row["references"])
                )
                yield QuestionCase(id=f"q{number}", question=row["question"], expected_spans=spans)


def even(text: str, size: int) -> list[int]:
    """Cut at every `size` characters."""
    return [*range(0, len(text), size), len(text)]


def sentences(text: str, size: int) -> list[int]:
    """Cut at the last end of a sentence within `size`; one that is longer is cut at `size`."""
    ends = [found.end() for found in SENTENCE_END.finditer(text)]
    cuts = [0]
    while cuts[-1] < len(text):
        limit = cuts[-1] + size
        fits = [end for end in ends if cuts[-1] < end <= limit]
        cuts.append(min(len(text), fits[-1] if fits and limit < len(text) else limit))
    return cuts


WAYS: Mapping[str, Callable[[str, int], list[int]]] = {"even": even, "sentences": sentences}


def chunks(text: str, corpus: str, cuts: list[int]) -> list[Chunk]:
    """The text between the cuts."""
    return [
        Chunk(
            id=f"{corpus}#{start}",
            text=text[start:end],
            metadata={"document_id": corpus, "start": start, "end": end},
        )
        for start, end in pairwise(cuts)
    ]


def figures(folder: Path, corpus: str, way: str, size: int) -> dict[str, float]:
    """Mean recall, precision and IoU of the first five chunks."""
    text = (folder / f"corpora/{corpus}.md").read_text(encoding="utf-8")
    cut = chunks(text, corpus, WAYS[way](text, size))
    index = Bm25([chunk.text for chunk in cut])
    found: dict[str, list[float]] = {"recall": [], "precision": [], "iou": []}
    for case in cases(folder, corpus):
        best = tuple(cut[at] for at, _ in index.best(case.question, K))
        run = CaseRun(case, Observation(case_id=case.id, retrieved=best))
        found["recall"].append(SpanRecall(k=K).score(run).value)
        found["precision"].append(SpanPrecision(k=K).score(run).value)
        found["iou"].append(SpanIou(k=K).score(run).value)
    return {name: fmean(values) for name, values in found.items()}


def main(arguments: list[str]) -> None:
    """Print a line a way and size."""
    folder = Path(arguments[0]) if arguments else Path("../shared/data/chunking_eval")
    corpus = arguments[1] if len(arguments) > 1 else "state_of_the_union"
    for way in WAYS:
        for size in SIZES:
            found = figures(folder, corpus, way, size)
            print(f"{way:9} {size:5}  " + "  ".join(f"{k} {v:.3f}" for k, v in found.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
