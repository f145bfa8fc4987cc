"""How one language declines to answer: what its file has to say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ragproof.text.folding import folded

_NEVER = r"(?!)"
_STARTS = (r"\b", "^")
_REMEMBERED = 20_000
"""Words whose kinds are remembered."""
_AROUND = ".,;:!?\u2026\"'()[]\u2014\u061b\u060c\u0964\u061f"


@dataclass(frozen=True)
class Phrases:
    """Regular expressions over folded text, each tried on one clause.

    Gaps between words are bounded, so that no text takes more than linear time.
    """

    cues: str
    """Words one of which is in every clause that declines: "not", "unable"."""
    speaker: tuple[str, ...]
    """Whoever answers has no answer: "I don't know", "the question cannot be answered"."""
    sources: tuple[str, ...]
    """The sources do not say one thing: "the handbook does not mention pets"."""
    anchors: str = ".*"
    """Words another of which is there too: who knows nothing, or what is not known."""
    spaced: bool = True
    """Whether there are spaces between words; cues are searched for where not."""
    condition: str = _NEVER
    """Before a match, it is only a case that may arise: "if"."""
    turn: str = _NEVER
    """Where a sentence turns from one thing to the opposite: "but"; a clause starts there."""
    conclusion: str = _NEVER
    """What starts a clause that draws the conclusion: "therefore"."""
    concession: str = _NEVER
    """A subordinate clause at the start that grants something: "while the text names Ann,"."""
    asides: tuple[str, ...] = (_NEVER,)
    """Whole clauses that answer nothing: apologies, advice whom to ask, what the sources are
    about, what the question was."""
    accounts: tuple[str, ...] = (_NEVER,)
    """Whole clauses that explain a refusal by what is in the sources; beside anything less than
    a refusal they may be the answer."""

    def may_decline(self, plain: str) -> bool:
        """The cheap test that comes first, by words that were looked at before."""
        if not self.spaced:
            return self._cue.search(plain) is not None
        kinds = [self._kind(word) for word in plain.split()]
        return any(cue for cue, _ in kinds) and any(anchor for _, anchor in kinds)

    def _kind(self, word: str) -> tuple[bool, bool]:
        if (kind := self._kinds.get(word)) is None:
            if len(self._kinds) > _REMEMBERED:
                self._kinds.clear()
            bare = word.strip(_AROUND)
            cue = self._cue.fullmatch(bare) is not None
            kind = (cue, self._anchor.fullmatch(bare) is not None)
            self._kinds[word] = kind
        return kind

    @cached_property
    def _cue(self) -> re.Pattern[str]:
        return _compiled(self.cues)

    @cached_property
    def _anchor(self) -> re.Pattern[str]:
        return _compiled(self.anchors)

    @cached_property
    def _kinds(self) -> dict[str, tuple[bool, bool]]:
        return {}

    @cached_property
    def by_speaker(self) -> re.Pattern[str]:
        """Any of `speaker`; compiled at the first use, like all below."""
        return _compiled(*self.speaker)

    @cached_property
    def by_sources(self) -> re.Pattern[str]:
        """Any of `sources`."""
        return _compiled(*self.sources)

    @cached_property
    def conditional(self) -> re.Pattern[str]:
        """`condition`."""
        return _compiled(self.condition)

    @cached_property
    def turning(self) -> re.Pattern[str]:
        """`turn`."""
        return _compiled(self.turn)

    @cached_property
    def concluding(self) -> re.Pattern[str]:
        """`conclusion`."""
        return _compiled(self.conclusion)

    @cached_property
    def conceding(self) -> re.Pattern[str]:
        """`concession`."""
        return _compiled(self.concession)

    @cached_property
    def aside(self) -> re.Pattern[str]:
        """Any of `asides`."""
        return _compiled(*self.asides)

    @cached_property
    def account(self) -> re.Pattern[str]:
        """Any of `accounts`."""
        return _compiled(*self.accounts)


def _compiled(*patterns: str) -> re.Pattern[str]:
    """One expression of all; what starts alike is put together, so that it is looked for once."""
    found: dict[str, list[str]] = {start: [] for start in (*_STARTS, "")}
    for pattern in map(_plain, patterns):
        for one in _alternatives(pattern):
            start = next((start for start in _STARTS if one.startswith(start)), "")
            found[start].append(one.removeprefix(start))
    return re.compile("|".join(f"{s}(?:{'|'.join(ones)})" for s, ones in found.items() if ones))


def _alternatives(pattern: str) -> list[str]:
    """Cut a pattern at the bars that stand in no brackets."""
    cuts, depth, chosen = [-1], 0, False
    signs = re.finditer(r"\\.|.", pattern, re.DOTALL)
    for sign, place in ((found[0], found.start()) for found in signs):
        if chosen:
            chosen = sign != "]"
        elif sign == "[":
            chosen = True
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        elif sign == "|" and depth == 0:
            cuts.append(place)
    return [pattern[i + 1 : j] for i, j in pairwise([*cuts, len(pattern)])]


def _plain(pattern: str) -> str:
    """The pattern in folded letters; its escapes keep their case."""
    return "".join(one if one.isascii() else folded(one) for one in pattern)
