"""Whether a message asks the same again, told by its words alone."""

from __future__ import annotations

import re

from ragproof.text.answer_tokens import all_tokens
from ragproof.text.edits import likeness
from ragproof.text.folding import folded

SPELLING = 0.8
"""From this likeness on two words are one, spelt or bent otherwise; digits are never."""
_WORDS = (
    "an the i me my you your we us our do does did can could will would should shall is are am "
    "be so and but ok okay hi hello hey please tell say again once more just really sorry still "
    "asked asking said repeat "
    "der die das ein eine ich mir mich mein meine du sie ihr wir uns kann konnen konnte ist sind "
    "bitte noch mal nochmal einmal und aber also sag sagen denn eigentlich doch "
    "le la les un une je moi mon ma mes tu vous nous peux peut pouvez est sont encore fois "
    "repete repeter "
    "el los las una yo mi mis tu usted nos puedo puede es son por favor otra vez y pero repito "
    "os as um uma eu meu minha voce posso pode e mas novo "
    "il lo gli i uno io mio mia tu lei noi posso puo sono per favore ancora volta"
)
_HOW_TO = re.compile(r"\bhow to\b", re.IGNORECASE)
_ASKING = frozenset(_WORDS.split())
"""Words that ask, and say nothing of what is asked. `a` may be a plan."""


def asks_the_same(question: str, message: str) -> bool:
    """Whether the message asks what the question asked, in its words.

    What is left of both without words that only ask (`can you please`) has to be the same words in
    the same order, but that one may stand elsewhere; a word may be spelt or bent otherwise, a
    number not. A question that is put in other words is not recognised, and an empty message asks
    nothing.

    >>> asks_the_same("How do I reset my password?", "again: how can I reset the pasword")
    True
    >>> asks_the_same("What does plan A cost?", "What does plan B cost?")
    False
    >>> asks_the_same("Is A cheaper than B?", "Is B cheaper than A?")
    False
    """
    one, other = _tokens(question), _tokens(message)
    if not other:
        return False
    only, extra = sorted(_rest(one, other)), sorted(_rest(other, one))
    if len(only) != len(extra) or not all(map(_is_one_word, only, extra)):
        return False
    spelt = dict(zip(extra, only, strict=True))
    return _is_one_moved(one, [spelt.get(word, word) for word in other])


def _is_one_moved(one: list[str], other: list[str]) -> bool:
    """Whether the same words are in the same order, but perhaps for one."""
    while one and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return other in (one, one[1:] + one[:1], one[-1:] + one[:-1])


def _tokens(text: str) -> list[str]:
    """Its words without those that only ask; all of them where nothing else is there."""
    words = [folded(word) for word in all_tokens(_HOW_TO.sub("how", text))]
    if not any(map(str.isalnum, "".join(words))):
        return []
    return [word for word in words if word not in _ASKING] or words


def _rest(one: list[str], other: list[str]) -> list[str]:
    """Words of the one beyond those of the other."""
    left = list(other)
    rest = []
    for word in one:
        if word in left:
            left.remove(word)
        else:
            rest.append(word)
    return rest


def _is_one_word(one: str, other: str) -> bool:
    digits = any(map(str.isdigit, one + other))
    return not digits and likeness(one, other, SPELLING) >= SPELLING
