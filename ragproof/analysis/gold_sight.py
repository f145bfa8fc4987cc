"""Where in one observation a case's gold is seen: its expected sources, or expected spans.

Every stage is looked up in what the pipeline itself tells of it. A stage that it does not tell of
is not observed; nothing is concluded from its silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from ragproof.core.case import QuestionCase, SourceSpan
from ragproof.core.observation import Chunk, Observation, Trace
from ragproof.core.places import chunks_of, document_of, named_by, place_of
from ragproof.core.subject import CaseRun, SourceMatch


class GoldStage(StrEnum):
    """A step on the way of a document into an answer, in the order in which they are made."""

    CORPUS = "corpus"
    CHUNKING = "chunking"
    FILTER = "filter"
    RETRIEVAL = "retrieval"
    RERANKING = "reranking"
    CONTEXT = "context"
    ANSWER = "answer"


STAGES = tuple(GoldStage)
BEFORE = STAGES[:2]
"""What happens before there is a question."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a stage shows of one gold source."""

    share: float | None
    """How much of it is there: 0 or 1 of a source, a share of the characters of a span; None
    where the stage is not observed."""
    rank: int | None = None
    """Its place in the stage's list, from 1; of a source that was found too low its share is 0."""


UNSEEN, ABSENT, THERE = Sight(None), Sight(0.0), Sight(1.0)


@dataclass(frozen=True, slots=True)
class Gold:
    """A source that a right answer rests on."""

    name: str
    """Its id; of a span `document_id[start:end]`."""
    grade: int = 1
    span: SourceSpan | None = None
    document: str | None = None
    """The document that it is or is part of; None where the observation does not tell."""


Look = Callable[[Gold], Sight]


@dataclass(frozen=True, slots=True)
class Witness:
    """What one observation shows of the gold of its case."""

    gold: tuple[Gold, ...]
    sights: tuple[tuple[Sight, ...], ...]
    """A row a gold source, a column a stage from retrieval on."""
    survivors: frozenset[str] | None
    """Documents that the filter let through."""
    documents: Mapping[str, str | None]
    """Each chunk that the observation names anywhere, and the document that it says it is of."""


def witness(run: CaseRun, depth: int, least: float) -> Witness | None:
    """Look a case's gold up in its observation; None for a case without gold.

    Args:
        run: The case and what the pipeline did.
        depth: How many chunks were asked for: a reranked list is read so far, or as far as the
            context is long.
        least: The share of a span that must be there.
    """
    case, seen = run.case, run.observation
    if not isinstance(case, QuestionCase) or not _has_gold(case):
        return None
    chunks = _distinct(seen)
    documents = {name: document_of(one) for name, one in chunks.items()}
    if not (gold := _gold(case, run.source_match, chunks, documents)):
        return None
    look = _looks(seen, run.source_match, depth, least, documents, chunks)
    trace = _trace(seen)
    survivors = None if trace.survivors is None else frozenset(trace.survivors)
    sights = tuple(tuple(one(source) for one in look) for source in gold)
    return Witness(gold, sights, survivors, documents)


def covered(span: SourceSpan, places: Iterable[tuple[int, int]]) -> float:
    """Give the share of a span's characters that these places cover together.

    >>> covered(SourceSpan(document_id="d", start=10, end=20), [(0, 12), (11, 15), (30, 40)])
    0.5
    """
    inside = sorted((max(start, span.start), min(end, span.end)) for start, end in places)
    total, reached = 0, span.start
    for start, end in inside:
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total / max(span.end - span.start, 1)


def _distinct(seen: Observation) -> dict[str, Chunk]:
    """Every chunk that is named anywhere, by id, as the list has it that tells most of it."""
    found: dict[str, Chunk] = {}
    for chunk in chunks_of(named_by(seen)):
        if len(found.setdefault(chunk.id, chunk).metadata) < len(chunk.metadata):
            found[chunk.id] = chunk
    return found


def _has_gold(case: QuestionCase) -> bool:
    return bool(case.expected_source_ids or case.expected_spans)


