"""The searches that `bench.scifact` evaluates, as an adapter of ragproof."""

from __future__ import annotations

import json
from collections.abc import Collection
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ragproof.datasets.corpus import load_corpus
from ragproof.fusion import rrf
from ragproof.text.bm25 import STOP_WORDS, Bm25, Tokenizer, light_tokens

POOL = 1000
"""So many of each list are fused, by reciprocal rank with k 60."""


class Search:
    """Searches a benchmark's corpus by words, by stored vectors, or by both."""

    version = "1"

    def __init__(self, *, by: str, folder: str, vectors: str) -> None:
        """Index; `by` is `bm25` (k1 1.5, b 0.75), `minilm` or `rrf`."""
        corpus = load_corpus(Path(folder) / "corpus.jsonl")
        self._by = by
        self._ids = list(corpus)
        if by != "minilm":
            texts = [corpus.text(one) or "" for one in self._ids]
            self._index = Bm25(texts, tokens=tokenizer() or light_tokens)
        if by != "bm25":
            with np.load(vectors) as stored:
                at = {str(one): row for row, one in enumerate(stored["doc_ids"])}
                self._documents = _unit(stored["doc"])[[at[one] for one in self._ids]]
                rows = {str(one): row for row, one in enumerate(stored["query_ids"])}
                self._queries = _unit(stored["query"])
            lines = (Path(folder) / "queries.jsonl").read_text(encoding="utf-8").splitlines()
            self._rows = {one["text"]: rows[one["_id"]] for one in map(json.loads, lines)}

    def retrieve(self, question: str, k: int) -> list[dict[str, Any]]:
        """The k best documents."""
        if self._by == "bm25":
            found = self._index.best(question, k)
        elif self._by == "minilm":
            found = self._nearest(question, k)
        else:
            lists = (self._index.best(question, POOL), self._nearest(question, POOL))
            found = rrf([[at for at, _ in one] for one in lists])[:k]
        return [{"id": self._ids[at], "score": score} for at, score in found]

    def _nearest(self, question: str, k: int) -> list[tuple[int, float]]:
        scores = self._documents @ self._queries[self._rows[question]]
        best = np.argsort(-scores, kind="stable")[:k]
        return [(int(at), float(scores[at])) for at in best]


def tokenizer(stop_words: Collection[str] = STOP_WORDS) -> Tokenizer | None:
    """Snowball's English stems of words of two letters and more; None without PyStemmer."""
    if find_spec("Stemmer") is None:
        return None
    stemmer = import_module("Stemmer").Stemmer("english")

    def tokens(text: str) -> list[str]:
        words = "".join(c if c.isalnum() or c == "_" else " " for c in text.lower()).split()
        kept = [word for word in words if len(word) > 1 and word not in stop_words]
        return list(stemmer.stemWords(kept))

    return tokens


def _unit(stored: Any) -> Any:  # noqa: ANN401 - arrays
    """Unit vectors of those that were rounded to whole numbers."""
    vectors = stored.astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
