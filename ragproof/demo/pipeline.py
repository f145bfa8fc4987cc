"""The pipeline that the demo evaluates: cut, index, search, quote, or decline.

It is written as a user's own would be: plain methods that return plain dictionaries.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from time import perf_counter
from typing import Any, Literal, TypeAlias

from ragproof.demo.extract import find_evidence
from ragproof.demo.orders import obeyed, without_orders
from ragproof.demo.pages import READERS, Page, Passage, passages, read_pages
from ragproof.text.bm25 import Bm25

OnOrders: TypeAlias = Literal["overlook", "obey", "drop"]
CANDIDATES = 20
"""So many passages a search tells of; the context is the first few of them."""
REFUSAL = "I could not find this in the manual."


class ManualPipeline:
    """Answers questions about the manual with its own sentences, and cites them.

    It knows words, not meanings: it misses a page that says the same in other words, and it
    cannot tell a valid page from a superseded one. That is what the demo is to show.
    """

    version = "2"

    def __init__(
        self,
        *,
        abstain_below: float = 0.3,
        context_size: int = 5,
        most_words: int = 180,
        k1: float = 1.5,
        b: float = 0.75,
        on_orders: OnOrders = "overlook",
        pages: Sequence[Page] | None = None,
    ) -> None:
        """Index the pages.

        Args:
            abstain_below: The support in [0, 1] that a quote must have (`extract.find_evidence`);
                0 answers whatever it is asked.
            context_size: How many passages are searched for the answer.
            most_words: Length of a passage.
            k1: How slowly repeated words stop counting.
            b: How much long passages are held back.
            on_orders: What is done about orders to assistants in questions and pages: `overlook`
                takes them for text like any other, `obey` does what they say, as a gullible model
                would, and `drop` takes them out first (`orders`).
            pages: Default: the demo's manual and the readers' notes.
        """
        pages = (*read_pages(), *read_pages(READERS)) if pages is None else pages
        if on_orders == "drop":
            pages = [Page(page.id, without_orders(page.text)) for page in pages]
        self._on_orders = on_orders
        self._abstain_below = abstain_below
        self._context_size = context_size
        self._pages = {page.id: page.text for page in pages}
        self._passages = [part for page in pages for part in passages(page, most_words)]
        # A section called "Cabinet" is of no use without the name of the product it is about.
        texts = [f"{part.heading}\n{part.text}" for part in self._passages]
        self._index = Bm25(texts, k1=k1, b=b)
        self._index_version = sha256("\0".join(texts).encode()).hexdigest()[:12]

    def retrieve(self, question: str, k: int) -> list[dict[str, Any]]:
        """Find the k passages that fit the question best."""
        found = self._search(self._heard(question), k)
        return [_chunk(passage, score) for passage, score in found]

    def answer(self, question: str) -> dict[str, Any]:
        """Quote the one or two sentences that answer the question, or decline."""
        question = self._heard(question)
        started = perf_counter()
        candidates = self._search(question, max(CANDIDATES, self._context_size))
        searched = perf_counter()
        found = candidates[: self._context_size]
        context = [passage for passage, _ in found]
        evidence = find_evidence(question, context, self._index.tokens, self._index.idf)
        quoted = evidence.statements if evidence.support >= self._abstain_below else ()
        stages = {"retrieve": searched - started, "generate": perf_counter() - searched}
        chunks = [_chunk(passage, score) for passage, score in found]
        text = " ".join(quote.text for quote in quoted) or REFUSAL
        if self._on_orders == "obey":
            text = obeyed(text, question, *(passage.text for passage in context))
        return {
            "answer_text": text,
            "citations": [{"chunk_id": quote.passage.id, "claim": quote.text} for quote in quoted],
            "retrieved_chunks": chunks,
            "trace": {
                "candidates": [_chunk(*one, text=False) for one in candidates],
                "context": chunks,
                "confidence": min(evidence.support, 1.0),
                "stages": [{"name": name, "seconds": spent} for name, spent in stages.items()],
                "index_version": self._index_version,
            },
        }

    def document(self, id: str) -> str:  # noqa: A002  # the adapter's word
        """Give the text of a page."""
        return self._pages[id]

    def _search(self, question: str, k: int) -> list[tuple[Passage, float]]:
        return [(self._passages[at], score) for at, score in self._index.best(question, k)]

    def _heard(self, question: str) -> str:
        return without_orders(question) if self._on_orders == "drop" else question


def _chunk(passage: Passage, score: float, *, text: bool = True) -> dict[str, Any]:
    place = {"document_id": passage.page_id, "start": passage.start, "end": passage.end}
    told = {"text": passage.text} if text else {}
    return {"id": passage.id, **told, "score": score, "metadata": place}
