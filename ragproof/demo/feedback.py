"""Query expansion without a model: what a rewrite by a model has to beat.

A first search is taken for right, and the words that mark its best texts join the query. RM3 takes
them from a relevance model, Bo1 by how much more often they come than chance would have it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import log2
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ragproof.core import UsageError
from ragproof.datasets.corpus import load_corpus
from ragproof.text.bm25 import Bm25, Tokenizer, light_tokens

Weights: TypeAlias = Mapping[str, float]
"""Token to weight in the query."""
Expansion: TypeAlias = Literal["none", "rm3", "bo1"]


class Feedback:
    """A BM25 index that also knows its texts' words."""

    def __init__(
        self,
        texts: Sequence[str],
        *,
        tokens: Tokenizer = light_tokens,
        k1: float = 1.5,
        b: float = 0.75,
    ) -> None:
        self.index = Bm25(texts, tokens=tokens, k1=k1, b=b)
        self.counts = [Counter(tokens(text)) for text in texts]
        self.total: Counter[str] = Counter()
        for count in self.counts:
            self.total.update(count)

    def search(self, query: str, k: int, expansion: Expansion = "none") -> list[tuple[int, float]]:
        """Find the k best texts, as `Bm25.best`, with an expansion of the query."""
        return self.index.weighted(EXPANSIONS[expansion](query, self), k)


def plain(query: str, index: Feedback) -> Weights:
    """The query as it is, with weights that add up to 1."""
    return _shares(Counter(index.index.tokens(query)))


def rm3(
    query: str, index: Feedback, *, texts: int = 10, words: int = 10, original: float = 0.5
) -> Weights:
    """Expand a query by a relevance model: Abdul-Jaleel and others, TREC 2004.

    A word weighs sum of P(word | text) * P(text | query) over the best texts, where P(word | text)
    is its share of the text's words, and P(text | query) the text's share of their scores. The
    `words` heaviest are mixed with the query, which keeps the share `original`.

    Example:
        >>> index = Feedback(["red lamp lamp", "red lamp", "blue chair"])
        >>> {word: round(weight, 2) for word, weight in rm3("red", index).items()}
        {'red': 0.71, 'lamp': 0.29}
    """
    asked = plain(query, index)
    best = index.index.best(query, texts)
    whole = sum(score for _, score in best)
    model: dict[str, float] = defaultdict(float)
    for text, score in best:
        count = index.counts[text]
        for word, times in count.items():
            model[word] += times / count.total() * score / whole
    return _mixed(asked, _shares(_heaviest(model, words)), original)


def bo1(query: str, index: Feedback, *, texts: int = 3, words: int = 10) -> Weights:
    """Expand a query by Bose-Einstein statistics: Amati, PhD thesis, Glasgow 2003.

    A word weighs tf * log2((1 + p) / p) + log2(1 + p), where tf is how often it is in the best
    texts and p = F / N: how often it is in all N texts, a text. The `words` heaviest are divided
    by the heaviest and added to the query's own weights, divided by its heaviest.

    Example:
        >>> index = Feedback(["red lamp lamp", "red lamp", "blue chair"])
        >>> {word: round(weight, 2) for word, weight in bo1("red", index).items()}
        {'red': 1.85, 'lamp': 1.0}
    """
    asked = Counter(index.index.tokens(query))
    found: Counter[str] = Counter()
    for text, _ in index.index.best(query, texts):
        found.update(index.counts[text])
    weights: dict[str, float] = {}
    for word, times in found.items():
        p = index.total[word] / len(index.counts)
        weights[word] = times * log2((1 + p) / p) + log2(1 + p)
    best = _heaviest(weights, words)
    top, most = max(best.values(), default=1.0), max(asked.values(), default=1)
    expanded: dict[str, float] = {word: times / most for word, times in asked.items()}
    for word, weight in best.items():
        expanded[word] = expanded.get(word, 0.0) + weight / top
    return expanded


EXPANSIONS: Mapping[Expansion, Callable[[str, Feedback], Weights]] = {
    "none": plain,
    "rm3": rm3,
    "bo1": bo1,
}


def _heaviest(weights: Weights, words: int) -> dict[str, float]:
    """Those that weigh most; of equals those that come first in the alphabet."""
    return dict(sorted(weights.items(), key=lambda one: (-one[1], one[0]))[:words])


def _shares(weights: Weights) -> dict[str, float]:
    whole = sum(weights.values())
    return {word: weight / whole for word, weight in weights.items()}


def _mixed(asked: Weights, model: Weights, original: float) -> dict[str, float]:
    """Both in one; without a model the query alone."""
    if not model:
        return dict(asked)
    return {
        word: original * asked.get(word, 0.0) + (1 - original) * model.get(word, 0.0)
        for word in (*asked, *(word for word in model if word not in asked))
    }


class FeedbackSearch:
    """A pipeline that only searches, for a sweep over `expansion`: none, rm3 or bo1.

    The trace names the lanes `raw` and the expansion's, so that `query.rewrite_recall_gain` and
    `query.union_recall_at_k` compare the two on every question.
    """

    def __init__(
        self, documents: Mapping[str, str], expansion: Expansion = "none", depth: int = 100
    ) -> None:
        self._ids = list(documents)
        self._feedback = Feedback(list(documents.values()))
        if expansion not in EXPANSIONS:
            raise UsageError(f"expansion must be {', '.join(EXPANSIONS)}, got {expansion!r}")
        self._expansion: Expansion = expansion
        self._depth = depth

    def retrieve(self, question: str, k: int) -> list[dict[str, Any]]:
        """Find the k documents that fit best."""
        return self._found(question, k, self._expansion)

    def answer(self, question: str) -> dict[str, Any]:
        """Tell what either query found; there is no answer to write."""
        lanes = {"raw": self._found(question, self._depth, "none")}
        if self._expansion != "none":
            lanes[self._expansion] = self._found(question, self._depth, self._expansion)
        return {"answer_text": "", "trace": {"lanes": lanes}}

    def _found(self, question: str, k: int, expansion: Expansion) -> list[dict[str, Any]]:
        best = self._feedback.search(question, k, expansion)
        return [{"id": self._ids[text], "score": score} for text, score in best]


def search_corpus(corpus: str, expansion: Expansion = "none", depth: int = 100) -> FeedbackSearch:
    """Make the pipeline over a folder or a JSONL file of documents."""
    return FeedbackSearch(texts_of(corpus), expansion, depth)


def texts_of(corpus: str) -> dict[str, str]:
    """Id to text of all documents. Raises UsageError for a corpus that cannot be read."""
    found = load_corpus(Path(corpus))
    return {name: found.text(name) or "" for name in found}
