"""Labelled pairs of texts that a small entailment model learns from, made of data beside the repo.

What people said: answers that they wrote from a passage (CLAPNQ), claims that they held against
abstracts (SciFact, train), answers of systems to one question that they found right or wrong
(EVOUNA). What is made here: sentences of a passage (NoMIRACL, SciFact), as they are or shortened,
which it entails, and the same with one thing changed, or without the sentence, which it does not.

No text of MTRAG, BEGIN, XQuAD or of the abstracts of SciFact's dev claims is in it: those are there
to measure by.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench.entailment_contrasts import changed, reworded, shortened
from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.names import names
from ragproof.text.quantities import quantities
from ragproof.text.sentence_spans import sentence_spans

LEAST_WORDS, MOST_WORDS = 6, 45
"""Of a sentence that is held against a passage."""
SAME_WORDS = 10
"""So many in a row are the same text."""
ABSTRACTS = 400
EACH = 2
"""So many sentences are taken of a passage."""
MOST = 4_000
"""Of one source."""
SOME, MANY = 25, 60
"""Words from which on a passage is given no more sentences."""
PADDED = 0.3
"""Share of answers that stand between those to other questions."""
OPENERS = ("Yes, ", "No, ", "I think ", "Actually, ", "According to the text, ", "Well, ")
"""What stands before some statements of either kind and says nothing of them."""
OPENED = 0.08
CONTEXT = re.compile(r"^\[\d+\] (?:(?P<title>[^:\n]{1,80}): )?(?P<text>.+)$", re.MULTILINE)
_SYSTEMS = ("gpt35", "chatgpt", "gpt4", "newbing")


@dataclass(frozen=True)
class Pair:
    """Two texts, and whether the first entails the second."""

    premise: str
    hypothesis: str
    entails: bool


@dataclass(frozen=True)
class Passage:
    """Its sentences, and what it is called."""

    title: str
    sentences: tuple[str, ...]

    def text(self, *without: str) -> str:
        """The whole, title first; some sentences left out."""
        said = " ".join(one for one in self.sentences if one not in without)
        return f"{self.title}\n{said}" if self.title else said

    def around(self, *kept: str, words: int) -> Passage:
        """Some of its sentences, and as many about them as there is room for."""
        places = [at for at, one in enumerate(self.sentences) if one in kept] or [0]
        first, last = min(places), max(places)
        size = 0
        while size < words and last - first + 1 < len(self.sentences):
            first, last = max(0, first - 1), min(len(self.sentences) - 1, last + 1)
            size = sum(len(one.split()) for one in self.sentences[first : last + 1])
        return Passage(self.title, self.sentences[first : last + 1])

    @property
    def statements(self) -> list[str]:
        """Sentences of usual length."""
        return [one for one in self.sentences if LEAST_WORDS <= len(one.split()) <= MOST_WORDS]


def pairs(data: Path, seed: int) -> dict[str, list[Pair]]:
    """Source to its pairs in random order, as many of the one kind as of the other."""
    random = Random(seed)
    held = stretches(held_out(data))
    found = {}
    for source in (clapnq, scifact, evouna, nomiracl, abstracts):
        kinds: dict[bool, list[Pair]] = {True: [], False: []}
        for one in source(data, random):
            if not held & stretches([one.premise, one.hypothesis]):
                kinds[one.entails].append(_opened(one, random))
        fewer = min(MOST // 2, *map(len, kinds.values()))
        some = [pair for kind in kinds.values() for pair in random.sample(kind, fewer)]
        random.shuffle(some)
        found[source.__name__] = some
    return found


def stretches(texts: Sequence[str]) -> set[tuple[str, ...]]:
    """Every ten words in a row, by which a text is known again where it is cut otherwise."""
    cut = (answer_tokens(one) for one in texts)
    return {
        tuple(words[at : at + SAME_WORDS])
        for words in cut
        for at in range(len(words) - SAME_WORDS + 1)
    }


def held_out(data: Path) -> list[str]:
    """The texts of what is measured by."""
    mtrag = read_json(data / "mtrag_human/human_evaluations.json.gz")
    articles = read_json(data / "xquad/xquad.en.json.gz")["data"]
    with (data / "begin/wow/begin_dev_wow.tsv").open(encoding="utf-8", newline="") as lines:
        known = [row["knowledge"] for row in csv.DictReader(lines, delimiter="\t")]
    dev = claims_of_dev(data)
    return [
        *(one["text"] for one in mtrag["documents"]),
        *(one["context"] for article in articles for one in article["paragraphs"]),
        *known,
        *(" ".join(one["abstract"]) for one in scifact_corpus(data) if one["_id"] in dev),
    ]


def clapnq(data: Path, random: Random) -> Iterator[Pair]:
    """What people wrote from a passage, against it whole, and without the sentences they used."""
    for one in json_lines(data / "clapnq/clapnq_dev_answerable.jsonl"):
        source = one["passages"][0]
        passage = Passage(source["title"], tuple(source["sentences"]))
        for answer in one["output"]:
            used = answer["selected_sentences"]
            shown = passage.around(*used, words=MANY)
            for said in dict.fromkeys([answer["answer"], *split(answer["answer"]), *used]):
                yield Pair(shown.text(), said, entails=True)
                yield Pair(shown.text(*used), said, entails=False)
                if told := changed(said, passage.sentences, random):
                    yield Pair(shown.text(), told, entails=False)


def scifact(data: Path, random: Random) -> Iterator[Pair]:
    """Claims that people held against an abstract; those that it says nothing of, too."""
    documents = {one["_id"]: one for one in scifact_corpus(data)}
    for claim in json_lines(data / "scifact/claims_train.jsonl"):
        for name in claim["cited_doc_ids"]:
            document = documents[str(name)]
            whole = Passage(document["title"], tuple(document["abstract"]))
            told = claim["evidence"].get(str(name), [])
            for group in told:
                used = [whole.sentences[at] for at in group["sentences"]]
                supports = group["label"] == "SUPPORT"
                yield Pair(" ".join(used), claim["claim"], supports)
                shown = whole.around(*used, words=MANY)
                yield Pair(shown.text(), claim["claim"], supports)
                if supports and (other := changed(claim["claim"], whole.sentences, random)):
                    yield Pair(shown.text(), other, entails=False)
            if not told:
                shown = whole.around(random.choice(whole.sentences), words=MANY)
                yield Pair(shown.text(), claim["claim"], entails=False)


def evouna(data: Path, random: Random) -> Iterator[Pair]:
    """Systems' answers to one question: two right ones of the same names and figures; one wrong."""
    asked = [one for one in read_json(data / "evouna/NQ.json.gz") if not one["improper"]]
    for one in asked:
        told = {name: one[f"answer_{name}"] for name in _SYSTEMS if one[f"answer_{name}"]}
        right = [text for name, text in told.items() if one[f"judge_{name}"] is True]
        wrong = [text for name, text in told.items() if one[f"judge_{name}"] is False]
        for text in right[:2]:
            shown = _between(text, asked, random)
            for other in (each for each in right if each != text):
                said = split(other)[0]
                if _repeats(said, text):
                    yield Pair(shown, said, entails=True)
                if told_else := changed(said, [one["question"], *right], random):
                    yield Pair(shown, told_else, entails=False)
            for said in (split(other)[0] for other in wrong):
                if not _repeats(said, text):
                    yield Pair(shown, said, entails=False)


