"""Names in a text, found by how they are written: no model, no list of names."""

# ruff: noqa: RUF001  # signs of other scripts are what this is about

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

from ragproof.text.letters import MARKS

_PART = rf"[^\W_]+(?:[{MARKS}]+[^\W_]*)*"
_TOKEN = re.compile(rf"[{MARKS}]*{_PART}(?:[-'’.&_]{_PART})*")
_MARKS = frozenset(MARKS)
_JOINTS = frozenset("-'’.&_")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{3,}(?:[\u30fb=][\u30a1-\u30fa\u30fc]{2,})*")
_TITLE = re.compile("[\u300a\u300e]([^\u300a\u300b\u300e\u300f\n]{1,60})[\u300b\u300f]")
_BETWEEN = "of the de la del della di da dos das du des van von der den bin al y"
_LINKING = frozenset(_BETWEEN.split())
_LINK_BEGINS = frozenset(one[0] for one in _LINKING) | frozenset("& ")
_FIRST = (
    "a about above according additionally after all also although among an and another any are as "
    "at based because been before being below between both but by can could despite did do does "
    "during each either even every finally first for from furthermore given had has have he hence "
    "her here his how however i if in including indeed instead into is it its just last lastly "
    "later let like many more moreover most much my neither next no nor not note nothing now of "
    "often on once one only or other others our over overall per please rather same second "
    "several she should similarly since so some sorry still such than that the their then there "
    "therefore these they third this those though through thus to today under unfortunately "
    "unless unlike until upon was we were what when where whereas whether which while who whose "
    "why will with within without would yes yet you your two three four five six seven eight nine "
    "ten answer context question source sources section note passage passages document documents "
    "step key use call set run open click press see take add try install contact hi hello hey dear "
    "thank thanks sure here because well great happy summary overview conclusion table figure "
    "option example let's enable ensure quelle quellen fuente fuentes fonte fonti référence "
    "der die das ein eine einen einem einer es er sie wir ich und oder aber nach bei mit von vom "
    "zu zum zur im in am auf für aus dem den des nicht kein keine wenn als auch dies diese dieser "
    "dieses laut ja nein man ihr sein seine "
    "le la les un une des du de il elle ils elles nous vous je on et ou mais dans en sur pour par "
    "avec sans ce cette ces selon oui non si que qui au aux son sa ses leur "
    "el los las unos unas y o pero en con sin por para según sí su sus este esta estos estas del "
    "al lo se no il lo gli uno una e ma nel nella secondo questo questa i o os as um uma no na "
    "em com sem não sim seu sua este esta isso"
)
_OPENERS = frozenset(_FIRST.split())
"""Words with a capital at the beginning of a sentence that are no names."""
_VERB = re.compile(
    r"['’]s\b|\s(?:is|was|are|were|has|had|have|did|does|will|can|may|became|won|wrote|said|died|"
    r"ist|war|hat|hatte|wurde|est|était|fut|es|fue|era|è|foi)\b"
    r"|(?<!s)\s(?:[a-z]{2,}ed|[a-z]+[^s\s]s (?:an?|the|it|him|her|them|its|his|their|that))\b"
)
_SENTENCE_ENDS = frozenset(".!?:;\u2026。！？")
_ROUND = " \n.!*_'\""
_NOTHING = re.compile(rf"[{_ROUND}]*+\Z")
"""Behind a name that is all there is."""
_LISTED = re.compile(r"(?:,? (?:and|or|und|oder|et|ou|y|e)|,) [^\W\d_a-z]")
"""Another capital behind the first word: `Lyon and Paris`."""
_LABEL_ENDS = re.compile(r"[^\n.:]{0,40}[*_]{0,2}:")
_SIGNS = re.compile(r"[\s\d*_#>•.)(-]*(?:\w+ )?")
"""What may stand before a label in its line, its own first word among it."""
_ENDS = re.compile(r"[.!?:;\u2026。！？]['\"”’)\]]*\s+\Z|\n\s*\Z|\A\s*\Z|(?:^|\n)\s*[-*•#>]+\s*\Z")


class Name(NamedTuple):
    """One of them."""

    start: int
    text: str


def names(text: str) -> list[str]:
    """Find them, each once, in the order of the text; `mentions` tells more of each.

    A name is a stretch of words with a capital, `of`, `de` and their like between them; a word
    with a digit or a second capital in it; in Japanese three katakana or more; and a title in the
    brackets of Chinese and Japanese. The first word of a sentence alone is one where a verb or
    `'s` follows it and it is no word that often stands there. Scripts without capitals have
    none else, and in German nouns count as names.

    >>> names("In 1889 the Eiffel Tower was built by Gustave Eiffel. It was a GPT-4 of iron.")
    ['Eiffel Tower', 'Gustave Eiffel', 'GPT-4']
    >>> names("Paris was founded in 1994. However, the Bank of England is older.")
    ['Paris', 'Bank of England']
    """
    return list(dict.fromkeys(one.text for one in mentions(text)))


def mentions(text: str) -> list[Name]:
    """Every time one of the names is told, in order."""
    found = [Name(start, name) for start, name in _capitals(text)]
    if not text.isascii():
        found += [Name(one.start(), one[0]) for one in _KATAKANA.finditer(text)]
        found += [Name(one.start(1), one[1]) for one in _TITLE.finditer(text)]
    return sorted(found)


def is_label(text: str, name: Name) -> bool:
    """Whether the name opens a line of the text and a colon follows, as the words of a label do."""
    begin = text.rfind("\n", 0, name.start) + 1
    follows = _LABEL_ENDS.match(text, name.start + len(name.text))
    return follows is not None and _SIGNS.fullmatch(text, begin, name.start) is not None


