"""filter.entitlement_violations"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    Chunk,
    Json,
    PureMetric,
    Scored,
    SourceMatch,
    Spec,
    Unit,
)
from ragproof.core.needs import ELIGIBLE, NAMED, PARTS
from ragproof.core.places import Named, chunks_of, document_of
from ragproof.metrics.eligibility import labels_name_parts


@dataclass(frozen=True)
class EntitlementViolations(PureMetric[CaseRun]):
    """How many sources the caller may not see appear anywhere in the pipeline.

    Question: Did anything come up that this caller must not see?
    Formula: |distinct sources outside `eligible_source_ids` that are named in what was retrieved,
        in the answer's own chunks or citations, or in the trace: survivors, candidates, reranked,
        context, lanes, what the steps saw|
    Range: 0 upwards. Lower is better; anything above 0 is a failure of its own, which no gain in
        recall makes good: hold it to `max: 0`.
    Edge cases: The evidence says where each was. What the pipeline does not expose is not looked
        at, and the evidence lists what was. Expected sources do not matter here: a question that
        only a forbidden source could answer is a test of exactly this. An empty
        `eligible_source_ids` means that the caller may see nothing. Chunks are matched as
        `source_match` says; matched by chunk, a listed document covers its chunks, and where chunks
        are listed, survivors, which are documents, are not looked at. An id in a citation or step
        that belongs to no chunk seen is taken as that of a source; where chunks are matched by
        document and it names none that was seen, it is `unresolved` and not counted. A forbidden
        text that is told without being named is not found.
    Not to be confused with: `filter.false_exclusion_rate`, the opposite fault: something that the
        caller may see was withheld.
    References: OWASP Top 10 for LLM Applications 2025, LLM08: vector and embedding weaknesses.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", eligible_source_ids=("a",))
        >>> found = (Chunk(id="a"), Chunk(id="secret"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> EntitlementViolations().score(run).evidence["violations"]
        {'secret': ['retrieved']}
    """

    spec = Spec(
        unit=Unit.COUNT,
        better=Better.LOWER,
        needs=(ELIGIBLE, NAMED),  # the first is cheap to read, and most cases lack it
        uses=(PARTS,),
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look everything up that is named anywhere."""
        eligible, named = run[ELIGIBLE], run[NAMED]
        looked_at = {
            place: names
            for place, names in named.items()
            if place != "survivors" or not labels_name_parts(run)
        }
        sources = _Sources(looked_at, run.source_match)
        where: dict[str, list[str]] = defaultdict(list)
        unresolved: set[str] = set()
        for place, names in looked_at.items():
            for ids in {sources.ids(place, one) for one in names}:
                if not ids.resolved:
                    unresolved.add(ids.shown)
                elif eligible.isdisjoint(ids.any_of):
                    where[ids.shown].append(place)
        evidence: dict[str, Json] = {
            "violations": {source: sorted({*places}) for source, places in sorted(where.items())},
            "looked_at": sorted(looked_at),
            "unresolved": sorted(unresolved),
        }
        return Scored(float(len(where)), evidence)


@dataclass(frozen=True, slots=True)
class _Ids:
    """By what a source may be listed, and what it is called to the reader."""

    any_of: tuple[str, ...]
    shown: str
    resolved: bool = True


class _Sources:
    """Resolves what is named to the ids by which the caller's rights are listed."""

    def __init__(self, named: Named, match: SourceMatch) -> None:
        told = ((chunk.id, document_of(chunk)) for chunk in chunks_of(named))
        self._document = {chunk: document for chunk, document in told if document is not None}
        self._chunks = {chunk.id for chunk in chunks_of(named)}
        survivors = (one for one in named.get("survivors", ()) if isinstance(one, str))
        self._documents = {*self._document.values(), *survivors}
        self._cut = any(chunk != document for chunk, document in self._document.items())
        self._by_document = match is SourceMatch.DOCUMENT

    def ids(self, place: str, one: Chunk | str) -> _Ids:
        """What a chunk or an id in a place stands for."""
        if isinstance(one, Chunk) or (place != "survivors" and one in self._chunks):
            return self._of_chunk(one if isinstance(one, str) else one.id)
        unknown = place != "survivors" and self._by_document and self._cut
        return _Ids((one,), one, resolved=not unknown or one in self._documents)

    def _of_chunk(self, chunk: str) -> _Ids:
        document = self._document.get(chunk)
        if document is None:
            return _Ids((chunk,), chunk)
        return _Ids((document,), document) if self._by_document else _Ids((chunk, document), chunk)
