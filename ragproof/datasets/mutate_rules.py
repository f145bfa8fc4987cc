"""Variants of a question that need no model: each the same for the same seed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_WORD = re.compile(r"[^\W\d_]{5,}")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEXT_TO = {
    letter: row[max(0, at - 1) : at] + row[at + 1 : at + 2]
    for row in _ROWS
    for at, letter in enumerate(row)
}
"""Letters and their neighbours in a row of the most common keyboard."""
_AUXILIARY = (
    "is|are|was|were|can|could|may|might|must|should|will|would"
    "|has(?= been)|have(?= been)|had(?= been)"
)
_SUBJECT_QUESTION = re.compile(
    rf"(?P<head>(?:which|who|what)\b[^,?]{{0,80}}?\b(?:{_AUXILIARY}))"
    r"(?P<rest> (?!not\b|never\b|the\b|a\b|an\b|this\b|that\b|these\b|those\b|it\b|he\b|she\b"
    r"|they\b|we\b|you\b|i\b|my\b|your\b|our\b|his\b|her\b|its\b|their\b|there\b|in\b|on\b|at\b)"
    r"[a-z])",
)
_NEGATED = re.compile(r"\b(?:not|never|no|none|except|without|cannot)\b|n't\b", re.IGNORECASE)
_YEAR = 4
_NAME = re.compile(r"(?<![\w-])(?:[A-Z][\w-]*|\w*\d[\w-]*)(?![\w-])")


def typo(question: str, seed: str, keep: str = "") -> str | None:
    """One slip of the fingers in a word; None where no word is long enough.

    Words of `keep` (an answer), names and what holds digits stay as they are.

    >>> typo("how heavy is the battery", "3") != "how heavy is the battery"
    True
    """
    chance = random.Random(f"{seed}:typo")  # noqa: S311  a sample, not a secret
    kept = set(keep.casefold().split())
    words = [
        found
        for found in _WORD.finditer(question)
        if found[0].isascii() and found[0].islower() and found[0] not in kept
    ]
    if not words:
        return None
    word = chance.choice(words)
    at = word.start() + chance.randrange(1, len(word[0]) - 1)
    letter, after = question[at], question[at + 1]
    slips = [
        question[:at] + question[at + 1 :],
        question[:at] + letter + question[at:],
        question[:at] + chance.choice(_NEXT_TO.get(letter, letter * 2)) + question[at + 1 :],
    ]
    if letter != after:
        slips.append(question[:at] + after + letter + question[at + 2 :])
    return chance.choice(slips)


def recased(question: str, seed: str) -> str | None:
    """All in small letters, or all in capitals; None where that changes nothing.

    >>> recased("東京?", "1")
    """
    chance = random.Random(f"{seed}:case")  # noqa: S311  as above
    ways = [one for one in (question.lower(), question.upper()) if one != question]
    return chance.choice(ways) if ways else None


def negated(question: str) -> str | None:
    """An English question for what does not hold; None where the rule does not fit.

    It fits questions whose question word is their subject, where `not` has one place to stand.

    >>> negated("Which pumps can run at night?"), negated("How heavy is the pump?")
    ('Which pumps can not run at night?', None)
    """
    if _NEGATED.search(question):
        return None
    found = _SUBJECT_QUESTION.match(question[:1].lower() + question[1:])
    if found is None:
        return None
    at = found.end("head")
    return f"{question[:at]} not{question[at:]}"


@dataclass
class Names:
    """Names that can stand for each other: they look alike, and stand after the same word."""

    _of: dict[tuple[str, str], set[str]] = field(default_factory=dict[tuple[str, str], set[str]])

    def read(self, texts: Iterable[str]) -> None:
        """Note the names of texts."""
        for text in texts:
            for name, key in _names(text):
                self._of.setdefault(key, set()).add(name)

    def swapped(self, question: str, seed: str, labelled: Iterable[str] = ()) -> str | None:
        """The question with one name swapped for another; None where none has another.

        Where entities are labelled, only those are swapped; else models (`X2`) and years, as other
        words with a capital are too often no names of their own.

        >>> names = Names()
        >>> names.read(["the Hearth X2 and the Hearth X3"])
        >>> names.swapped("How heavy is the Hearth X2?", "0")
        'How heavy is the Hearth X3?'
        """
        chance = random.Random(f"{seed}:entity_swap")  # noqa: S311  as above
        wanted = set(labelled)
        swaps: list[tuple[str, str]] = []
        for name, key in _names(question):
            others = sorted(self._of.get(key, set()) - {name})
            others = [one for one in others if one not in question]
            meant = any(name in one for one in wanted) if wanted else _is_plain_name(name)
            if others and meant:
                swaps.append((name, chance.choice(others)))
        if not swaps:
            return None
        name, other = chance.choice(swaps)
        return re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", lambda _: other, question)


def _names(text: str) -> Iterable[tuple[str, tuple[str, str]]]:
    """Names, each with what another must share: its shape and the word before it."""
    for found in _NAME.finditer(text):
        before = text[: found.start()].rstrip()
        if not before or before[-1] in ".!?:#|-*\n\"'(":
            continue  # the first word of a sentence may be any word
        word = re.search(r"(\w[\w-]*)\Z", before)
        if word is None:
            continue
        yield found[0], (_shape(found[0]), word[1].casefold())


def _is_plain_name(name: str) -> bool:
    """Whether it is a model or a year."""
    if name.isdigit():
        return len(name) == _YEAR
    return any(map(str.isdigit, name)) and any(map(str.isalpha, name))


def _shape(name: str) -> str:
    """`X2` and `Y31` are `A0`, `Kiruna` is `Aa`; numbers are alike where they are as long."""
    if name.isdigit():
        return "0" * len(name)
    plain = "".join("0" if one.isdigit() else "A" if one.isupper() else "a" for one in name)
    return re.sub(r"(.)\1+", r"\1", plain)


KINDS: Mapping[str, str] = {
    "typo": "same_answer",
    "case": "same_answer",
    "negation": "changed_answer",
    "entity_swap": "changed_answer",
    "paraphrase": "same_answer",
    "translation": "same_answer",
}
"""Kinds of variants, and how the answer relates to the original's."""