def _capitals(text: str) -> Iterator[tuple[int, str]]:
    run: list[re.Match[str]] = []
    for token in _capital_tokens(text):
        linking = _linking(text, run[-1], token) if run else []
        if linking is None:
            yield from _name(text, run)
            run = [token]
        else:
            run += [*linking, token]
    yield from _name(text, run)


def _capital_tokens(text: str) -> Iterator[re.Match[str]]:
    """The tokens that count as capital. Few have a capital at all: those are looked for."""
    capital, past = _capital(is_ascii=text.isascii()), 0
    while (found := capital.search(text, past)) is not None:
        start = found.start()
        while start > past and _begins_before(text, start):
            start -= 1
        token = _TOKEN.match(text, start)
        if token is None:  # a sign: Ⓐ is no letter
            past = found.end()
            continue
        past = token.end()
        if _is_capital(token[0]):
            yield token


@cache
def _capital(*, is_ascii: bool) -> re.Pattern[str]:
    """A capital; beyond the Basic Multilingual Plane anything, lest the pattern be slow."""
    if is_ascii:
        return re.compile("[A-Z]")
    others = [
        [*codes]
        for is_upper, codes in groupby(range(0x10000), lambda code: chr(code).isupper())
        if not is_upper
    ]
    return re.compile("[^" + "".join(f"\\u{one[0]:04x}-\\u{one[-1]:04x}" for one in others) + "]")


def _begins_before(text: str, at: int) -> bool:
    """Whether the token of what stands there has begun before it."""
    before = text[at - 1]
    if before in _JOINTS:
        return at > 1 and _is_of_word(text[at - 2])
    return _is_of_word(before)


def _is_of_word(char: str) -> bool:
    return char.isalnum() or char in _MARKS


def _linking(text: str, one: re.Match[str], other: re.Match[str]) -> list[re.Match[str]] | None:
    """The `of` and `de` between two capitals of one name; None where they are of two."""
    behind = one.end() + 1
    if behind < other.start() and text[behind] not in _LINK_BEGINS:  # soon seen
        return None
    between: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text, one.end(), other.start()):
        if token[0] not in _LINKING or not _goes_on(text, one, token):
            return None
        between.append(token)
        one = token
    return between if _goes_on(text, one, other) else None


def _goes_on(text: str, before: re.Match[str], token: re.Match[str]) -> bool:
    between = text[before.end() : token.start()]
    if between == ". ":
        return len(before[0]) == 1 or before[0] in {"Dr", "Mr", "Mrs", "Ms", "St", "Prof"}
    return between in {" ", "\u00a0", " & "}


def _name(text: str, run: list[re.Match[str]]) -> Iterator[tuple[int, str]]:
    """The words of a stretch without what only opens the sentence or hangs at its end."""
    first, last = 0, len(run)
    while last and run[last - 1][0] in _LINKING:
        last -= 1
    opens = bool(last) and _opens(text, run[0].start())
    while first < last and _only_opens(run[first][0], opens=opens):
        first, opens = first + 1, False
        while first < last and run[first][0] in _LINKING:
            first += 1
    run = run[first:last]
    if not run:
        return
    start, end = run[0].start(), run[-1].end()
    told = text[start:end]
    name = told.removesuffix("'s").removesuffix("’s")
    lone = opens and len(run) == 1 and not _is_made_up(name)
    if lone and name == told and not _is_told_of(text, start, end):
        return
    if _is_small(run[0][0]) and all(_is_small(one[0]) for one in run):
        return
    if len(name) > 1 and not name.isdigit():
        yield start, name


def _is_told_of(text: str, start: int, end: int) -> bool:
    """Whether the one word with a capital that opens a sentence is a name by what follows it."""
    if _VERB.match(text, end) or (_NOTHING.match(text, end) and not text[:start].strip(_ROUND)):
        return True
    return _LISTED.match(text, end) is not None and not text.endswith("ly", 0, end)


def _is_small(word: str) -> bool:
    """Whether it is no name although it has a capital within a sentence."""
    if word.isupper() and len(word) > 1:
        return False
    return word in _LINKING or _only_opens(word, opens=True)


def _only_opens(word: str, *, opens: bool) -> bool:
    bare = word if word.isalnum() else word.replace("’", "'").partition("'")[0]
    return bare.lower() in _OPENERS and (opens or bare in {"I", "The", "A"})


def _opens(text: str, start: int) -> bool:
    """Whether a sentence, a line or a quote begins there."""
    if text[start - 1 : start] == " ":  # most often the sign before it tells
        sign = text[start - 2 : start - 1]
        if sign in _SENTENCE_ENDS or sign.isalnum():
            return sign in _SENTENCE_ENDS
    before = text[max(0, start - 12) : start]
    if start <= 12:
        before = before.lstrip("\"'“‘«(*_# ")
    return _ENDS.search(before.rstrip("\"'“‘«(*_")) is not None


def _is_capital(word: str) -> bool:
    return word[0].isupper() or _is_made_up(word)


def _is_made_up(word: str) -> bool:
    """Whether there is a capital after the first letter, or a digit with a capital."""
    if word[1:].islower() or word.isdigit():
        return False
    capitals = sum(map(str.isupper, word))
    if capitals == 1 and word[0].islower() and word[1].isupper():  # iPad
        return len(word) > 2
    return capitals > 1 or (capitals == 1 and any(map(str.isdigit, word)))
