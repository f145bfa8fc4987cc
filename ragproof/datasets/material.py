"""What questions are asked about: the passages of a corpus, and a search over all of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ragproof.core import Corpus, UsageError
from ragproof.datasets.chunker import Passage, passages
from ragproof.text.bm25 import Bm25, light_tokens
from ragproof.text.clean import unclean
from ragproof.text.shingles import jaccard

LEAST = 120
"""Characters below which a passage gives no question worth asking."""
NEAR = 6
"""So many near passages are looked at for a second one."""
SAME = 0.8
"""Passages that share so many of their words say the same twice."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]+")


def search_tokens(text: str) -> list[str]:
    """Words without endings; in scripts without spaces, pairs of characters.

    >>> search_tokens("The pumps"), search_tokens("東京都")
    (['pump'], ['東京', '京都'])
    """
    tokens: list[str] = []
    for token in light_tokens(text):
        if _UNSPACED.search(token) is None:
            tokens.append(token)
        else:
            tokens += [token[at : at + 2] for at in range(max(1, len(token) - 1))]
    return tokens


@dataclass(frozen=True)
class Skipped:
    """A file or document about which nothing is asked, and why."""

    document_id: str
    reason: str


@dataclass(frozen=True)
class Material:
    """The passages of a corpus, in its order."""

    passages: tuple[Passage, ...]
    documents: int
    skipped: tuple[Skipped, ...] = ()
    _index: list[Bm25] = field(default_factory=list[Bm25], compare=False, repr=False)

    @property
    def asked_about(self) -> tuple[Passage, ...]:
        """Those that are long enough for a question."""
        return tuple(one for one in self.passages if len(one.text) >= LEAST) or self.passages

    def search(self, query: str, k: int) -> list[Passage]:
        """The k passages of the whole corpus that share most with the query."""
        if not self._index:
            said = [" ".join((*one.headings, one.text)) for one in self.passages]
            self._index.append(Bm25(said, tokens=search_tokens))
        return [self.passages[at] for at, _ in self._index[0].best(query, k)]

    def near(self, one: Passage) -> list[Passage]:
        """Passages of the corpus that are most like this one and do not say the same."""
        mine = frozenset(search_tokens(one.text))
        found = (other for other in self.search(one.text, NEAR + 1) if other.place != one.place)
        return [
            other
            for other in found
            if (jaccard(mine, frozenset(search_tokens(other.text))) or 0.0) < SAME
        ]


def material(corpus: Corpus, unread: Sequence[str] = ()) -> Material:
    """Read and cut all documents; `unread` names files of a kind that is not read.

    Raises UsageError where no document has any text.
    """
    skipped = [Skipped(name, "this kind of file is not read") for name in unread]
    made: list[Passage] = []
    documents = 0
    for document_id in corpus:
        try:
            found = passages(document_id, corpus.text(document_id) or "")
        except UsageError as fault:
            skipped.append(Skipped(document_id, str(fault)))
            continue
        if not any(map(str.isalnum, "".join(one.text for one in found))):
            skipped.append(Skipped(document_id, "there is no text in it"))
            continue
        if bad := unclean(document_id):
            skipped.append(Skipped(document_id, f"its id has {bad}, which no tag may have"))
            continue
        documents += 1
        made += found
    if not made:
        told = "; ".join(f"{one.document_id}: {one.reason}" for one in skipped[:3])
        raise UsageError(f"the corpus has no text to ask about ({told or 'it is empty'})")
    return Material(tuple(made), documents, tuple(skipped))


def spread(told: Material, seed: int, what: str) -> Iterator[Passage]:
    """Passages in an order drawn by the seed, all documents in turn, again and again.

    Another `what` is another order, so that kinds of cases do not all ask about the same.
    """
    chance = random.Random(f"{seed}:{what}")  # noqa: S311  a sample, not a secret
    of: dict[str, list[Passage]] = {}
    for one in told.asked_about:
        of.setdefault(one.document_id, []).append(one)
    names = list(of)
    chance.shuffle(names)
    for found in of.values():
        chance.shuffle(found)
    turn = 0
    while True:
        begun = False
        for name in names:
            if turn < len(of[name]):
                begun = True
                yield of[name][turn]
        turn = turn + 1 if begun else 0
