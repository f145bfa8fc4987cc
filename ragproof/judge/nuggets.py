"""Nuggets of a question from a pool of passages: written, refined, held to the passages, rated.

The steps are those of TREC's AutoNuggetizer (Pradeep et al. 2024, arXiv 2411.09607): a list goes
through the pool a few passages at a time, then each nugget is told vital or okay. What that
protocol leaves to an assessor is done by rule here, as far as a rule can: a nugget stays only if
words of a passage can be quoted from which it follows, and they do stand there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragproof.core import Judge, Nugget, Prompt
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD, GUARD_IN_ITS_LANGUAGE, listed
from ragproof.text.wording import wording

AT_ONCE = 10
"""Passages, or nuggets, in one call."""
MOST = 30
"""Nuggets in the list while it is written."""
KEPT = 20
"""Of those, how many stay: the vital ones first."""
NOT_SAID = "no passage of the pool says it"
REFINED_AWAY = "the refined list has it no more"
TOO_MANY = f"there are {KEPT} that matter more"
WRITE = Prompt(
    system=(
        "You keep the list of nuggets of a question: the pieces of information that a good answer "
        "has. Each is one short statement that can be understood alone and checked by itself.\n"
        "You are given the list so far and some more passages. Give back the whole list: keep "
        "what holds, add what the passages say that helps to answer the question, join what says "
        "the same, and make what says two things into two. Add nothing that no passage says, and "
        f"nothing that the question does not ask for. At most {MOST} nuggets; where there are "
        "more, keep those that matter most.\n" + GUARD_IN_ITS_LANGUAGE + "\n"
        'Reply with JSON and nothing else: {"nuggets": ["one nugget", "another"]}'
    ),
    user="Question:\n{question}\n\nNuggets so far:\n{nuggets}\n\nPassages:\n{passages}\n",
)
HOLD = Prompt(
    system=(
        "You hold nuggets, pieces of information, to passages. For each nugget name the passages "
        "that say it, each with a quote: the words from which it follows, copied character for "
        "character. A nugget that no passage says, or that one says only in part, has none. Take "
        "nothing from what you know yourself.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"nuggets": [{"id": "n1", "said_by": [{"passage": "p2", '
        '"quote": "..."}]}]}, with every id of a nugget exactly once.'
    ),
    user="Nuggets:\n{nuggets}\n\nPassages:\n{passages}\n",
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
PROMPTS = (WRITE, HOLD, RATE)


class Importance(Choice):
    """How much depends on a nugget."""

    VITAL = "vital"
    OKAY = "okay"


@dataclass(frozen=True)
class Written:
    """The shape of the reply to `WRITE`."""

    nuggets: tuple[str, ...]


@dataclass(frozen=True)
class Quoted:
    """A passage, and its words."""

    passage: str
    quote: str


@dataclass(frozen=True)
class Held:
    """Who says a nugget."""

    id: str
    said_by: tuple[Quoted, ...]


@dataclass(frozen=True)
class Holdings:
    """The shape of the reply to `HOLD`."""

    nuggets: tuple[Held, ...]


@dataclass(frozen=True)
class Rated:
    """What was said of one nugget."""

    id: str
    importance: Importance


@dataclass(frozen=True)
class Ratings:
    """The shape of the reply to `RATE`."""

    nuggets: tuple[Rated, ...]


@dataclass(frozen=True)
class Drafted:
    """The nuggets of a question, the vital ones first."""

    nuggets: tuple[Nugget, ...]
    said_by: tuple[tuple[int, ...], ...]
    """For each, the places in the pool of passages that say it; never empty."""
    turned: tuple[tuple[str, str], ...]
    """What was written and does not stay, each with the reason."""


async def make_nuggets(
    judge: Judge,
    question: str,
    pool: Sequence[str],
    begun: Sequence[Nugget] = (),
    at_once: int = AT_ONCE,
) -> Drafted:
    """Make the nuggets of a question from passages that were judged useful.

    The list, begun with nuggets that are there already, goes through the pool `at_once` passages
    at a time and is refined each time. Then each nugget is looked for in the pool, and those that
    stand there are rated; twenty stay at most. A nugget that was there and stays as it was keeps
    its aliases. What comes out is a draft: have a person read it before it is a reference. Raises
    JudgeError where there is no usable reply.
    """
    batches = _batches([(at, one) for at, one in enumerate(pool) if one.strip()], at_once)
    nuggets: tuple[str, ...] = tuple(one.text for one in begun)
    for batch in batches:
        asked = {
            "question": question,
            "nuggets": listed("nugget", (({}, one) for one in nuggets)),
            "passages": listed("passage", (({}, one) for _, one in batch)),
        }
        nuggets = (await judge.ask(WRITE, asked, Written, check=distinct)).nuggets
    said_by = await _said_by(judge, nuggets, batches)
    held = [one for one in nuggets if said_by[one]]
    vital: dict[str, bool] = {}
    for at in range(0, len(held), AT_ONCE):
        vital |= await _rated(judge, question, held[at : at + AT_ONCE])
    ordered = sorted(held, key=lambda one: not vital[one])
    known = {one.text: one.aliases for one in begun}
    stay = ordered[:KEPT]
    turned = [(one, NOT_SAID) for one in nuggets if not said_by[one]]
    turned += [(one, TOO_MANY) for one in ordered[KEPT:]]
    turned += [(one.text, REFINED_AWAY) for one in begun if one.text not in nuggets]
    return Drafted(
        tuple(Nugget(text=one, vital=vital[one], aliases=known.get(one, ())) for one in stay),
        tuple(said_by[one] for one in stay),
        tuple(turned),
    )


def calls(passages: int, at_once: int = AT_ONCE) -> tuple[int, int]:
    """Count the calls for a pool of so many passages: usual ones, and at most, repairs included.

    Usual is a list that one call rates and holds, each nugget found among the first passages.
    """
    batches = -(-passages // at_once)
    lists = -(-MOST // AT_ONCE)
    return (batches + 2, 2 * (batches + lists * batches + lists)) if batches else (0, 0)


def _batches(passages: Sequence[tuple[int, str]], at_once: int) -> list[Sequence[tuple[int, str]]]:
    return [passages[at : at + at_once] for at in range(0, len(passages), at_once)]


async def _said_by(
    judge: Judge, nuggets: Sequence[str], batches: Sequence[Sequence[tuple[int, str]]]
) -> dict[str, tuple[int, ...]]:
    """Which passages say each nugget: those of the first batch in which any does."""
    found: dict[str, tuple[int, ...]] = dict.fromkeys(nuggets, ())
    for batch in batches:
        open_ = [one for one in nuggets if not found[one]]
        for at in range(0, len(open_), AT_ONCE):
            found |= await _held(judge, open_[at : at + AT_ONCE], batch)
    return found


async def _held(
    judge: Judge, nuggets: Sequence[str], batch: Sequence[tuple[int, str]]
) -> dict[str, tuple[int, ...]]:
    ids = {f"n{number}": one for number, one in enumerate(nuggets, 1)}
    passages = {f"p{number}": one for number, one in enumerate(batch, 1)}
    asked = {
        "nuggets": listed("nugget", (({"id": id_}, one) for id_, one in ids.items())),
        "passages": listed("passage", (({"id": id_}, one) for id_, (_, one) in passages.items())),
    }

    def check(reply: Holdings) -> None:
        _each_once([one.id for one in reply.nuggets], ids)
        named = {quoted.passage for one in reply.nuggets for quoted in one.said_by}
        if unknown := sorted(named - passages.keys()):
            raise ValueError(f"there is no passage {unknown[0]!r}")

    reply = await judge.ask(HOLD, asked, Holdings, check=check)
    return {ids[one.id]: tuple(_places(one, passages)) for one in reply.nuggets}


def _places(one: Held, passages: Mapping[str, tuple[int, str]]) -> Iterator[int]:
    """The places of the passages in which the quote does stand, whatever its spacing and case."""
    for name, (at, text) in passages.items():
        quotes = [wording(quoted.quote) for quoted in one.said_by if quoted.passage == name]
        if any(quote and quote in wording(text) for quote in quotes):
            yield at


async def _rated(judge: Judge, question: str, nuggets: Sequence[str]) -> dict[str, bool]:
    """Whether each is vital."""
    ids = {f"n{number}": one for number, one in enumerate(nuggets, 1)}
    asked = {
        "question": question,
        "nuggets": listed("nugget", (({"id": id_}, one) for id_, one in ids.items())),
    }

    def check(reply: Ratings) -> None:
        _each_once([one.id for one in reply.nuggets], ids)

    reply = await judge.ask(RATE, asked, Ratings, check=check)
    return {ids[one.id]: one.importance is Importance.VITAL for one in reply.nuggets}


def _each_once(found: Sequence[str], ids: Mapping[str, str]) -> None:
    if Counter(found) != Counter(list(ids)):
        raise ValueError(f"give each of {', '.join(ids)} exactly once, and nothing else")


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
        words = wording(one)
        if not words:
            raise ValueError("a nugget is blank")
        if words in seen:
            raise ValueError(f"{one!r} is there twice")
        seen.add(words)
