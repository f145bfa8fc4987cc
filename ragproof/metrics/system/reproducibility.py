"""system.reproducibility"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.core import (
    Answer,
    Better,
    Chunk,
    DoesNotArise,
    GroupRun,
    Json,
    Pool,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Trace,
    Unit,
)
from ragproof.core.needs import ANSWER, EMBED, FOUND, REPEAT
from ragproof.text.answer_tokens import answer_tokens


@dataclass(frozen=True)
class Reproducibility(ToolMetric[GroupRun]):
    """Share of the repeats of a case that give the answer of the first.

    Question: Asked again at the same state, is the answer the same?
    Formula: repeats whose answer is that of the first / repeats after the first, a figure for each
        sense of sameness
    Range: 0, none gives the same answer, to 1, all do. `exact`: character by character;
        `normalised`: the same words, whatever their case, punctuation and white space; `semantic`:
        the same words, or vectors with a cosine of at least `same_at`.
    Edge cases: `ragproof run --repeats N` makes the repeats; a case that ran once is not
        applicable. `semantic` has a figure only where the adapter or `local.embeddings` embeds;
        0.95 is a place to start, not known to be right for your model. Repeats that tell another
        `index_version` or `model` than the first are not at its state: they are not compared, and
        counted. Repeats that failed gave no answer and are errors of their own. The evidence names
        the first stage that differed: with all stages before it the same, and those that are not
        exposed unknown. Over a set it is the ratio of the sums.
    Not to be confused with: `generation.correctness`: the same wrong answer is reproducible. A
        temperature of 0 alone does not make it so.
    References: repeats at a pinned model, runtime, decoding, seed and index, as audits ask for.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Tools
        >>> answers = tuple(Answer(answer_text=text) for text in ("Yes.", "yes", "No."))
        >>> again = GroupRun({ANSWER: answers, FOUND: (None,) * 3, REPEAT: (0, 1, 2)})
        >>> found = asyncio.run(Reproducibility().score(again, Tools()))
        >>> {sameness: one.value for sameness, one in found.items()}
        {'exact': 0.0, 'normalised': 0.5}
    """

    same_at: float = 0.95

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER,),
        uses=(FOUND, REPEAT, EMBED),
        pool=Pool.RATIO,
        each="sameness",
    )

    def __post_init__(self) -> None:
        if not -1 <= self.same_at <= 1:
            raise ValueError(f"same_at must be a cosine, -1 to 1, got {self.same_at}")

    async def score(self, subject: GroupRun, tools: Tools, /) -> Mapping[str, Scored]:
        """Compare every repeat with the first."""
        numbers, answers, found = subject.get(REPEAT), subject[ANSWER], subject.get(FOUND)
        trials = sorted(
            (
                _Trial(number or 0, answer, chunks)
                for number, answer, chunks in zip(numbers, answers, found, strict=True)
            ),
            key=lambda one: one.number,
        )
        if len(trials) < 2:
            raise DoesNotArise("the case was answered once")
        first, *others = trials
        again = [one for one in others if one.snapshot == first.snapshot]
        if not again:
            raise DoesNotArise("no repeat was at the index and model of the first")
        texts = [one.answer.answer_text for one in (first, *again)]
        same = {
            "exact": [one == texts[0] for one in texts[1:]],
            "normalised": [answer_tokens(one) == answer_tokens(texts[0]) for one in texts[1:]],
        }
        if EMBED.of(tools) is not None:
            same["semantic"] = await self._alike(texts, same["normalised"], tools)
        evidence: dict[str, Json] = {
            "differing": [
                {"repeat": one.number, "first_stage": first.differs_from(one)}
                for one, is_same in zip(again, same["exact"], strict=True)
                if not is_same
            ],
            "other_snapshot": len(others) - len(again),
        }
        return {
            label: Scored(sum(told) / len(again), evidence, weight=len(again))
            for label, told in same.items()
        }

    async def _alike(self, texts: Sequence[str], words: Sequence[bool], tools: Tools) -> list[bool]:
        """Which answers mean the same as the first; only those of other words are embedded."""
        asked = list(dict.fromkeys([texts[0], *texts[1:]]))
        if all(words):
            return list(words)
        vectors = dict(zip(asked, map(_direction, await tools[EMBED](asked)), strict=True))
        return [
            is_same or float(vectors[texts[0]] @ vectors[one]) >= self.same_at
            for one, is_same in zip(texts[1:], words, strict=True)
        ]


@dataclass(frozen=True)
class _Trial:
    number: int
    answer: Answer
    retrieved: tuple[Chunk, ...] | None

    @property
    def trace(self) -> Trace:
        return self.answer.trace or Trace()

    @property
    def snapshot(self) -> tuple[str | None, str | None]:
        return self.trace.index_version, self.trace.model

    def differs_from(self, other: _Trial) -> str:
        """The first stage of which both tell something, and not the same."""
        for name, told in STAGES.items():
            mine, theirs = told(self), told(other)
            if mine is not None and theirs is not None and mine != theirs:
                return name
        return "answer"


def _ids(chunks: tuple[Chunk, ...] | None) -> list[tuple[str, str]] | None:
    return None if chunks is None else [(one.id, one.text) for one in chunks]


STAGES: Mapping[str, Callable[[_Trial], object]] = {
    "intent": lambda one: one.trace.intent,
    "route": lambda one: one.trace.route,
    "rewrites": lambda one: one.trace.rewrites,
    "filter": lambda one: one.trace.filter,
    "survivors": lambda one: one.trace.survivors,
    "lanes": lambda one: (
        one.trace.lanes and {lane: _ids(chunks) for lane, chunks in one.trace.lanes.items()}
    ),
    "steps": lambda one: one.trace.steps and [(step.query, step.seen) for step in one.trace.steps],
    "candidates": lambda one: _ids(one.trace.candidates),
    "retrieved": lambda one: _ids(one.retrieved),
    "reranked": lambda one: _ids(one.trace.reranked),
    "context": lambda one: _ids(one.trace.context or one.answer.retrieved_chunks),
}
"""What each stage gave, in the order in which they come; the answer is last."""


def _direction(vector: Sequence[float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    array = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(array))
    return array / length if length else array
