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
    Mention,
    Observation,
    QuestionCase,
    SourceMatch,
    Stage,
    Trace,
)
from ragproof.core.case import QUESTIONS, Document

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
)
answers = st.builds(
    Answer,
    answer_text=texts,
    citations=st.none() | citations,
    retrieved_chunks=st.none() | chunks,
    trace=st.none() | traces,
)
observations = st.builds(
    Observation,
    case_id=st.just("q"),
    retrieved=st.none() | chunks,
    answer=st.none() | answers,
    seconds=st.none() | seconds,
)
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
)
documents: st.SearchStrategy[Case] = st.builds(
    DocumentCase,
    id=st.just("q"),
    kind=st.just(CaseKind.DOCUMENT),
    document=st.builds(Document, text=texts),
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
