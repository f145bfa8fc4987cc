"""How far a local cross-encoder goes with people: `python -m bench.relevance_agreement`.

`--model PATH` is whatever `local.cross_encoder` takes; `--embeddings PATH`, whatever
`local.embeddings` takes, is beside it where it is given. `--data` is a folder with `nomiracl` and
`scifact` in it, by default `../shared/data`.

- NoMIRACL: questions with ten passages each, of which people found some relevant, or none. Is
  `context.cross_encoder_relevance` higher where there is something to find? Beside it stands the
  share of the question's words that a passage has.
- SciFact: the twenty abstracts that BM25 finds for each claim, put in order anew: nDCG@10.

Intervals are of 95 %, from resamples of questions. It needs `pip install "ragproof[local]" scipy`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from bench.entailment_agreement import DATA, RESAMPLES, Timed, auroc
from bench.entailment_pairs import CONTEXT, json_lines, read_text, scifact_corpus
from ragproof.core import Answer, CaseRun, Chunk, LocalModels, Observation, QuestionCase, Tools
from ragproof.core.local import Embedder
from ragproof.local.files import find
from ragproof.local.models import Loading, OnnxEmbedder, OnnxPairModel
from ragproof.metrics import catalog
from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.bm25 import STOP_WORDS, Bm25

FIRST = 20
"""So many abstracts are put in order."""
EVERY = 2
"""One in so many questions of NoMIRACL is asked, to be done in minutes,"""
EVERY_CLAIM = 3
"""and one in so many claims of SciFact."""
METRIC = "context.cross_encoder_relevance"


@dataclass(frozen=True)
class Asked:
    """A question, its passages, and whether people found a relevant one."""

    question: str
    passages: Sequence[str]
    relevant: bool


def nomiracl(folder: Path) -> Iterator[Asked]:
    """Both kinds of questions."""
    for kind in ("relevant", "non_relevant"):
        text = read_text(folder / f"{kind}.en.test.vanilla_prompt.jsonl.gz")
        for line in text.splitlines()[::EVERY]:
            asked, contexts = json.loads(line)["prompt"].split("CONTEXTS:", 1)
            question = asked.rpartition("QUESTION:")[2].strip()
            contexts = contexts.rsplit("OUTPUT:", 1)[0]
            found = [one[0].partition("] ")[2] for one in CONTEXT.finditer(contexts)]
            yield Asked(question, found, kind == "relevant")


def relevance(one: Asked, tools: Tools) -> tuple[float, float]:
    """What the metric says of the context, and the score of its best chunk."""
    chunks = tuple(Chunk(id=str(at), text=text) for at, text in enumerate(one.passages))
    said = Answer(answer_text="?", retrieved_chunks=chunks)
    case = QuestionCase(id="q", question=one.question)
    run = CaseRun(case, Observation(case_id="q", answer=said))
    metric: Any = catalog.build(METRIC)
    told = asyncio.run(metric.score(run, tools))
    return told.value, max(told.evidence["scores"].values())


def shared_words(one: Asked) -> float:
    """The greatest share of the question's words that a passage has."""
    asked = set(answer_tokens(one.question)) - STOP_WORDS
    told = (len(asked & set(answer_tokens(text))) for text in one.passages)
    return max(told) / max(1, len(asked))


def likest(one: Asked, embed: Embedder) -> float:
    """The greatest cosine of the question and a passage."""
    vectors = np.array(asyncio.run(embed([one.question, *one.passages])))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return float((vectors[1:] @ vectors[0]).max())


def on_nomiracl(folder: Path, model: Timed, embed: Embedder | None) -> None:
    """Print how well each figure tells questions that have a relevant passage."""
    known = [*nomiracl(folder)]
    good = np.array([float(one.relevant) for one in known])
    tools = Tools(local=LocalModels(cross_encoder=model))
    told = np.array([relevance(one, tools) for one in known])
    figures = {
        METRIC: told[:, 0],
        "score of the best chunk": told[:, 1],
        "words of the question in the best chunk": np.array([*map(shared_words, known)]),
    }
    if embed is not None:
        figures["cosine of the likest chunk"] = np.array([likest(one, embed) for one in known])
    print(f"\nNoMIRACL: {len(known)} questions, {int(good.sum())} with a relevant passage: AUROC")
    for name, values in figures.items():
        low, high = _ends([*zip(values, good, strict=True)], _auroc_of)
        print(f"  {name:40} {auroc(values, good):.2f} [{low:.2f}, {high:.2f}]")


