"""Cases and observations at random, small enough that they meet in what they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from ragproof.core import (
    Answer,
    Case,
    CaseKind,
    CaseRun,
    Chunk,
    Citation,
    DocumentCase,
    Event,
    EventKind,
    Feedback,
    Mention,
    Observation,
    Parsed,
    QuestionCase,
    SourceMatch,
    Stage,
    Trace,
)
from ragproof.core.case import QUESTIONS, Document, Element, Nugget, TypedSpan

IDS = tuple("abcdefgh")
texts = st.one_of(st.text(max_size=8), st.text(st.characters(codec=None, exclude_categories=())))
ids = st.one_of(st.sampled_from(IDS), st.text(min_size=1, max_size=3))
relevant = st.one_of(
    st.lists(ids, max_size=5).map(tuple),
    st.dictionaries(ids, st.integers(-1, 3), max_size=5),
)
metadata: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({}), st.fixed_dictionaries({"document_id": st.one_of(ids, st.integers(0, 3))})
)
scores = st.none() | st.sampled_from([0.25, 0.5]) | st.floats(allow_nan=False, allow_infinity=False)
some_chunks = st.builds(Chunk, id=ids, text=texts, score=scores, metadata=metadata)
chunks = st.lists(some_chunks, max_size=12).map(tuple)
citations = st.lists(st.builds(Citation, chunk_id=ids, claim=st.none() | texts)).map(tuple)
seconds = st.floats(0, 1e6)
counts = st.none() | st.integers(0, 10**6)
stages = st.builds(
    Stage,
    name=texts,
    seconds=seconds,
    input_tokens=counts,
    output_tokens=counts,
    queue_seconds=st.none() | seconds,
    usd=st.none() | seconds,
    cache=st.sampled_from([None, "hit", "miss"]),
)
mentions = st.builds(
    Mention,
    start=st.integers(-1, 9),
    end=st.integers(-1, 9),
    text=texts,
    entity_id=st.none() | ids,
)
traces = st.builds(
    Trace,
    entities=st.none() | st.lists(mentions, max_size=4).map(tuple),
    output=st.none() | texts | st.dictionaries(ids, ids, max_size=2),
    stages=st.none() | st.lists(stages, max_size=4).map(tuple),
    first_token_seconds=st.none() | seconds,
    context=st.none() | chunks,
    context_tokens_in=counts,
    context_tokens_out=counts,
    samples=st.none() | st.lists(texts, max_size=4).map(tuple),
    confidence=st.none() | st.floats(0, 1),
)
answers = st.builds(
    Answer,
    answer_text=texts,
    citations=st.none() | citations,
    retrieved_chunks=st.none() | chunks,
    trace=st.none() | traces,
)
stretches = st.lists(st.tuples(st.integers(-2, 9), st.integers(-2, 12)), max_size=4).map(tuple)
typed = st.lists(
    st.builds(
        TypedSpan, start=st.integers(-2, 9), end=st.integers(-2, 12), type=st.sampled_from("NM")
    ),
    max_size=4,
).map(tuple)
elements = st.lists(
    st.builds(
        Element,
        type=st.sampled_from(["heading", "list", "list_item", "table", "caption"]),
        text=texts,
        page=st.none() | st.integers(1, 2),
    ),
    max_size=4,
).map(tuple)
tables = st.lists(
    st.lists(
        st.sampled_from(["<tr>", "</tr>", "<td>a", "<td colspan=2>b</td>", "<p>"]), max_size=6
    ).map(lambda parts: f"<table>{''.join(parts)}"),
    max_size=2,
).map(tuple)
languages = st.sampled_from(["en", "en-GB", "de", ""])
parsed = st.builds(
    Parsed,
    text=texts,
    elements=st.none() | elements,
    tables=st.none() | tables,
    language=st.none() | languages,
    removed=st.none() | stretches,
    pii=st.none() | typed,
)
kinds_of_events = st.sampled_from(EventKind)
events = st.builds(
    Event,
    kind=kinds_of_events,
    at=st.none() | seconds,
    chunk_id=st.none() | ids,
    reason=st.none() | st.sampled_from(["wrong", "slow"]) | texts,
    seconds=st.none() | seconds,
    text=st.none() | texts | st.just("Are you sure?"),
)
feedback = st.builds(
    Feedback,
    exposed=st.sampled_from([(), tuple(EventKind)]) | st.lists(kinds_of_events).map(tuple),
    events=st.lists(events, max_size=5).map(tuple),
)
observations = st.builds(
    Observation,
    case_id=st.just("q"),
    parsed=st.none() | parsed,
    retrieved=st.none() | chunks,
    answer=st.none() | answers,
    seconds=st.none() | seconds,
    asked_at=st.none() | seconds,
    feedback=st.none() | feedback,
)
nuggets = st.lists(
    st.builds(
        Nugget, text=texts, vital=st.booleans(), aliases=st.lists(texts, max_size=2).map(tuple)
    ),
    max_size=3,
).map(tuple)
questions: st.SearchStrategy[Case] = st.builds(
    QuestionCase,
    id=st.just("q"),
    kind=st.sampled_from(sorted(QUESTIONS)),
    question=texts,
    expected_source_ids=st.none() | relevant,
    expected_entities=st.none() | st.lists(mentions, max_size=4).map(tuple),
    expected_schema=st.none() | st.sampled_from([{}, {"type": "string"}, {"required": ["a"]}]),
    expected_answer=st.none() | texts | st.lists(texts, max_size=3).map(tuple),
    adversarial_payload=st.none() | st.just("override_plain") | texts,
    planted_source_ids=st.none() | st.lists(ids, max_size=3).map(tuple),
    expected_nuggets=st.none() | nuggets,
    superseded_source_ids=st.none() | st.lists(ids, max_size=3).map(tuple),
)
documents: st.SearchStrategy[Case] = st.builds(
    DocumentCase,
    id=st.just("q"),
    kind=st.just(CaseKind.DOCUMENT),
    document=st.builds(Document, text=texts),
    expected_text=st.none() | texts,
    expected_elements=st.none() | elements,
    expected_tables=st.none() | tables,
    expected_language=st.none() | languages,
    expected_boilerplate=st.none() | stretches,
    expected_pii=st.none() | typed,
)
case_runs = st.builds(
    CaseRun,
    case=st.one_of(questions, documents),
    observation=observations,
    source_match=st.sampled_from(SourceMatch),
)


def ranking(ranked: Sequence[str], relevant_ids: Any, **more: Any) -> CaseRun:
    """A run that retrieved these ids in this order where those are expected."""
    case = QuestionCase(id="q", question="?", expected_source_ids=relevant_ids)
    found = tuple(Chunk(id=one) for one in ranked)
    return CaseRun(case, Observation(case_id="q", retrieved=found), **more)


rankings = st.lists(st.sampled_from(IDS), max_size=12)
"""Ids in ranked order, duplicates included."""
relevant_sets = st.frozensets(st.sampled_from(IDS), min_size=1, max_size=5).map(sorted).map(tuple)
cutoffs = st.integers(1, 12)
