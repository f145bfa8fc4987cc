"""A sentence changed so that its source bears it out no more, or shortened so that it still does.

Every function takes the sentence, other sentences to take things from, and the source of chance; it
gives None where the sentence offers no hold. Only English is known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from ragproof.text.names import names

Change: TypeAlias = Callable[[str, Sequence[str], Random], str | None]
LEAST_WORDS = 5
"""Of what is left of a sentence."""
_OPPOSITES = (
    "increase decrease|increased decreased|increases decreases|increasing decreasing|higher lower|"
    "high low|more less|most least|before after|first last|larger smaller|largest smallest|"
    "large small|older younger|oldest youngest|north south|northern southern|east west|"
    "eastern western|early late|earlier later|above below|won lost|begins ends|began ended|"
    "opened closed|success failure|successful unsuccessful|male female|man woman|father mother|"
    "brother sister|son daughter|husband wife|king queen|always never|all none|many few|"
    "positive negative|beneficial harmful|public private|legal illegal|common rare|old new|"
    "long short|major minor|improves worsens|improved worsened|promotes inhibits|enhances impairs|"
    "enhanced impaired|activates inhibits|gain loss|presence absence|with without|left right|"
    "upper lower|inside outside|winter summer|black white|strong weak|fast slow|hot cold|rich poor|"
    "allowed forbidden|can cannot|must cannot|required optional|free paid|true false|good bad"
)
OPPOSITE = dict(pair for one in _OPPOSITES.split("|") for pair in (one.split(), one.split()[::-1]))
_WORD = re.compile(r"[A-Za-z]+")
_FIGURE = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|should|may|did|does|do)\b"
    r"(?! not\b|n't)"
)
_DENIED = re.compile(r" not\b|(?<=s)n't\b|(?<=d)n't\b|(?<=re)n't\b")
_PARENTHESIS = re.compile(r"\s*\([^()]{1,120}\)")
_RELATIVE = re.compile(
    r", (?:which|who|where|whose|including|such as|known as)\b[^,.;]{4,150}(?:,|(?=\.))"
)
_TAIL = re.compile(
    r"(?:,? (?:and|but|while|whereas|although|because|which|who|when|where)|, \w+ing|;) "
    r"[^.]{8,200}(?=\.?\s*\Z)"
)
_LEAD = re.compile(
    r"\A(?:In|On|At|During|After|Before|As|By|From|For|Since|With|However|Also)\b[^,]{0,60}, "
)
_PRONOUN = re.compile(r"\A(?:He|She|It|They)\b")
_ARTICLE = re.compile(r"\b(?:the|a|an|very|also|often|usually|generally) ", re.IGNORECASE)


def swapped_name(said: str, others: Sequence[str], random: Random) -> str | None:
    """Another name in the place of one of its own."""
    mine = names(said)
    foreign = [one for other in others for one in names(other) if one not in said]
    if not mine or not foreign:
        return None
    out = random.choice(mine)
    return said.replace(out, random.choice(foreign))


def changed_figure(said: str, others: Sequence[str], random: Random) -> str | None:
    """Another number in the place of one of its own: one of the others', or one near by."""
    if not (found := [*_FIGURE.finditer(said)]):
        return None
    one = random.choice(found)
    foreign = [each[0] for other in others for each in _FIGURE.finditer(other)]
    alike = [each for each in foreign if len(each) == len(one[0]) and each not in said]
    if alike and random.random() < 0.7:
        other = random.choice(alike)
    else:
        at = random.choice([n for n, char in enumerate(one[0]) if char.isdigit()])
        digits = [char for char in "123456789" if char != one[0][at]]
        other = one[0][:at] + random.choice(digits) + one[0][at + 1 :]
    return said[: one.start()] + other + said[one.end() :]


def denied(said: str, others: Sequence[str], random: Random) -> str | None:
    """With `not` where it had none, or without the one that it had.

    >>> denied("Cats are not dogs.", (), Random(1)), denied("Cats are small.", (), Random(1))
    ('Cats are dogs.', 'Cats are not small.')
    """
    del others
    if one := _DENIED.search(said):
        return said[: one.start()] + said[one.end() :]
    if not (found := [*_VERB.finditer(said)]):
        return None
    end = random.choice(found[:2]).end()
    return said[:end] + random.choice((" not", " not", " never")) + said[end:]


def turned(said: str, others: Sequence[str], random: Random) -> str | None:
    """The opposite of a word in its place.

    >>> turned("Sales increased in May.", (), Random(1))
    'Sales decreased in May.'
    """
    del others
    found = [one for one in _WORD.finditer(said) if one[0].lower() in OPPOSITE]
    if not found:
        return None
    one = random.choice(found)
    other = OPPOSITE[one[0].lower()]
    other = other.capitalize() if one[0][0].isupper() else other
    return said[: one.start()] + other + said[one.end() :]


def spliced(said: str, others: Sequence[str], random: Random) -> str | None:
    """Its beginning, and what another sentence says of something else.

    >>> spliced("The cat is small.", ["Every town in Norway has a harbour."], Random(1))
    'The cat has a harbour.'
    """
    found = ((other, _VERB.search(other)) for other in others if other != said)
    ends = [other[verb.start() :] for other, verb in found if verb]
    mine = _VERB.search(said)
    return said[: mine.start()] + random.choice(ends) if mine and ends else None


def added(said: str, others: Sequence[str], random: Random) -> str | None:
    """With a detail at its end that is of another sentence."""
    foreign = [one for other in others for one in names(other) if one not in said]
    figures = [one for other in others for one in _FIGURE.findall(other) if one not in said]
    tails = [tail[0].rstrip(". ") for other in others if (tail := _TAIL.search(other))]
    details = [
        *(f" in {one}" for one in figures if len(one) == 4),
        *(f" {random.choice(('with', 'by', 'in', 'for'))} {one}" for one in foreign[:8]),
        *(one for one in tails if one not in said),
    ]
    return said.rstrip(". ") + random.choice(details) + "." if details else None


CHANGES: tuple[Change, ...] = (swapped_name, changed_figure, denied, turned, spliced, added)


def changed(said: str, others: Sequence[str], random: Random) -> str | None:
    """One change, by chance among those that find a hold; never what says the same."""
    for one in random.sample(CHANGES, len(CHANGES)):
        told = one(said, others, random)
        if told is not None and told.lower() != said.lower():
            return told
    return None


def shortened(said: str, random: Random) -> str:
    """Without an aside, a clause, an introduction; as it is where nothing can be spared.

    >>> shortened("The cat (a tabby) sleeps on the mat.", Random(2))
    'The cat sleeps on the mat.'
    """
    for pattern, put in random.sample(
        ((_PARENTHESIS, ""), (_RELATIVE, ""), (_TAIL, ""), (_LEAD, "")), 4
    ):
        told = pattern.sub(put, said, count=1).strip()
        if told != said and len(told.split()) >= LEAST_WORDS:
            said = told[:1].upper() + told[1:]
            if random.random() < 0.5:
                break
    return said if said.endswith(".") else said + "."


def reworded(said: str, title: str, random: Random) -> str:
    """The same a little otherwise: title for pronoun, without small words, or in lower case."""
    if title and (one := _PRONOUN.match(said)):
        said = title + said[one.end() :]
    if random.random() < 0.3:
        said = _ARTICLE.sub("", said)
    return said.lower() if random.random() < 0.15 else said