def _auroc_of(rows: Sequence[tuple[float, float]]) -> float:
    values, good = np.array(rows).T
    return auroc(values, good)


def on_scifact(folder: Path, model: Timed) -> None:
    """Print nDCG@10 of the first abstracts in three orders."""
    documents = [*scifact_corpus(folder.parent)]
    names = [one["_id"] for one in documents]
    texts = [f"{one['title']}\n{' '.join(one['abstract'])}" for one in documents]
    index, cosines = Bm25(texts), _cosines(folder)
    claims = json_lines(folder / "claims_dev.jsonl")[::EVERY_CLAIM]
    figures: dict[str, list[float]] = {"BM25": [], "MiniLM's cosine": [], "cross-encoder": []}
    for claim in claims:
        places = [at for at, _ in index.best(claim["claim"], FIRST)]
        pairs = [(claim["claim"], texts[at]) for at in places]
        scores = asyncio.run(model.scores(pairs))
        by_model = {at: one.logit for at, one in zip(places, scores, strict=True)}
        orders = (
            places,
            sorted(places, key=lambda at: -cosines[str(claim["id"])][names[at]]),
            sorted(places, key=lambda at: -by_model[at]),
        )
        for told, order in zip(figures.values(), orders, strict=True):
            told.append(_ndcg(claim, [names[at] for at in order]))
    print(f"\nSciFact: {len(claims)} claims, the first {FIRST} of BM25 in three orders: nDCG@10")
    for name, told in figures.items():
        low, high = _ends(told, fmean)
        print(f"  {name:40} {fmean(told):.3f} [{low:.3f}, {high:.3f}]")
    more = [a - b for a, b in zip(figures["cross-encoder"], figures["BM25"], strict=True)]
    low, high = _ends(more, fmean)
    print(f"  cross-encoder less BM25: {fmean(more):+.3f} [{low:+.3f}, {high:+.3f}]")


def _cosines(folder: Path) -> Mapping[str, Mapping[str, float]]:
    with np.load(folder / "minilm_vectors.npz") as stored:
        both = [stored[name].astype(np.float32) for name in ("query", "doc")]
        queries, documents = (one / np.linalg.norm(one, axis=1, keepdims=True) for one in both)
        asked, names = map(str, stored["query_ids"]), [*map(str, stored["doc_ids"])]
        return {
            query: dict(zip(names, row.tolist(), strict=True))
            for query, row in zip(asked, queries @ documents.T, strict=True)
        }


def _ndcg(claim: Mapping[str, Any], found: Sequence[str]) -> float:
    case = QuestionCase(
        id=str(claim["id"]),
        question=claim["claim"],
        expected_source_ids=tuple(map(str, claim["cited_doc_ids"])),
    )
    chunks = tuple(Chunk(id=one) for one in found)
    run = CaseRun(case, Observation(case_id=case.id, retrieved=chunks))
    metric: Any = catalog.build("retrieval.ndcg_at_k", {"k": 10})
    return float(metric.score(run).value)


def _ends(rows: Sequence[Any], figure: Any) -> tuple[float, float]:  # noqa: ANN401  of such rows
    draw = np.random.default_rng(1)
    drawn = (draw.integers(0, len(rows), len(rows)) for _ in range(RESAMPLES))
    told = [figure([rows[at] for at in some]) for some in drawn]
    low, high = np.nanpercentile(told, [2.5, 97.5])
    return float(low), float(high)


def main() -> None:
    """Print a part for each set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", required=True, help="as `local.cross_encoder` takes it")
    parser.add_argument("--embeddings", help="as `local.embeddings` takes it")
    parser.add_argument("--data", type=Path, default=DATA)
    said = parser.parse_args()
    files = find(said.model, Path.cwd(), os.environ)
    model = Timed(OnnxPairModel.cross_encoder(files, Loading()))
    embed = None
    if said.embeddings:
        embed = OnnxEmbedder.of(find(said.embeddings, Path.cwd(), os.environ), Loading())
    print(f"{said.model} {files.fingerprint[:19]}")
    on_nomiracl(said.data / "nomiracl", model, embed)
    on_scifact(said.data / "scifact", model)
    print(f"\n{model.told}")


if __name__ == "__main__":
    main()
