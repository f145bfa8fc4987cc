"""The one rule by which a text is taken for a refusal when no judge is asked."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ragproof.text.clauses import readable, sentences
from ragproof.text.folding import folded
from ragproof.text.language import languages
from ragproof.text.refusals.arabic import ARABIC
from ragproof.text.refusals.chinese import CHINESE
from ragproof.text.refusals.english import ENGLISH
from ragproof.text.refusals.french import FRENCH
from ragproof.text.refusals.german import GERMAN
from ragproof.text.refusals.hindi import HINDI
from ragproof.text.refusals.italian import ITALIAN
from ragproof.text.refusals.japanese import JAPANESE
from ragproof.text.refusals.phrases import Phrases
from ragproof.text.refusals.portuguese import PORTUGUESE
from ragproof.text.refusals.russian import RUSSIAN
from ragproof.text.refusals.short import SHORT
from ragproof.text.refusals.spanish import SPANISH

PHRASES = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "pt": PORTUGUESE,
    "it": ITALIAN,
    "zh": CHINESE,
    "ja": JAPANESE,
    "ru": RUSSIAN,
    "ar": ARABIC,
    "hi": HINDI,
}
"""Language code to its phrases."""
_FLAT = 40
"""Letters of a sentence that only declines; what the sources hold then explains why."""
_PARTLY = re.compile(r"\b(?:exact|precis|specific|genau|exakt|esatt)", re.IGNORECASE)
"""Who does not know just this may know something: the exact date."""
_AFFIRMS = re.compile(r"(?:[\w ]{1,30}: ?)?\W*(?:yes|ja|oui|si|sim|да)(?=, \w)")
"""It answers, whatever else is said: `Context 1: Yes, the answer is present`."""
_LABELLED = re.compile(r"\W*[^\W\d_][\w ]{1,30}: (?P<said>[^:]+)")
"""A line of a list with what is told for it: `Price: not stated`."""
_AROUND = string.whitespace + "\u00a0\u2028\u2029\ufeff"
"""What stands around an answer and says nothing; a quote that it precedes would seem to open."""
_EDGES = " \t\n\r.!?\u2026,:;-\u2014'\"()[]{}<>/\\\u3002\u3001\u060c\u061f\u0964\u00b7"
"""What may stand around words; full-width signs are plain ones here already."""
_TRAILING = _EDGES.replace("?", "").replace("\u061f", "")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a text declines to answer, and what shows it."""

    refused: bool
    words: str
    """What decided: the words of refusal, or the part that answers despite them."""
    sentence: str
    """The sentence they are in."""


_ANSWERS = Verdict(refused=False, words="", sentence="")
"""Nothing declines."""


def refusal(text: str) -> Verdict | None:
    """Decide whether a text declines to answer; None in a language that is not covered.

    It declines where some clause of it says that whoever speaks, or the sources, have no answer,
    and no other clause answers. An empty text declines.

    >>> refusal("Sorry, the handbook is silent on this. Please ask HR.")
    Verdict(refused=True, words='is silent on', sentence='Sorry, the handbook is silent on this.')
    >>> refusal("It does not mention prices; however, it lists a plan at $10.").refused
    False
    """
    plain = readable(text.strip(_AROUND))
    bare = folded(plain).strip(_EDGES)
    if not any(map(str.isalnum, bare)):
        return Verdict(refused=True, words="", sentence="")
    if bare in SHORT:
        return Verdict(refused=True, words=plain.strip(), sentence=plain.strip())
    codes = languages(plain)
    if not codes:
        return None
    parts = folded(plain).split(". ")  # roughly its sentences: most answers end here
    spoken = [PHRASES[code] for code in codes if any(map(PHRASES[code].may_decline, parts))]
    said = sentences(plain) if spoken else []
    found = [one for words in spoken if (one := _read(said, words))]
    return max(found, key=lambda one: one.refused, default=_ANSWERS)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a sentence, and what it does."""

    sentence: str
    text: str
    declines: str
    """The words that decline, empty where none do."""
    by_speaker: bool = False
    concludes: bool = False
    grants: bool = False
    """It only concedes something: it never answers."""
    turns: bool = False
    """It comes after "but"."""


def _read(said: Iterable[str], words: Phrases) -> Verdict | None:
    """Weigh the clauses; None where nothing declines."""
    cut = [clause for sentence in said for clause in _clauses(sentence, words)]
    declining = [clause for clause in cut if clause.declines]
    if not declining:
        return None
    wholly = [one for one in declining if one.by_speaker and not _PARTLY.search(one.sentence)]
    flat = declining[0] in wholly and len(declining[0].sentence) <= _FLAT
    telling = [
        clause
        for clause in cut
        if not (clause.declines or clause.grants)
        and not _is_idle(clause, words, accounts=flat or (bool(wholly) and not clause.turns))
    ]
    if not telling or _concludes(cut, telling):
        because = next((one for one in declining if one.by_speaker), declining[0])
        return Verdict(refused=True, words=because.declines, sentence=because.sentence)
    return Verdict(refused=False, words=telling[0].text, sentence=telling[0].sentence)


def _concludes(cut: list[_Clause], telling: list[_Clause]) -> bool:
    """Whether all that is told leads up to the refusal: it comes last, or first and last."""
    weighty = [c for c in cut if c.declines or c in telling]
    first, last = weighty[0], weighty[-1]
    if not last.declines:
        return False
    explained = first.by_speaker and not any(clause.turns for clause in telling)
    return explained or (last.by_speaker and last.concludes)


def _clauses(sentence: str, words: Phrases) -> Iterator[_Clause]:
    plain = folded(sentence)
    start = 0
    if granted := words.conceding.match(plain):
        yield _clause(sentence, plain, 0, granted.end(), words, grants=True)
        start = granted.end()
    cuts = [found.end() for found in words.turning.finditer(plain, start) if found.end() > start]
    for begin, end in zip([start, *cuts], [*cuts, len(plain)], strict=True):
        if any(map(str.isalnum, plain[begin:end])):
            yield _clause(sentence, plain, begin, end, words)


def _clause(
    sentence: str, plain: str, begin: int, end: int, words: Phrases, *, grants: bool = False
) -> _Clause:
    part = plain[begin:end]
    found, by_speaker = _declining(part, words)
    return _Clause(
        sentence=sentence,
        text=sentence[begin:end].strip(),
        declines=sentence[begin:end][found.start() : found.end()].strip() if found else "",
        by_speaker=by_speaker,
        concludes=words.concluding.match(part) is not None,
        grants=grants,
        turns=begin > 0 or words.turning.match(part) is not None,
    )


def _declining(part: str, words: Phrases) -> tuple[re.Match[str] | None, bool]:
    labelled = _LABELLED.fullmatch(part)
    if {part.strip(_EDGES), labelled["said"].strip(_EDGES) if labelled else ""} & SHORT:
        return re.match(r".*", part, re.DOTALL), True
    if not words.may_decline(part):
        return None, False
    for pattern, by_speaker in ((words.by_speaker, True), (words.by_sources, False)):
        for found in pattern.finditer(part):
            if not words.conditional.search(part[: found.start()].rpartition(",")[2]):
                return found, by_speaker
    return None, False


def _is_idle(clause: _Clause, words: Phrases, *, accounts: bool) -> bool:
    """Whether a clause that does not decline answers nothing either."""
    plain = folded(clause.text).strip(_TRAILING)
    if plain.endswith(("?", "\u061f")) and not clause.turns:
        return True
    if _AFFIRMS.match(plain):
        return False
    if words.aside.fullmatch(plain):
        return True
    return accounts and words.account.fullmatch(plain) is not None