def nomiracl(data: Path, random: Random) -> Iterator[Pair]:
    """Sentences of Wikipedia, against their own passage and others found for the question."""
    for kind in ("relevant", "non_relevant"):
        name = f"nomiracl/{kind}.en.test.vanilla_prompt.jsonl.gz"
        for line in read_text(data / name).splitlines():
            prompt = json.loads(line)["prompt"]
            contexts = prompt.split("CONTEXTS:", 1)[1].rsplit("OUTPUT:", 1)[0]
            found = [
                Passage(one["title"] or "", tuple(split(one["text"])))
                for one in CONTEXT.finditer(contexts)
            ]
            yield from _made(found, random)


def abstracts(data: Path, random: Random) -> Iterator[Pair]:
    """Sentences of abstracts that no dev claim is held against."""
    dev = claims_of_dev(data)
    known = [one for one in scifact_corpus(data) if one["_id"] not in dev]
    some = random.sample(known, ABSTRACTS)
    found = [Passage(one["title"], tuple(one["abstract"])) for one in some]
    for at in range(0, len(found), 10):
        yield from _made(found[at : at + 10], random)


def _made(found: Sequence[Passage], random: Random) -> Iterator[Pair]:
    """Some sentences of each passage, borne out and not.

    What is changed is at times the passage, and at times both: a statement alone tells nothing.
    """
    for passage in found:
        known = passage.statements
        for one in random.sample(known, min(EACH, len(known))):
            others = [other for other in passage.sentences if other != one]
            other = changed(one, others, random)
            yield from _four(passage, one, other, random)
            if others and random.random() < 0.3:
                shown = passage.around(one, words=MANY).text(one)
                yield Pair(shown, _told(one, passage, random), entails=False)
            away = random.choice(found)
            if away is not passage and random.random() < 0.2:
                shown = away.around(random.choice(away.sentences), words=MANY).text()
                yield Pair(shown, _told(one, passage, random), entails=False)


