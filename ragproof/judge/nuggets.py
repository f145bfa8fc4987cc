"""Nuggets of a question from a pool of passages: written, refined, told vital or okay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import Judge, Nugget, Prompt
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD, listed

AT_ONCE = 10
"""Passages, or nuggets, in one call."""
MOST = 30
"""Nuggets in the list while it is written."""
KEPT = 20
"""Of those, how many stay: the vital ones first."""
WRITE = Prompt(
    system=(
        "You keep the list of nuggets of a question: the pieces of information that a good answer "
        "has. Each is one short statement that can be understood alone and checked by itself.\n"
        "You are given the list so far and some more passages. Give back the whole list: keep "
        "what holds, add what the passages say that helps to answer the question, join what says "
        "the same, and make what says two things into two. Add nothing that no passage says, and "
        "nothing that the question does not ask for. At most {most} nuggets; where there are "
        "more, keep those that matter most.\n" + GUARD.replace("{", "{{").replace("}", "}}") + "\n"
        'Reply with JSON and nothing else: {{"nuggets": ["one nugget", "another"]}}'
    ).format(most=MOST),
    user="Question:\n{question}\n\nNuggets so far:\n{nuggets}\n\nPassages:\n{passages}\n",
)
RATE = Prompt(
    system=(
        "You say how important nuggets, pieces of information, are for a good answer to a "
        "question. vital: an answer without it does not answer what is asked. okay: good to have, "
        "but an answer can do without it. Only what is asked for is vital: asked when something "
        "was founded, the year is vital, the founder okay.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"nuggets": [{"id": "n1", "importance": "vital" or '
        '"okay"}]}, with every id exactly once.'
    ),
    user="Question:\n{question}\n\nNuggets:\n{nuggets}\n",
)


class Importance(Choice):
    """How much depends on a nugget."""

    VITAL = "vital"
    OKAY = "okay"


@dataclass(frozen=True)
class Written:
    """The shape of the reply to `WRITE`."""

    nuggets: tuple[str, ...]


@dataclass(frozen=True)
class Rated:
    """What was said of one nugget."""

    id: str
    importance: Importance


@dataclass(frozen=True)
class Ratings:
    """The shape of the reply to `RATE`."""

    nuggets: tuple[Rated, ...]


async def make_nuggets(judge: Judge, question: str, pool: Sequence[str]) -> tuple[Nugget, ...]:
    """Make the nuggets of a question from passages that were judged useful, vital ones first.

    The list goes through the pool ten passages at a time, is refined each time, and is rated at
    the end; twenty nuggets stay at most. What comes out is a draft: have a person read it before
    it is a reference. Raises JudgeError where there is no usable reply.
    """
    texts = [one for one in pool if one.strip()]
    nuggets: tuple[str, ...] = ()
    for at in range(0, len(texts), AT_ONCE):
        asked = {
            "question": question,
            "nuggets": listed("nugget", (({}, one) for one in nuggets)),
            "passages": listed("passage", (({}, one) for one in texts[at : at + AT_ONCE])),
        }
        nuggets = (await judge.ask(WRITE, asked, Written, check=distinct)).nuggets
    rated: list[Nugget] = []
    for at in range(0, len(nuggets), AT_ONCE):
        rated += await _rated(judge, question, nuggets[at : at + AT_ONCE])
    return tuple(sorted(rated, key=lambda one: not one.vital)[:KEPT])


async def _rated(judge: Judge, question: str, nuggets: Sequence[str]) -> list[Nugget]:
    ids = {f"n{number}": one for number, one in enumerate(nuggets, 1)}
    asked = {
        "question": question,
        "nuggets": listed("nugget", (({"id": id_}, one) for id_, one in ids.items())),
    }

    def check(reply: Ratings) -> None:
        if Counter(one.id for one in reply.nuggets) != Counter(list(ids)):
            raise ValueError(f"rate each of {', '.join(ids)} exactly once, and nothing else")

    reply = await judge.ask(RATE, asked, Ratings, check=check)
    vital = {one.id for one in reply.nuggets if one.importance is Importance.VITAL}
    return [Nugget(text=one, vital=id_ in vital) for id_, one in ids.items()]


def distinct(reply: Written) -> None:
    """Raise ValueError for a nugget that is blank or there twice, and for too many.

    >>> distinct(Written(("It is red.", "it is  red.")))
    Traceback (most recent call last):
    ...
    ValueError: 'it is  red.' is there twice
    """
    if len(reply.nuggets) > MOST:
        raise ValueError(f"there are {len(reply.nuggets)} nuggets; at most {MOST}")
    seen: set[str] = set()
    for one in reply.nuggets:
        words = " ".join(one.casefold().split())
        if not words:
            raise ValueError("a nugget is blank")
        if words in seen:
            raise ValueError(f"{one!r} is there twice")
        seen.add(words)
