"""The metrics that ask no model in five languages: `python -m bench.language_agreement [DATA]`.

DATA is the folder `xquad`, by default `../shared/data/xquad`: 240 paragraphs and 1,190 questions,
translated by people from English. A gold answer is a stretch of its paragraph, so each figure has a
value that it must have:

- the gold answer against its own paragraph, and against one of another article;
- `same figures`: the numbers of a translated paragraph against its English original. What is amiss
  in one language only is a fault of reading, or of the translation;
- the flag of unseen entities: the sentence that has the gold answer, as it is (nothing is unseen),
  and with another article's gold answer in its place (something is). Only answers whose English
  version has a name or a figure are planted, so that all languages have the same plants.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from ragproof.core import Absent, Answer, CaseRun, Chunk, Nugget, Observation, QuestionCase, Tools
from ragproof.metrics import catalog
from ragproof.text.names import names
from ragproof.text.quantities import quantities
from ragproof.text.sentence_spans import sentence_spans

XQUAD = Path(__file__).parents[2] / "shared/data/xquad"
LANGUAGES = ("en", "de", "ar", "hi", "zh")
METRICS = ("generation.k_precision", "generation.quantities_supported", "context.nugget_recall")
FLAG = "generation.unseen_entities"
AWAY = 595
"""So many questions further is another article."""


@dataclass(frozen=True)
class Asked:
    """A question with its paragraph."""

    question: str
    paragraph: str
    gold: str
    start: int
    """Of the gold answer in the paragraph."""

    def sentence(self, said: str) -> str:
        """The sentence that has the gold answer, with something said in its place."""
        end = self.start + len(self.gold)
        spans = sentence_spans(self.paragraph)
        first = max((a for a, _ in spans if a <= self.start), default=0)
        last = min((b for _, b in spans if b >= end), default=len(self.paragraph))
        return self.paragraph[first : self.start] + said + self.paragraph[end:last]


@dataclass(frozen=True)
class Flagged:
    """How the flag fared."""

    sentences: int
    """With an entity in them, half of them with a planted one; the rest are not scored."""
    precision: float
    """Of the flagged, those with a plant."""
    recall: float
    """Of the plants, those flagged; what the metric does not score is not flagged."""
    of_names: float
    """Recall where the planted answer is a name in English."""
    of_figures: float
    """Recall where it is a figure."""


def asked(folder: Path, language: str) -> list[Asked]:
    """All questions, in the order of the file, which is that of every language."""
    with gzip.open(folder / f"xquad.{language}.json.gz", "rt", encoding="utf-8") as text:
        articles = json.load(text)["data"]
    return [
        Asked(one["question"], paragraph["context"], gold["text"], gold["answer_start"])
        for article in articles
        for paragraph in article["paragraphs"]
        for one in paragraph["qas"]
        for gold in one["answers"][:1]
    ]


def score(name: str, answer: str, context: str, question: str = "?") -> float | None:
    """The metric's value for an answer from one passage; None where it does not apply."""
    nugget = Nugget(text=answer, vital=True, aliases=(answer,))
    case = QuestionCase(id="q", question=question, expected_nuggets=(nugget,))
    said = Answer(answer_text=answer, retrieved_chunks=(Chunk(id="c", text=context),))
    run = CaseRun(case, Observation(case_id="q", answer=said))
    metric: Any = catalog.build(name)
    try:
        scored = (
            metric.score(run) if name != METRICS[2] else asyncio.run(metric.score(run, Tools()))
        )
    except Absent:
        return None
    return float(scored.value)


def gold_answers(name: str, cases: list[Asked], away: int = 0) -> tuple[int, float]:
    """How many gold answers a metric scores, and the mean, against a paragraph so far away."""
    told = [
        value
        for at, one in enumerate(cases)
        if (value := score(name, one.gold, cases[(at + away) % len(cases)].paragraph)) is not None
    ]
    return len(told), fmean(told)


def same_figures(cases: list[Asked], english: list[Asked]) -> tuple[int, float]:
    """How many paragraphs have figures, and the mean share that follows from the original."""
    pairs = {
        one.paragraph: original.paragraph for one, original in zip(cases, english, strict=True)
    }
    told = [
        value
        for translated, original in pairs.items()
        if (value := score(METRICS[1], translated, original)) is not None
    ]
    return len(told), fmean(told)


def flagged(cases: list[Asked], english: list[Asked]) -> Flagged:
    """Plant and look whether it is seen."""
    true = false = scored = 0
    of: dict[str, list[bool]] = {"name": [], "figure": []}
    for at, one in enumerate(cases):
        there = (at + AWAY) % len(cases)
        if (kind := _kind(english[there].gold)) is None:
            continue
        if cases[there].gold in one.paragraph:
            continue
        as_is = score(FLAG, one.sentence(one.gold), one.paragraph)
        planted = score(FLAG, one.sentence(cases[there].gold), one.paragraph)
        scored += (as_is is not None) + (planted is not None)
        false += as_is == 1
        true += planted == 1
        of[kind].append(planted == 1)
    every = of["name"] + of["figure"]
    precision = true / (true + false)
    return Flagged(scored, precision, fmean(every), fmean(of["name"]), fmean(of["figure"]))


def _kind(gold: str) -> str | None:
    """What a planted answer is, by its English version."""
    if quantities(gold, answer=True):
        return "figure"
    return "name" if names(f"it is {gold}") else None


def lines(folder: Path) -> Iterator[str]:
    """A line a figure and language."""
    english = asked(folder, "en")
    for language in LANGUAGES:
        cases = asked(folder, language)
        for name in METRICS:
            count, own = gold_answers(name, cases)
            _, other = gold_answers(name, cases, AWAY)
            yield f"{language}  {name:34} {count:5} own {own:.3f}  other {other:.3f}"
        if language != "en":
            count, share = same_figures(cases, english)
            yield f"{language}  {'same figures':34} {count:5} {share:.3f}"
        flag = flagged(cases, english)
        yield (
            f"{language}  {FLAG:34} {flag.sentences:5} precision {flag.precision:.3f}  "
            f"recall {flag.recall:.3f}: names {flag.of_names:.3f}, figures {flag.of_figures:.3f}"
        )


def main(folder: Path) -> None:
    """Print them."""
    for line in lines(folder):
        print(line, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else XQUAD)
