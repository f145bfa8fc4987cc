"""Whether a text has a name that it writes otherwise: short, in full, inflected, with a title."""

# ruff: noqa: RUF001  # signs of other scripts are what this is about

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ragproof.text.folding import folded
from ragproof.text.letters import MARKS

_WORD = re.compile(f"[^\\W_]+(?:[{MARKS}'’.&_-]+[^\\W_]+)*")
_APART = str.maketrans(dict.fromkeys('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\u2026\u3002\uff0c', " "))
_INITIALS = re.compile(r"(?:[A-Z]\.?){2,6}s?")
_CAPITALS = re.compile(
    r"\b[A-Z][\w'’-]*(?:(?: of| the| and| for| de| des| der| du| &)* [A-Z][\w'’-]*)+"
)
_LINKS = "of the and for de des der du la le y und et & al del in on to a"
_SMALL = frozenset(_LINKS.split())
_RANKS = (
    "dr mr mrs ms prof professor sir lord lady dame king queen prince princess emperor empress "
    "pope president chancellor minister senator governor mayor judge justice general colonel "
    "captain saint st herr frau monsieur madame señor señora don"
)
_TITLES = frozenset(_RANKS.split())
_KINDS = "inc ltd llc corp corporation company co plc gmbh ag sa limited incorporated city"
_FORMS = frozenset(_KINDS.split())
"""What may follow the name of a firm or a place, and be left out."""
_BARE = _TITLES | _FORMS
_ENDINGS = r"(?:s|es|n|en|e|er|ern|em|an|ans|ian|ians|ese|ish|y)?"
_STEM = re.compile(rf"(?P<stem>\w{{4,}}?){_ENDINGS}")
_CYRILLIC = re.compile("[\u0400-\u052f]+")
_FEWEST, _LONG = 4, 5
"""Letters from which on a word is looked for without its ending."""


@dataclass(frozen=True)
class Spellings:
    """Some texts, read for the ways in which they write names; nothing before it is asked for."""

    texts: tuple[str, ...]

    def has(self, name: str) -> bool:
        """Whether they have the name in another spelling.

        >>> held = Spellings(("The Federal Trade Commission fined Smith and François Hollande.",))
        >>> [held.has(one) for one in ("FTC", "Dr. Smith", "Francois Hollande", "Smiths", "SEC")]
        [True, True, True, True, False]
        """
        words = _words(name)
        if all(_bare(one) in _BARE for one in words):
            return True
        if _INITIALS.fullmatch(name.strip(".")) is not None:
            return self._has_initials(name)
        if len(words) > 1 and self._has_capitals(_initials(words)):
            return True
        return any(self._stands(ways) for ways in _ways(words))

    def has_small(self, word: str) -> bool:
        """Whether they have the word in lower case: then it is no name."""
        low = word.lower()
        return low != word and any(_stands_in(text, low) for text in self.texts)

    def shortens(self, name: str) -> bool:
        """Whether the name is initials of one that they have in full: Machine Learning (ML)."""
        return _INITIALS.fullmatch(name) is not None and name.replace(".", "") in self._shortened

    def _has_initials(self, name: str) -> bool:
        bare = name.replace(".", "")
        short = bare.removesuffix("s")
        return self._has_capitals(short) or bool({bare, short} & self._shortened)

    def _has_capitals(self, short: str) -> bool:
        ways = (short, f"{short}s", ".".join(short))
        return any(_stands_in(text, one) for text in self.texts for one in ways)

    def _stands(self, words: Sequence[str]) -> bool:
        begins = [_folded(one)[:_FEWEST] for one in words]
        if not all(self._may_have(one) for one in begins):  # soon seen
            return False
        if not all(one in self._plain for one in begins):
            return False
        return re.search(r"\b" + " +".join(map(_inflected, words)) + r"\b", self._plain) is not None

    def _may_have(self, begin: str) -> bool:
        """Whether it may be in `_plain`, which need not be made where it is not."""
        return not begin.isalnum() or any(way in self._lowered for way in _with_umlauts(begin))

    @cached_property
    def _plain(self) -> str:
        return _without_umlauts(self._lowered).translate(_APART)

    @cached_property
    def _lowered(self) -> str:
        told = "\n".join(self.texts).replace("'s", "").replace("’s", "")
        return _lowered(told)

    @cached_property
    def _shortened(self) -> frozenset[str]:
        """The initials of names of several words."""
        found = (_words(one) for text in self.texts for one in _CAPITALS.findall(text))
        return frozenset(
            _initials(words[first:last])
            for words in found
            for first in range(len(words))
            for last in range(first + 2, len(words) + 1)
        )


def _stands_in(text: str, word: str) -> bool:
    """Whether the word stands there by itself."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (text[at - 1 : at].isalnum() and at) and not text[end : end + 1].isalnum():
            return True
        at = text.find(word, end)
    return False


def proper(name: str, is_small: Callable[[str], bool]) -> list[str]:
    """The stretches of a name without words that are common ones.

    >>> proper("Call the Bank of England Office", lambda word: word in {"Call", "Office", "Bank"})
    ['England']
    """
    runs: list[list[str]] = [[]]
    for word in _words(name):
        if word.lower() in _SMALL or is_small(word):
            runs.append([])
        else:
            runs[-1].append(word)
    return [" ".join(run) for run in runs if run]


def _words(name: str) -> list[str]:
    return [one.removesuffix("'s").removesuffix("’s") for one in _WORD.findall(name)]


def _initials(words: Sequence[str]) -> str:
    return "".join(one[0] for one in words if one.lower() not in _SMALL)


def _ways(words: list[str]) -> list[list[str]]:
    """The name, without title and form, and the other way round where there is an `of`."""
    found = [words]
    while len(words) > 1 and _bare(words[0]) in _TITLES:
        words = words[1:]
        found.append(words)
    if len(words) > 1 and _bare(words[-1]) in _FORMS:
        found.append(words[:-1])
    if len(words) == 3 and words[1] == "of":
        found.append([words[2], words[0]])
    return found


def _bare(word: str) -> str:
    return word.lower().strip(".")


def _inflected(word: str) -> str:
    if word.endswith("s") and word[:-1].isupper():
        word = word[:-1]  # PDFs
    plain = _folded(word)
    if _CYRILLIC.fullmatch(plain):
        return re.escape(plain[:-1] if len(plain) >= _LONG else plain) + r"\w{0,3}"
    stem = _STEM.fullmatch(plain)
    if stem is None or len(plain) < _LONG:
        return re.escape(plain) + "s?"
    return f"(?:{re.escape(stem['stem'])}|{re.escape(plain)}){_ENDINGS}"


def _folded(word: str) -> str:
    """Without accents, case and apostrophes; ue and ü alike."""
    return _without_umlauts(_lowered(word))


def _lowered(text: str) -> str:
    return folded(text).replace("'", "").replace("-", " ").replace("_", " ")


def _without_umlauts(text: str) -> str:
    return text.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def _with_umlauts(begin: str) -> list[str]:
    """What may become these letters without umlauts.

    >>> _with_umlauts("muel"), _with_umlauts("tra")
    (['muel', 'mueel'], ['tra'])
    """
    ways = [""]
    for letter in begin[:-1]:
        ways = [way + letter for way in ways] + [
            f"{way}{letter}e" for way in ways if letter in "aou"
        ]
    return [way + begin[-1:] for way in ways]
