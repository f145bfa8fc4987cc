"""Span figures by size of chunk, BM25 at 5: `python -m bench.chunk_spans [DATA] [CORPUS]`.

DATA is the folder `chunking_eval` (questions with exact spans in five corpora), by default
`../shared/data/chunking_eval`; CORPUS one of its corpora, by default `state_of_the_union`.
For this one, recall .868, .921, .987 and IoU .089, .047, .024 are known for chunks of 400, 800 and
1600 characters. They are those of `windows`, cut at a blank line or the end of a sentence in the
second half of the window, searched with Snowball's stems (which take PyStemmer) and Lucene's stop
words. The other ways to cut show how much hangs on that: documents cut at every so many
characters, and at the last end of a sentence before that. Exits with 1 where a known figure is not
reached to its three digits.
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

from bench.scifact_search import tokenizer
from ragproof.core import CaseRun, Chunk, Observation, QuestionCase, SourceSpan
from ragproof.metrics.retrieval.span_iou import SpanIou
from ragproof.metrics.retrieval.span_precision import SpanPrecision
from ragproof.metrics.retrieval.span_recall import SpanRecall
from ragproof.text.bm25 import Bm25, Tokenizer, light_tokens

SIZES = (400, 800, 1600)
K = 5
KNOWN = {400: (0.868, 0.089), 800: (0.921, 0.047), 1600: (0.987, 0.024)}
"""Size of the windows of the `state_of_the_union` to recall and IoU."""
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by for if in into is it no not of on or such "
        "that the their then there these they this to was will with",
    )
)
"""Lucene's of English."""
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


def windows(text: str, size: int) -> list[int]:
    """Cut behind the last line that ends before a blank one, or full stop before a blank.

    Only those in the second half of the window count; where there is none it is cut at `size`.
    """
    cuts = [0]
    while (start := cuts[-1]) < len(text):
        end = min(start + size, len(text))
        if end < len(text):
            last = max(text.rfind(mark, start + size // 2, end) for mark in ("\n\n", ". "))
            end = end if last < 0 else last + 1
        cuts.append(end)
    return cuts


WAYS: Mapping[str, Callable[[str, int], list[int]]] = {
    "even": even,
    "sentences": sentences,
    "windows": windows,
}


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


def figures(
    folder: Path, corpus: str, way: str, size: int, tokens: Tokenizer = light_tokens
) -> dict[str, float]:
    """Mean recall, precision and IoU of the first five chunks."""
    text = (folder / f"corpora/{corpus}.md").read_text(encoding="utf-8")
    cut = chunks(text, corpus, WAYS[way](text, size))
    index = Bm25([chunk.text for chunk in cut], tokens=tokens)
    found: dict[str, list[float]] = {"recall": [], "precision": [], "iou": []}
    for case in cases(folder, corpus):
        best = tuple(cut[at] for at, _ in index.best(case.question, K))
        run = CaseRun(case, Observation(case_id=case.id, retrieved=best))
        found["recall"].append(SpanRecall(k=K).score(run).value)
        found["precision"].append(SpanPrecision(k=K).score(run).value)
        found["iou"].append(SpanIou(k=K).score(run).value)
    return {name: fmean(values) for name, values in found.items()}


def as_known(size: int, found: Mapping[str, float]) -> bool:
    """Whether recall and IoU are the known ones, to their three digits."""
    return (round(found["recall"], 3), round(found["iou"], 3)) == KNOWN[size]


def main(arguments: list[str]) -> int:
    """Print a line a way and size."""
    folder = Path(arguments[0]) if arguments else Path("../shared/data/chunking_eval")
    corpus = arguments[1] if len(arguments) > 1 else "state_of_the_union"
    stems, fine = tokenizer(STOP_WORDS), True
    if stems is None:
        print("PyStemmer is not installed: plural endings are taken off, and no more")
    for way in WAYS:
        for size in SIZES:
            found = figures(folder, corpus, way, size, stems or light_tokens)
            told = ""
            if way == "windows" and stems is not None and corpus == "state_of_the_union":
                told = "  as known" if as_known(size, found) else f"  known: {KNOWN[size]}"
                fine = fine and as_known(size, found)
            figured = "  ".join(f"{k} {v:.3f}" for k, v in found.items())
            print(f"{way:9} {size:5}  {figured}{told}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
