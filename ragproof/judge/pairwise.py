"""Which of two answers a judge prefers, asked in both orders, with no word on who wrote them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import Judge, JudgeError, Prompt, Reply
from ragproof.core.overheard import Overheard
from ragproof.judge.items import Pair
from ragproof.judge.together import together
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD

PROMPT = Prompt(
    system=(
        "You compare two answers to a question, A and B, and say which serves the asker better: "
        "first by being right, then by saying all that was asked, then by being clear. Reply tie "
        "where neither is better.\n"
        "In which order the answers stand says nothing about them. Length is neither a merit nor "
        "a fault: what is needed for the question counts, filler, repetition and courtesies do "
        "not, and an answer that leaves out what was asked for is not better for being short. "
        "You do not know who wrote them, and it does not matter.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"reason": "one sentence", "verdict": "a" or "b" or '
        '"tie"}'
    ),
    user="Question:\n{question}\n\nAnswer A:\n{answer_a}\n\nAnswer B:\n{answer_b}\n",
)


class Preference(Choice):
    """The place of the better answer."""

    A = "a"
    B = "b"
    TIE = "tie"


@dataclass(frozen=True)
class Comparison:
    """The shape of the judge's reply."""

    reason: str
    verdict: Preference


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What a judge said of a pair in either order."""

    pair: Pair
    first: Preference | None
    """With answer 1 as A; None where there was no usable reply."""
    second: Preference | None
    """With answer 2 as A."""
    errors: tuple[str, ...] = ()
    replies: tuple[Reply, ...] = ()


async def compared(
    pairs: Sequence[Pair], judge: Judge, *, at_once: int = 16
) -> tuple[Compared, ...]:
    """Have every pair compared in both orders."""
    slots = asyncio.Semaphore(at_once)

    async def one_by_one(pair: Pair) -> Compared:
        async with slots:
            return await _both_orders(pair, judge)

    return tuple(await together(one_by_one(pair) for pair in pairs))


async def _both_orders(pair: Pair, judge: Judge) -> Compared:
    heard = Overheard(judge)
    verdicts: list[Preference | None] = []
    errors: list[str] = []
    for one, other in ((pair.answer_1, pair.answer_2), (pair.answer_2, pair.answer_1)):
        asked = {"question": pair.question, "answer_a": one, "answer_b": other}
        try:
            verdicts.append((await heard.ask(PROMPT, asked, Comparison)).verdict)
        except JudgeError as fault:
            verdicts.append(None)
            errors.append(str(fault))
    return Compared(
        pair=pair,
        first=verdicts[0],
        second=verdicts[1],
        errors=tuple(errors),
        replies=tuple(heard.replies),
    )