def _four(passage: Passage, one: str, other: str | None, random: Random) -> Iterator[Pair]:
    """A sentence and its change, either against either, two of the four."""
    shown = {one: passage}
    if other is not None:
        put = tuple(other if each == one else each for each in passage.sentences)
        shown[other] = Passage(passage.title, put)
    source = random.choice([*shown])
    premise = shown[source].around(source, words=random.choice((SOME, MANY))).text()
    for said in shown:
        yield Pair(premise, _told(said, passage, random), entails=said == source)


def _told(said: str, passage: Passage, random: Random) -> str:
    return reworded(shortened(said, random), passage.title, random)


def split(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[start:end] for start, end in sentence_spans(text)] or [text]


def _repeats(said: str, source: str) -> bool:
    """Whether all names and figures and most words of a sentence are the source's."""
    words, known = answer_tokens(said), set(answer_tokens(source))
    named = {word for name in names(said) for word in answer_tokens(name)}
    figures = {one.values for one in quantities(source)}
    return (
        named <= known
        and all(one.values in figures for one in quantities(said))
        and sum(one in known for one in words) >= 0.7 * len(words)
    )


def _between(text: str, asked: Sequence[dict[str, Any]], random: Random) -> str:
    """An answer, sometimes between answers to other questions."""
    if random.random() > PADDED:
        return text
    others = [random.choice(asked)["answer_chatgpt"] or "" for _ in range(2)]
    return "\n".join(random.sample([text, *others], 3)).strip()


def _opened(one: Pair, random: Random) -> Pair:
    """The pair, at times with an opening that says nothing."""
    if random.random() > OPENED:
        return one
    said = random.choice(OPENERS) + one.hypothesis
    return Pair(one.premise, said, one.entails)


def claims_of_dev(data: Path) -> set[str]:
    """Ids of the abstracts that a dev claim is held against."""
    dev = json_lines(data / "scifact/claims_dev.jsonl")
    return {str(name) for one in dev for name in one["cited_doc_ids"]}


def scifact_corpus(data: Path) -> Iterator[dict[str, Any]]:
    """Its documents."""
    return map(json.loads, read_text(data / "scifact/corpus.jsonl.gz").splitlines())


def json_lines(path: Path) -> list[dict[str, Any]]:
    """Objects, one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_json(path: Path) -> Any:  # noqa: ANN401  what JSON holds
    """What a compressed file holds."""
    return json.loads(read_text(path))


def read_text(path: Path) -> str:
    """What a compressed file says."""
    return gzip.decompress(path.read_bytes()).decode()
