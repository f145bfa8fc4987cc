"""What variants of questions cost a search by words: `python -m bench.variants [DATA]`.

DATA is a folder with `xquad` in it, by default `../shared/data`: 1,190 English questions, each
varied by typos, capitals and the same question in four languages, asked of the 240 English
paragraphs. Printed is `robustness.recall_drop` for each kind, and the CPU seconds of the metric.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from ragproof.core import CaseRun, Chunk, Observation, QuestionCase, Scored, Tools
from ragproof.engine.gather import Gathering
from ragproof.engine.score import Scorer
from ragproof.metrics import catalog
from ragproof.text.bm25 import Bm25

METRIC = "robustness.recall_drop"
LANGUAGES = ("de", "ar", "hi", "zh")


def questions(folder: Path, language: str) -> dict[str, tuple[str, str]]:
    """Question id to its text and the number of its paragraph."""
    with gzip.open(folder / f"xquad.{language}.json.gz", "rt", encoding="utf-8") as file:
        articles: list[Any] = json.load(file)["data"]
    parts = [part for article in articles for part in article["paragraphs"]]
    return {
        one["id"]: (one["question"], str(at))
        for at, part in enumerate(parts)
        for one in part["qas"]
    }


def paragraphs(folder: Path) -> dict[str, str]:
    """Number to text, in English."""
    with gzip.open(folder / "xquad.en.json.gz", "rt", encoding="utf-8") as file:
        articles: list[Any] = json.load(file)["data"]
    parts = [part for article in articles for part in article["paragraphs"]]
    return {str(at): part["context"] for at, part in enumerate(parts)}


def with_typos(question: str) -> str:
    """Two neighbouring letters changed places in every other word of four letters and more."""
    lot, words = Random(question), question.split()
    for at in range(0, len(words), 2):
        if len(word := words[at]) > 3:
            swap = lot.randrange(len(word) - 2)
            words[at] = word[:swap] + word[swap + 1] + word[swap] + word[swap + 2 :]
    return " ".join(words)


def cases(folder: Path) -> Iterator[QuestionCase]:
    """Each question and its variants."""
    other = {language: questions(folder, language) for language in LANGUAGES}
    for id_, (question, place) in questions(folder, "en").items():
        yield QuestionCase(id=id_, question=question, expected_source_ids=(place,))
        varied = {"typo": with_typos(question), "casing": question.upper()}
        varied |= {language: asked[id_][0] for language, asked in other.items()}
        for kind, text in varied.items():
            tags = {"perturbation": kind}
            yield QuestionCase(id=f"{id_}-{kind}", question=text, variant_of=id_, tags=tags)


def main() -> None:
    """Search, gather and print."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "shared/data"
    texts = paragraphs(data / "xquad")
    search = Bm25([*texts.values()])
    runs = [
        CaseRun(case, Observation(case_id=case.id, retrieved=found(search, case.question)))
        for case in cases(data / "xquad")
    ]
    metric, started = catalog.build(METRIC), process_time()
    gathering, scorer = Gathering(metric), Scorer({METRIC: metric})
    for run in runs:
        gathering.add(run)
    sums: dict[str, tuple[float, float]] = {}
    for group in gathering.subjects().values():
        for row in asyncio.run(scorer.outcomes(group, Tools())):
            if isinstance(row.outcome, Scored):
                upper, lower = sums.get(row.key, (0.0, 0.0))
                weight = row.outcome.weight
                sums[row.key] = upper + row.outcome.value * weight, lower + weight
    for key, (upper, lower) in sums.items():
        print(f"{key:48} {upper / lower:6.3f}  {lower:5.0f} pairs")
    print(f"{len(runs)} runs, {process_time() - started:.2f} CPU s for the metric")


def found(search: Bm25, question: str) -> tuple[Chunk, ...]:
    """The first five paragraphs."""
    return tuple(Chunk(id=str(one)) for one, _ in search.best(question, 5))


if __name__ == "__main__":
    main()
