"""Answers with their passages and what people say of them, to measure a local model by.

- MTRAG: answers whose faithfulness to their passages three people rated from 1 to 4;
- BEGIN (Wizard of Wikipedia, dev): turns of dialogue that people found attributable to a passage,
  or not;
- SciFact (dev): claims and the abstracts that they cite, each of which people found to support the
  claim, to contradict it, or to say too little;
- XQuAD: nobody's label but the translators': the sentence with a gold answer, against its own
  paragraph; with another gold answer put in its place; and against another article's paragraph.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from bench.answer_agreement import attributed, rated
from bench.language_agreement import Asked, asked
from ragproof.core import Answer, CaseRun, Chunk, Citation, Observation, QuestionCase
from ragproof.core.needs import CONTEXT

WHOLLY = 4.0
"""Most of three people say so."""
EVERY = 24
"""One in so many questions of XQuAD is held against passages, to be done in minutes."""
AWAY = 595
"""So many questions further is another article."""


@dataclass(frozen=True)
class Labelled:
    """An answer, and what people say of it."""

    run: CaseRun
    good: bool
    """Whether people find that its passages bear it out."""
    rating: float
    """The same on their own scale."""
    unit: str
    """Answers of one unit are not independent of each other: those to one question."""


def mtrag(folder: Path) -> Iterator[Labelled]:
    """Answers of three systems to 92 questions."""
    ratings = _ratings(folder)
    for (run, mean), single in zip(rated(folder), ratings, strict=True):
        yield Labelled(run, median(single) >= WHOLLY, mean, run.case.id)


def begin(folder: Path) -> Iterator[Labelled]:
    """Turns of dialogue; those of one passage are one unit."""
    for run, unfaithful in attributed(folder):
        [passage] = run[CONTEXT]
        yield Labelled(run, not unfaithful, float(not unfaithful), passage.text)


def scifact(folder: Path) -> Iterator[Labelled]:
    """Each claim with one abstract that it cites."""
    for claim, cited in _claims(folder):
        for name, text, supports in cited:
            run = _cited(f"{claim['id']}:{name}", claim["claim"], [(name, text)])
            yield Labelled(run, supports, float(supports), str(claim["id"]))


def scifact_claims(folder: Path) -> Iterator[Labelled]:
    """Each claim with all abstracts that it cites; the rating is the share that supports it."""
    for claim, cited in _claims(folder):
        run = _cited(str(claim["id"]), claim["claim"], [(name, text) for name, text, _ in cited])
        said = [supports for _, _, supports in cited]
        yield Labelled(run, any(said), fmean(said), str(claim["id"]))


def xquad(folder: Path, language: str) -> Iterator[tuple[str, Labelled]]:
    """Sentences that a passage bears out, and their two counterparts, by what they are called."""
    known = asked(folder, language)
    for at in range(0, len(known), EVERY):
        one, other = known[at], known[(at + AWAY) % len(known)]
        said = one.sentence(one.gold)
        for kind, text, source in (
            ("own", said, one),
            ("planted", one.sentence(other.gold), one),
            ("away", said, other),
        ):
            run = _answered(f"{language}:{at}:{kind}", text, source)
            yield kind, Labelled(run, kind == "own", float(kind == "own"), str(at))


def _ratings(folder: Path) -> list[list[float]]:
    """Of each answer, in the order of `rated`."""
    with gzip.open(folder / "human_evaluations.json.gz", "rt", encoding="utf-8") as text:
        told = json.load(text)["evaluations"]
    return [[float(each) for each in one["annotations"]["faithfulness"]] for one in told]


def _claims(folder: Path) -> Iterator[tuple[dict[str, Any], list[tuple[str, str, bool]]]]:
    """Each claim, and of each abstract that it cites the id, the text, and whether it supports."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = {one["_id"]: " ".join(one["abstract"]) for one in map(json.loads, lines)}
    for line in (folder / "claims_dev.jsonl").read_text(encoding="utf-8").splitlines():
        claim = json.loads(line)
        names = [*dict.fromkeys(str(one) for one in claim["cited_doc_ids"])]
        said = {name: claim["evidence"].get(name, []) for name in names}
        yield (
            claim,
            [
                (name, texts[name], any(one["label"] == "SUPPORT" for one in said[name]))
                for name in names
            ],
        )


def _cited(name: str, claim: str, passages: Sequence[tuple[str, str]]) -> CaseRun:
    chunks = tuple(Chunk(id=one, text=text) for one, text in passages)
    said = Answer(
        answer_text=claim,
        retrieved_chunks=chunks,
        citations=tuple(Citation(chunk_id=one.id) for one in chunks),
    )
    return _run(name, said)


def _answered(name: str, said: str, source: Asked) -> CaseRun:
    passage = Chunk(id="paragraph", text=source.paragraph)
    return _run(name, Answer(answer_text=said, retrieved_chunks=(passage,)))


def _run(name: str, answer: Answer) -> CaseRun:
    case = QuestionCase(id=name, question="?")
    return CaseRun(case, Observation(case_id=name, answer=answer))
