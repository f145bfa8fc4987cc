"""What a whole run tells of documents and chunks: the stages before there is a question.

Of a chunk that does not tell its document, or that no case was given, nobody knows the document,
unless another case or a case of kind `document` shows it. Corpus and filter are then not observed
for it, and are not blamed, but where ids of chunks are shown to be those of documents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice

from ragproof.analysis.gold_sight import ABSENT, THERE, UNSEEN, Gold, Sight, Witness, covered
from ragproof.core.corpus import Corpus
from ragproof.core.places import document_of, place_of
from ragproof.core.subject import CaseRun, SourceMatch

FEWEST = 3
"""So many must fail to match before ids are said to be of another kind."""


class Knowledge:
    """Gathers from every case, then tells of each gold source what corpus and filter did."""

    def __init__(self, corpus: Corpus | None, least: float) -> None:
        self._corpus = corpus
        self.least = least
        self._documents: dict[str, str] = {}
        """Chunk to document; of chunks that tell it."""
        self._given: set[str] = set()
        """Sources that some case was given."""
        self._has_parts = False
        """Whether any chunk is part of a document of another name."""
        self._cut: dict[str, list[tuple[int, int] | None]] = defaultdict(list)
        """Document to the places of all its chunks, None for one that does not tell."""
        self._cut_chunks: set[str] = set()
        self._filtered = 0
        """Cases that tell both survivors and chunks."""
        self._filter_names = False
        self._survived = False
        """Whether a chunk that tells no document was given and is itself among the survivors."""
        self._is_foreign = False
        """Whether one was given that is not: what a filter lets through is no chunk."""

    def add_document(self, run: CaseRun) -> None:
        """Take note of what a document was cut into."""
        if run.observation.failure is not None or (chunks := run.observation.chunks) is None:
            return
        if not chunks:
            self._cut.setdefault(run.case.id, [])
        for chunk in chunks:
            document, place = document_of(chunk) or run.case.id, place_of(chunk)
            self._cut[document].append(None if place is None else place[1:])
            self._cut_chunks.add(chunk.id)
            self._documents[chunk.id] = document
            self._has_parts = self._has_parts or document != chunk.id

    def add(self, found: Witness, match: SourceMatch) -> None:
        """Take note of the chunks that a case was given."""
        listed = {document or name for name, document in found.documents.items()}
        self._given |= found.documents.keys() if match is SourceMatch.CHUNK else listed
        for name, document in found.documents.items():
            if document is not None:
                self._documents[name] = document
                self._has_parts = self._has_parts or document != name
        if found.survivors is not None and found.survivors and listed:
            self._filtered += 1
            self._filter_names = self._filter_names or not found.survivors.isdisjoint(listed)
            untold = {name for name, document in found.documents.items() if document is None}
            self._survived = self._survived or not found.survivors.isdisjoint(untold)
            self._is_foreign = self._is_foreign or not found.survivors.issuperset(untold)

    def kept(self, found: Witness) -> Witness:
        """As much of it as is needed later: which documents the filter let through, of a few."""
        survivors = found.survivors
        if survivors is not None and all(one.document is not None for one in found.gold):
            survivors = survivors & {name for one in found.gold for name in _names(one)}
        return Witness(found.gold, found.sights, survivors, {})

    def sights(self, gold: Gold, found: Witness) -> tuple[Sight, Sight, Sight]:
        """What corpus, chunking and filter show of a source."""
        if gold.span is None and gold.document is None:
            gold = replace(gold, document=self._documents.get(gold.name))
        return self._in_corpus(gold), self._in_chunks(gold), self._let_through(gold, found)

    def is_indexed(self, gold: Gold) -> bool:
        """Whether some case was given the source."""
        return gold.span is None and gold.name in self._given

    def warnings(self) -> Iterator[str]:
        """Say which ids are of another kind than those of the chunks."""
        if self._corpus is not None and not self._corpus_names:
            there, given = _some(self._corpus), _some(sorted(self._named))
            yield (
                "no document that was retrieved is in the corpus. Do the ids match? The corpus has "
                f"{there}, retrieved were {given}; the stage `corpus` is not observed"
            )
        if self._filter_is_of_others:
            yield (
                "no document that was retrieved is among the filter's survivors. Do the ids match? "
                "The stage `filter` is not observed"
            )

    @property
    def _named(self) -> Iterator[str]:
        """Documents that were given."""
        for source in self._given:
            yield self._documents.get(source, source)

    @cached_property
    def _corpus_names(self) -> bool:
        """Whether the corpus has ids like those of the chunks; true where too little tells."""
        return len(self._given) < FEWEST or any(one in (self._corpus or ()) for one in self._named)

    @property
    def _filter_is_of_others(self) -> bool:
        return self._filtered >= FEWEST and not self._filter_names

    def _in_corpus(self, gold: Gold) -> Sight:
        if self._corpus is None or not self._corpus_names:
            return UNSEEN
        if any(name in self._corpus for name in _names(gold)):
            return THERE
        return UNSEEN if self._is_of_unknown(gold) else ABSENT

    def _in_chunks(self, gold: Gold) -> Sight:
        """Only cases of kind `document` show all that a document was cut into."""
        if gold.span is None and gold.name in self._cut_chunks:
            return THERE
        if gold.span is None and gold.document != gold.name:
            return ABSENT if self._knows_all_chunks else UNSEEN
        if (cut := self._cut.get(gold.document or gold.name)) is None:
            return UNSEEN
        if gold.span is None:
            return THERE if cut else ABSENT
        share = covered(gold.span, (place for place in cut if place is not None))
        return UNSEEN if None in cut and share < self.least else Sight(share)

    def _let_through(self, gold: Gold, found: Witness) -> Sight:
        if found.survivors is None or self._filter_is_of_others:
            return UNSEEN
        if not found.survivors.isdisjoint(_names(gold)):
            return THERE
        return UNSEEN if self._is_of_unknown(gold) and found.survivors else ABSENT

    def _is_of_unknown(self, gold: Gold) -> bool:
        """Whether a source is a chunk of nobody knows which document."""
        return gold.document is None and not self._chunks_are_documents

    @cached_property
    def _chunks_are_documents(self) -> bool:
        """Whether what was given without a document is shown to be one: all among such ids."""
        if self._has_parts:
            return False
        untold = self._given - self._documents.keys()
        is_listed = self._corpus is not None and all(one in self._corpus for one in untold)
        return (bool(untold) and is_listed) or (self._survived and not self._is_foreign)

    @cached_property
    def _knows_all_chunks(self) -> bool:
        corpus = self._corpus
        return corpus is not None and len(corpus) > 0 and all(one in self._cut for one in corpus)


def _names(gold: Gold) -> tuple[str, ...]:
    """The ids under which a document may stand: its own, or a chunk's that is its own document."""
    if gold.span is not None or gold.document is None:
        return (gold.document or gold.name,)
    return (gold.document, gold.name)


def _some(ids: Iterable[str]) -> str:
    return ", ".join(repr(one) for one in islice(dict.fromkeys(islice(ids, 100)), 2))
