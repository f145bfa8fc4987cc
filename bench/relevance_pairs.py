"""Questions and passages that a small cross-encoder learns from, made of data beside the repo.

Passages that people answered a question from, and such that they looked for an answer in and found
none (CLAPNQ); abstracts that a claim cites, and those that share its words (SciFact, train);
answers to a question, and to others that share its words (EVOUNA). NoMIRACL and the abstracts of
SciFact's dev claims are not in it: those are there to measure by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from bench.entailment_pairs import (
    MANY,
    Passage,
    claims_of_dev,
    json_lines,
    read_json,
    scifact_corpus,
)
from ragproof.text.bm25 import Bm25

NEAR = 6
"""So many of the passages that share most words are negatives, one by chance."""
MOST = 4_000


def relevance(data: Path, seed: int) -> dict[str, list[tuple[str, str, bool]]]:
    """Source to question, passage and whether it is relevant; as many are as are not."""
    random = Random(seed)
    sources: Sequence[Callable[[Path, Random], Iterator[tuple[str, str, bool]]]]
    sources = (answered, cited, replied)
    found = {}
    for source in sources:
        kinds: dict[bool, list[tuple[str, str, bool]]] = {True: [], False: []}
        for one in source(data, random):
            kinds[one[2]].append(one)
        fewer = min(MOST // 2, *map(len, kinds.values()))
        some = [one for kind in kinds.values() for one in random.sample(kind, fewer)]
        random.shuffle(some)
        found[source.__name__] = some
    return found


def answered(data: Path, random: Random) -> Iterator[tuple[str, str, bool]]:
    """CLAPNQ: a question with its passage, the part that answers or another, and a like one."""
    kinds = {
        kind: json_lines(data / f"clapnq/clapnq_dev_{kind}.jsonl")
        for kind in ("answerable", "unanswerable")
    }
    every = [one for some in kinds.values() for one in some]
    passages = [
        Passage(one["passages"][0]["title"], tuple(one["passages"][0]["sentences"]))
        for one in every
    ]
    index = Bm25([one.text() for one in passages])
    for place, one in enumerate(every):
        question, mine = one["input"], passages[place]
        used = one["output"][0].get("selected_sentences") or []
        yield question, mine.around(*used, words=MANY).text(), bool(used)
        if used:
            yield question, " ".join(used), True
        others = [at for at, _ in index.best(question, NEAR + 1) if at != place]
        for at in random.sample(others, min(2, len(others))):
            yield question, passages[at].around(words=MANY).text(), False


def cited(data: Path, random: Random) -> Iterator[tuple[str, str, bool]]:
    """SciFact: a claim with an abstract that it cites, and with one that is like it."""
    held = claims_of_dev(data)
    known = [one for one in scifact_corpus(data) if one["_id"] not in held]
    places = {one["_id"]: at for at, one in enumerate(known)}
    passages = [Passage(one["title"], tuple(one["abstract"])) for one in known]
    index = Bm25([one.text() for one in passages])
    for claim in json_lines(data / "scifact/claims_train.jsonl"):
        mine = {places[str(one)] for one in claim["cited_doc_ids"] if str(one) in places}
        near = [at for at, _ in index.best(claim["claim"], 3 * NEAR) if at not in mine][2:]
        for at in mine:
            yield claim["claim"], passages[at].around(words=MANY).text(), True
        for at in random.sample(near, min(len(mine), len(near))):
            yield claim["claim"], passages[at].around(words=MANY).text(), False


def replied(data: Path, random: Random) -> Iterator[tuple[str, str, bool]]:
    """EVOUNA: a question with an answer that is right, and with one to a like question."""
    asked = [
        one
        for one in read_json(data / "evouna/NQ.json.gz")
        if one["judge_chatgpt"] is True and one["answer_chatgpt"]
    ]
    index = Bm25([one["answer_chatgpt"] for one in asked])
    for place, one in enumerate(asked):
        others = [at for at, _ in index.best(one["question"], NEAR + 1) if at != place]
        yield one["question"], one["answer_chatgpt"], True
        if others:
            yield one["question"], asked[random.choice(others)]["answer_chatgpt"], False
