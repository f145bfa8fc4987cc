"""What holds for metrics of filters, queries, reranking and spans, whatever the trace holds."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from fixture import by_label
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import IDS, ids

from ragproof.core import (
    Answer,
    CaseRun,
    Chunk,
    NotApplicable,
    Observation,
    PureMetric,
    QuestionCase,
    Scored,
    Skipped,
    SourceMatch,
    Step,
    Tools,
    Trace,
)
from ragproof.core.case import SourceSpan
from ragproof.core.naming import defaults_for
from ragproof.engine.score import outcomes
from ragproof.metrics import catalog

FAMILIES = ("filter.", "query.", "reranking.", "retrieval.")
METRICS = {
    one: catalog.build(one)
    for one in catalog.ids()
    if one.startswith(FAMILIES) and issubclass(catalog.load(one), PureMetric)
}
"""Those of sets are there and, of a single case, score nothing."""
places = st.fixed_dictionaries(
    {},
    optional={
        "document_id": st.sampled_from(IDS) | st.integers(0, 2),
        "start": st.integers(-1, 20) | st.none(),
        "end": st.integers(0, 30),
    },
)
chunk = st.builds(Chunk, id=ids, text=st.text(max_size=6), metadata=places)
chunks = st.none() | st.lists(chunk, max_size=6).map(tuple)
names = st.none() | st.lists(ids, max_size=4).map(tuple)
filters = st.none() | st.dictionaries(
    st.sampled_from("fg"), st.none() | st.integers(0, 2) | st.text(max_size=2) | st.lists(ids)
)
labels = st.none() | st.sampled_from(["none", "Multi hop", "", "sql"])
steps = st.none() | st.lists(
    st.builds(Step, query=st.text(max_size=3), seen=st.lists(ids, max_size=3).map(tuple)),
    max_size=4,
).map(tuple)
traces = st.builds(
    Trace,
    lanes=st.none() | st.dictionaries(ids, st.lists(chunk, max_size=4).map(tuple), max_size=3),
    filter=filters,
    survivors=names,
    candidates=chunks,
    reranked=chunks,
    context=chunks,
    intent=labels,
    route=labels,
    steps=steps,
    stop_reason=st.none() | st.text(max_size=5),
)
spans = st.lists(
    st.builds(
        lambda document, start, size: SourceSpan(
            document_id=document, start=start, end=start + size
        ),
        st.sampled_from(IDS),
        st.integers(0, 10),
        st.integers(0, 10),
    ),
    max_size=3,
).map(tuple)
cases = st.builds(
    QuestionCase,
    id=st.just("q"),
    question=ids,
    expected_source_ids=names | st.dictionaries(ids, st.integers(-1, 2), max_size=4),
    expected_spans=st.none() | spans,
    distractor_source_ids=names,
    eligible_source_ids=names,
    expected_filter=filters,
    expected_intent=labels,
    expected_route=labels,
)
answers = st.builds(
    Answer, answer_text=st.just(""), retrieved_chunks=chunks, trace=st.none() | traces
)
case_runs = st.builds(
    CaseRun,
    case=cases,
    observation=st.builds(
        Observation, case_id=st.just("q"), retrieved=chunks, answer=st.none() | answers
    ),
    source_match=st.sampled_from(SourceMatch),
)


@settings(max_examples=50)
@given(run=case_runs)
def test_scores_in_range_or_says_why_not(run: CaseRun) -> None:
    for row in asyncio.run(outcomes(run, METRICS, Tools())):
        spec, found = METRICS[row.metric].spec, row.outcome
        assert isinstance(found, Scored | Skipped | NotApplicable), (row.metric, found)
        if isinstance(found, Scored):
            low, high = spec.unit.range
            assert low <= found.value <= high
            assert json.loads(json.dumps(found.evidence, allow_nan=False)) == found.evidence
        elif isinstance(found, Skipped):
            assert found.reason in {need.reason for need in spec.needs}


def traced(relevant: tuple[str, ...], **trace: Any) -> CaseRun:
    case = QuestionCase(id="q", question="?", expected_source_ids=relevant)
    answer = Answer(answer_text="?", trace=Trace(**trace))
    return CaseRun(case, Observation(case_id="q", answer=answer))


def chunked(some: list[str]) -> tuple[Chunk, ...]:
    return tuple(Chunk(id=one) for one in some)


def values(metric_id: str, run: CaseRun, **params: Any) -> list[float]:
    found = by_label(catalog.build(metric_id, **params), run).values()
    return [one.value for one in found if isinstance(one, Scored)]


relevant_sets = st.frozensets(st.sampled_from(IDS), min_size=1, max_size=5).map(sorted).map(tuple)
lists = st.lists(st.sampled_from(IDS), min_size=1, max_size=8)


@pytest.mark.parametrize(
    "metric_id", ["reranking.ndcg_gain", "reranking.mrr_gain", "reranking.precision_at_1_gain"]
)
@settings(max_examples=50)
@given(before=lists, relevant=relevant_sets, data=st.data())
def test_a_gain_forth_is_the_loss_back_and_nothing_in_place(
    metric_id: str, before: list[str], relevant: tuple[str, ...], data: st.DataObject
) -> None:
    one, other = chunked(before), chunked(data.draw(st.permutations(before)))
    [forth] = values(metric_id, traced(relevant, candidates=one, reranked=other))
    [back] = values(metric_id, traced(relevant, candidates=other, reranked=one))
    assert forth == -back
    assert values(metric_id, traced(relevant, candidates=one, reranked=one)) == [0.0]


@settings(max_examples=50)
@given(lanes=st.lists(lists, min_size=2, max_size=4), relevant=relevant_sets, k=st.integers(1, 5))
def test_another_lane_never_lowers_the_union(
    lanes: list[list[str]], relevant: tuple[str, ...], k: int
) -> None:
    run = traced(relevant, lanes={str(at): chunked(lane) for at, lane in enumerate(lanes)})
    by_number = [
        values("query.union_recall_at_k", run, k=k, lanes=number)[0]
        for number in range(1, len(lanes) + 1)
    ]
    assert by_number == sorted(by_number)
    assert [by_number[-1]] == values("query.union_recall_at_k", run, k=k)


@settings(max_examples=50)
@given(seen=st.lists(st.lists(st.sampled_from(IDS)), min_size=1), relevant=relevant_sets)
def test_what_the_steps_gain_adds_up_to_what_is_covered(
    seen: list[list[str]], relevant: tuple[str, ...]
) -> None:
    run = traced(relevant, steps=tuple(Step(query="?", seen=tuple(one)) for one in seen))
    [covered] = values("query.evidence_coverage", run)
    assert sum(values("query.step_evidence_gain", run)) == pytest.approx(covered)


@settings(max_examples=50)
@given(
    ranked=st.lists(st.sampled_from(IDS), max_size=8),
    grades=st.dictionaries(st.sampled_from(IDS), st.integers(0, 1)),
    k=st.integers(1, 6),
)
def test_recall_lies_within_its_bounds(ranked: list[str], grades: dict[str, int], k: int) -> None:
    case = QuestionCase(id="q", question="?", expected_source_ids=grades)
    run = CaseRun(case, Observation(case_id="q", retrieved=chunked(ranked)))
    recall = values("retrieval.recall_at_k", run, k=k)
    bounds = values("retrieval.recall_bounds", run, k=k)
    assert bounds == sorted(bounds)
    assert all(bounds[0] <= one <= bounds[1] for one in recall)
    assert bool(recall) == bool(bounds)


def test_the_runs_k_is_that_of_whatever_ships_and_counts_what_was_retrieved() -> None:
    names = ("reranking.ndcg_gain", "query.rewrite_recall_gain", "retrieval.span_recall")
    for name in (*names, "query.union_recall_at_k", "filter.eligible_recall_at_k"):
        assert defaults_for(catalog.load(name), 10) == {"k": 10}
    assert defaults_for(catalog.load("reranking.mrr_gain"), 10) == {}


def test_a_parameter_that_makes_no_sense_is_refused() -> None:
    for metric_id, params, told in (
        ("query.union_recall_at_k", {"lanes": -1}, "lanes must be at least 1, or 0 for all"),
        ("retrieval.span_iou", {"budget": -1}, "budget: got -1; allowed: 0 and above"),
        ("retrieval.span_iou", {"tokens": "bpe"}, "tokens must be characters or words"),
        ("retrieval.evidence_in_token_budget", {"tokens": "x"}, "tokens must be characters"),
        ("reranking.ndcg_gain", {"k": 0}, "k must be a whole number"),
    ):
        with pytest.raises(Exception, match=told):
            catalog.build(metric_id, **params)
