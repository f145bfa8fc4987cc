"""Search, look, search again: under limits on calls, tokens and time, with every step recorded.

`search_in_steps` is the loop; whoever evaluates an agent puts their own search and their own way to
the next query into it. `StepSearch` is a pipeline around it that needs no model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeAlias

from ragproof.demo.feedback import Feedback, texts_of
from ragproof.text.token_count import counting

Found: TypeAlias = Mapping[str, Any]
"""A chunk: `id`, `text` and what else there is."""
Search: TypeAlias = Callable[[str], Sequence[Found]]
NextQuery: TypeAlias = Callable[[str, Sequence[Found], Sequence[str]], str | None]
"""From the question, all that was seen and all queries so far to the next; None is enough."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What a question may take. Give every way to search the same."""

    calls: int = 4
    tokens: int = 2_000
    """Of the texts that are seen, each once."""
    seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.calls < 1 or self.tokens < 1 or self.seconds <= 0:
            raise ValueError(f"a budget must leave room for a search, got {self}")


@dataclass
class Trajectory:
    """How a search went."""

    seen: dict[str, Found] = field(default_factory=dict[str, Found])
    """By id, in the order in which they came."""
    steps: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """As `trace.steps`."""
    stop_reason: str = ""
    """`done`, `max_calls`, `max_tokens` or `max_seconds`."""


def search_in_steps(
    question: str,
    search: Search,
    next_query: NextQuery,
    budget: Budget,
    *,
    tokens: str = "characters",
    clock: Callable[[], float] = perf_counter,
) -> Trajectory:
    """Search until there is no next query, or the budget is used up.

    A chunk that would go beyond the tokens is not seen, and ends the search. The time is looked at
    between calls: the last one may end after it. A query that was asked before is no next one.
    """
    found, queries, started = Trajectory(), list[str](), clock()
    room, query = budget.tokens, question
    while query not in queries:
        if len(queries) == budget.calls or (queries and clock() - started >= budget.seconds):
            found.stop_reason = "max_calls" if len(queries) == budget.calls else "max_seconds"
            return found
        queries.append(query)
        begun = clock()
        new = search(query)
        seconds = clock() - begun
        kept = _fitting(new, found.seen, room, counting(tokens))
        found.seen.update((chunk["id"], chunk) for chunk, cost in kept if cost is not None)
        spent = sum(cost or 0 for _, cost in kept)
        room -= spent
        seen = [chunk["id"] for chunk, _ in kept]
        found.steps.append({"query": query, "seen": seen, "seconds": seconds, "tokens": spent})
        if len(kept) < len(new):
            found.stop_reason = "max_tokens"
            return found
        query = next_query(question, tuple(found.seen.values()), tuple(queries)) or question
    found.stop_reason = "done"
    return found


def _fitting(
    new: Sequence[Found], seen: Mapping[str, Found], room: int, count: Callable[[str], int]
) -> list[tuple[Found, int | None]]:
    """The chunks up to the first for which there is no room, and what each takes.

    One that was seen before takes nothing, and is None.
    """
    kept: list[tuple[Found, int | None]] = []
    known = {*seen}
    for chunk in new:
        cost = None if chunk["id"] in known else count(chunk.get("text", ""))
        if (cost or 0) > room:
            return kept
        room -= cost or 0
        known.add(chunk["id"])
        kept.append((chunk, cost))
    return kept


class StepSearch:
    """A pipeline that searches once, or follows words of what it found: for one against the other.

    The next query is the question and the rarest words of the best text that the last search was
    the first to see; texts that were seen are not given again. When nothing new comes, it is done.
    """

    def __init__(
        self,
        documents: Mapping[str, str],
        *,
        iterative: bool = True,
        per_step: int = 3,
        budget: Budget | None = None,
    ) -> None:
        self._ids = list(documents)
        self._texts = list(documents.values())
        self._feedback = Feedback(self._texts)
        self._iterative = iterative
        self._per_step = per_step
        self._budget = budget or Budget()

    def retrieve(self, question: str, k: int) -> list[Found]:
        """Give the first k that the search saw."""
        return list(self._trajectory(question).seen.values())[:k]

    def answer(self, question: str) -> dict[str, Any]:
        """Tell how the search went; there is no answer to write."""
        went = self._trajectory(question)
        trace = {"steps": went.steps, "stop_reason": went.stop_reason}
        return {"answer_text": "", "retrieved_chunks": list(went.seen.values()), "trace": trace}

    def _trajectory(self, question: str) -> Trajectory:
        seen: set[str] = set()

        def search(query: str) -> list[Found]:
            new = [one for one in self._best(query, len(seen)) if one["id"] not in seen]
            return new[: self._per_step]

        def next_query(_: str, found: Sequence[Found], _queries: Sequence[str]) -> str | None:
            new = [one for one in found if one["id"] not in seen]
            seen.update(one["id"] for one in new)
            return f"{question} {self._words(new[0]['text'], question)}" if new else None

        follow = next_query if self._iterative else lambda *_: None
        return search_in_steps(question, search, follow, self._budget)

    def _best(self, query: str, more: int) -> list[Found]:
        """As many as a step takes, and so many more."""
        best = self._feedback.search(query, self._per_step + more)
        return [
            {"id": self._ids[text], "text": self._texts[text], "score": score}
            for text, score in best
        ]

    def _words(self, text: str, question: str, most: int = 3) -> str:
        """The rarest words of a text that the question does not have."""
        index = self._feedback.index
        asked = {*index.tokens(question)}
        words = {token for token in index.tokens(text) if token not in asked}
        return " ".join(sorted(words, key=lambda word: (-index.idf(word), word))[:most])


def search_corpus(
    corpus: str,
    *,
    iterative: bool = True,
    per_step: int = 3,
    calls: int = 4,
    tokens: int = 2_000,
    seconds: float = 30.0,
) -> StepSearch:
    """Make the pipeline over a folder or a JSONL file of documents."""
    budget = Budget(calls=calls, tokens=tokens, seconds=seconds)
    return StepSearch(texts_of(corpus), iterative=iterative, per_step=per_step, budget=budget)