def _gold(
    case: QuestionCase,
    match: SourceMatch,
    chunks: Mapping[str, Chunk],
    documents: Mapping[str, str | None],
) -> tuple[Gold, ...]:
    """The spans, where chunks tell their places or nothing else is labelled; else the sources.

    What the caller may not see is no gold: a filter takes it away rightly.
    """
    spans = case.expected_spans or ()
    ids = case.expected_source_ids or ()
    graded = ids if isinstance(ids, Mapping) else dict.fromkeys(ids, 1)
    eligible = case.eligible_source_ids
    if spans and (not graded or any(map(place_of, chunks.values()))):
        found = [
            Gold(_named(one), 1, one, one.document_id)
            for one in dict.fromkeys(spans)
            if one.start < one.end
        ]
        return tuple(one for one in found if eligible is None or one.document in eligible)
    if match is SourceMatch.DOCUMENT:
        gold = [Gold(one, grade, None, one) for one, grade in graded.items() if grade >= 1]
        return tuple(one for one in gold if eligible is None or one.name in eligible)
    gold = [
        Gold(one, grade, None, documents.get(one)) for one, grade in graded.items() if grade >= 1
    ]
    return tuple(one for one in gold if eligible is None or _may_be_seen(one, eligible, documents))


def _may_be_seen(gold: Gold, eligible: Sequence[str], documents: Mapping[str, str | None]) -> bool:
    """Whether a chunk is eligible; one whose document is not known may be."""
    if gold.name in eligible or gold.document in eligible:
        return True
    is_its_own = all(document in (None, one) for one, document in documents.items())
    return gold.document is None and not is_its_own


def _named(span: SourceSpan) -> str:
    return f"{span.document_id}[{span.start}:{span.end}]"


def _trace(seen: Observation) -> Trace:
    answer = seen.answer
    return (answer.trace if answer is not None else None) or Trace()


def _looks(
    seen: Observation,
    match: SourceMatch,
    depth: int,
    least: float,
    documents: Mapping[str, str | None],
    chunks: Mapping[str, Chunk],
) -> tuple[Look, ...]:
    """What to ask of each stage from retrieval on."""
    trace, answer = _trace(seen), seen.answer
    context = trace.context
    if context is None and answer is not None:
        context = answer.retrieved_chunks
    within = max(depth, len(context or ()))
    lists = (
        (_candidates(trace, seen), None),
        (trace.reranked, within),
        (context, None),
    )
    looks = [_look(found, match, most, least) for found, most in lists]
    if answer is None or answer.citations is None:
        return (*looks, _unseen)
    cited = [one.chunk_id for one in answer.citations]
    return (*looks, _look_cited(cited, match, least, documents, chunks))


def _candidates(trace: Trace, seen: Observation) -> tuple[Chunk, ...] | None:
    """What the search found, before any reranking where that is told."""
    if trace.candidates is not None:
        return trace.candidates
    if trace.lanes is not None:
        by_rank = zip_longest(*trace.lanes.values())
        return tuple(chunk for row in by_rank for chunk in row if chunk is not None)
    return seen.retrieved


def _unseen(_: Gold) -> Sight:
    return UNSEEN


def _look(
    found: tuple[Chunk, ...] | None, match: SourceMatch, most: int | None, least: float
) -> Look:
    """Look sources up in a list of chunks, of which the first `most` sources count."""
    if found is None:
        return _unseen
    ranks: dict[str, int] = {}
    for chunk in found:
        ranks.setdefault(match.source(chunk), len(ranks) + 1)

    def look(gold: Gold) -> Sight:
        if gold.span is not None:
            return _of_span(gold.span, found[:most], least)
        rank = ranks.get(gold.name)
        if rank is None:
            return ABSENT
        return Sight(0.0 if most is not None and rank > most else 1.0, rank)

    return look


def _of_span(span: SourceSpan, found: Sequence[Chunk], least: float) -> Sight:
    """How much of a span chunks cover; unseen where one might that does not tell its place."""
    places, rank, is_told = [], None, True
    for number, chunk in enumerate(found, 1):
        place = place_of(chunk)
        if place is None:
            is_told = is_told and document_of(chunk) not in (None, span.document_id)
        elif place[0] == span.document_id and covered(span, [place[1:]]):
            places.append(place[1:])
            rank = rank or number
    share = covered(span, places)
    return Sight(share, rank) if is_told or share >= least else UNSEEN


def _look_cited(
    cited: Sequence[str],
    match: SourceMatch,
    least: float,
    documents: Mapping[str, str | None],
    chunks: Mapping[str, Chunk],
) -> Look:
    """Look sources up among citations, which name chunks, or documents where no chunk is meant."""
    named = set(cited)
    if match is SourceMatch.DOCUMENT:
        named = {documents.get(one) or one for one in named}
    meant = [chunks[one] for one in dict.fromkeys(cited) if one in chunks]
    strangers = {*cited} - documents.keys()

    def look(gold: Gold) -> Sight:
        if gold.span is None:
            return THERE if gold.name in named else ABSENT
        if gold.span.document_id in strangers:
            return THERE
        sight = _of_span(gold.span, meant, least)
        is_open = bool(strangers) and sight.share is not None and sight.share < least
        return UNSEEN if is_open else Sight(sight.share)

    return look
