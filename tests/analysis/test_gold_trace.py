"""Where gold is lost: one case a stage, by hand, and what is never blamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.analysis.gold_case import CaseTrace
from ragproof.analysis.gold_cases import BLOCK, WORST, CaseTraces, Tally
from ragproof.analysis.gold_sight import STAGES, GoldStage, covered
from ragproof.analysis.gold_trace import GoldTrace, trace_gold
from ragproof.core.case import Document, DocumentCase, QuestionCase, SourceSpan
from ragproof.core.observation import Answer, Chunk, Citation, Observation, Trace
from ragproof.core.outcome import Cause
from ragproof.core.subject import CaseRun, SourceMatch


class Documents:
    """A corpus of empty documents."""

    def __init__(self, *ids: str) -> None:
        self._ids = ids

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def text(self, document_id: str) -> str | None:
        return "" if document_id in self._ids else None


def chunks(ids: str) -> tuple[Chunk, ...]:
    """`d1#2` is of document d1; `d1#2@10-20` also tells its place; `d1` is its own document."""
    found = []
    for one in ids.split():
        name, _, place = one.partition("@")
        document, is_part, _ = name.partition("#")
        metadata: dict[str, Any] = {"document_id": document} if is_part else {}
        if place:
            start, end = place.split("-")
            metadata |= {"start": int(start), "end": int(end)}
        found.append(Chunk(id=name, metadata=metadata))
    return tuple(found)


def ran(
    gold: Sequence[str] | Mapping[str, int] = ("d1",),
    *,
    name: str = "q1",
    match: SourceMatch = SourceMatch.DOCUMENT,
    spans: Sequence[tuple[str, int, int]] = (),
    retrieved: str | None = None,
    cited: str | None = None,
    survivors: str | None = None,
    given: str | None = None,
    **lists: str,
) -> CaseRun:
    """A case and what its pipeline told; lists are ids parted by blanks."""
    trace = Trace(
        survivors=None if survivors is None else tuple(survivors.split()),
        **{name: chunks(ids) for name, ids in lists.items()},  # type: ignore[arg-type]
    )
    answer = Answer(
        answer_text="yes",
        citations=None if cited is None else tuple(Citation(chunk_id=one) for one in cited.split()),
        retrieved_chunks=None if given is None else chunks(given),
        trace=trace,
    )
    case = QuestionCase(
        id=name,
        question="?",
        expected_source_ids=gold if isinstance(gold, Mapping) else tuple(gold),
        expected_spans=tuple(
            SourceSpan(document_id=document, start=start, end=end) for document, start, end in spans
        ),
    )
    found = None if retrieved is None else chunks(retrieved)
    return CaseRun(
        case, Observation(case_id=name, retrieved=found, answer=answer), source_match=match
    )


def traced(*runs: CaseRun, **more: Any) -> GoldTrace:
    return trace_gold(runs, **{"depth": 5, **more})


def only(*runs: CaseRun, **more: Any) -> CaseTrace:
    (case,) = traced(*runs, **more).cases
    return case


FULL: dict[str, Any] = {
    "survivors": "d1 d2 d3",
    "candidates": "d2#0 d1#0 d3#0",
    "reranked": "d1#0 d2#0",
    "context": "d1#0 d2#0",
    "cited": "d1#0",
}
"""A pipeline that tells everything and loses nothing."""


def test_gold_that_is_cited_was_kept() -> None:
    found = traced(ran(**FULL), corpus=Documents("d1", "d2", "d3"))
    (case,) = found.cases
    assert (case.lost_at, case.missing, case.partial) == (None, (), False)
    assert case.not_observed == (GoldStage.CHUNKING,)
    assert case.last_seen is GoldStage.ANSWER
    assert found.counts["kept"] == 1


@pytest.mark.parametrize(
    ("stage", "told"),
    [
        ("filter", {"survivors": "d2 d3", "candidates": "d2#0", "reranked": "", "context": ""}),
        ("retrieval", {"candidates": "d2#0 d3#0", "reranked": "d2#0", "context": "d2#0"}),
        ("reranking", {"reranked": "d2#0 d3#0", "context": "d2#0"}),
        ("context", {"context": "d2#0"}),
        ("answer", {}),
    ],
)
def test_the_first_stage_that_lacks_it_lost_it(stage: str, told: dict[str, Any]) -> None:
    found = traced(ran(**{**FULL, "cited": "d2#0", **told}))
    (case,) = found.cases
    assert (case.lost_at, case.missing, case.partial) == (stage, ("d1",), False)
    assert found.counts == {**dict.fromkeys([*STAGES, "kept", "not_observed"], 0), stage: 1}


def test_what_is_not_in_the_corpus_was_lost_there() -> None:
    case = only(ran(retrieved="d2#0"), corpus=Documents("d2"))
    assert (case.lost_at, case.last_seen) == (GoldStage.CORPUS, None)


def test_what_is_not_exposed_is_not_observed_and_not_blamed() -> None:
    case = only(ran(given="d2#0"))
    assert case.lost_at is GoldStage.CONTEXT
    assert case.not_observed == (*STAGES[:5], GoldStage.ANSWER)
    kept = only(ran(retrieved="d1#0"))
    assert (kept.lost_at, kept.last_seen) == (None, GoldStage.RETRIEVAL)


def test_a_case_of_which_nothing_is_observed_is_neither_kept_nor_lost() -> None:
    assert traced(ran(), corpus=Documents("d1")).counts["not_observed"] == 1


def test_an_answer_that_cites_nothing_lost_it_and_one_that_exposes_no_citations_did_not() -> None:
    assert only(ran(given="d1#0", cited="")).lost_at is GoldStage.ANSWER
    assert only(ran(given="d1#0")).lost_at is None


def test_of_several_sources_the_first_loss_counts_and_the_rest_is_part() -> None:
    case = only(ran(["d1", "d2"], candidates="d1 d2", reranked="d1", context="d1", cited="d1"))
    assert (case.lost_at, case.missing, case.partial) == (GoldStage.RERANKING, ("d2",), True)
    case = only(ran(["d1", "d2"], survivors="d1", candidates="d1", context="d3"))
    assert (case.lost_at, case.missing, case.partial) == (GoldStage.FILTER, ("d1", "d2"), False)
    assert [one.lost_at for one in case.sources] == [GoldStage.CONTEXT, GoldStage.FILTER]


def test_grades_below_1_are_no_gold_and_higher_ones_are_worse_to_lose() -> None:
    assert only(ran({"d1": 2, "d9": 0}, retrieved="d1")).missing == ()
    lost = traced(
        ran({"d1": 1}, name="a", retrieved="x"), ran({"d1": 3}, name="b", retrieved="x")
    ).lost(GoldStage.RETRIEVAL)
    assert [one.case_id for one in lost.worst] == ["b", "a"]


def test_a_stage_that_lacks_what_a_later_one_has_did_not_lose_it_and_is_named() -> None:
    found = traced(ran(**{**FULL, "candidates": "d2#0"}))
    (case,) = found.cases
    assert case.lost_at is None
    assert case.sources[0].disputed == (GoldStage.RETRIEVAL,)
    assert (found.tally.disputed, found.tally.disputed_names) == (1, ["q1"])


def test_a_citation_brings_nothing_back() -> None:
    case = only(ran(given="d2#0", cited="d1"))
    assert case.lost_at is GoldStage.CONTEXT
    assert case.sources[0].disputed == (GoldStage.CONTEXT,)


def test_a_source_that_is_reranked_below_what_is_used_was_lost_there() -> None:
    many = " ".join(f"x{at}" for at in range(7))
    told: dict[str, Any] = {"candidates": f"d1 {many}", "reranked": f"{many} d1"}
    case = only(ran(**told, context="x0 x1"))
    assert case.lost_at is GoldStage.RERANKING
    assert case.sources[0].sights[STAGES.index(GoldStage.RERANKING)].rank == 8
    assert only(ran(**told, context=f"{many} d1")).lost_at is None


def test_chunks_are_matched_by_their_own_ids() -> None:
    chunk = SourceMatch.CHUNK
    assert only(ran(["d1#1"], match=chunk, retrieved="d1#0")).lost_at is GoldStage.RETRIEVAL
    assert only(ran(["d1#1"], match=chunk, retrieved="d1#0 d1#1")).lost_at is None


def test_the_filter_is_not_blamed_for_a_chunk_of_which_nobody_knows_the_document() -> None:
    chunk = SourceMatch.CHUNK
    lost = ran(["d1#1"], match=chunk, survivors="d2", candidates="d2#0")
    assert only(lost).lost_at is GoldStage.RETRIEVAL
    other = ran(["d1#1"], name="q2", match=chunk, survivors="d1", candidates="d1#1")
    first, _ = traced(lost, other).cases
    assert first.lost_at is GoldStage.FILTER
    assert first.sources[0].elsewhere


def test_chunks_that_are_documents_are_looked_up_among_the_survivors() -> None:
    case = only(ran(["d1"], match=SourceMatch.CHUNK, survivors="d2 d3", candidates="d2"))
    assert case.lost_at is GoldStage.FILTER


def test_what_the_caller_may_not_see_is_rightly_gone() -> None:
    run = ran(["d1", "d2"], survivors="d2", retrieved="d2")
    assert isinstance(run.case, QuestionCase)
    case = replace(run.case, eligible_source_ids=("d2", "d3"))
    assert only(replace(run, case=case)).lost_at is None
    alone = replace(run.case, eligible_source_ids=("d3",))
    assert traced(replace(run, case=alone)).without_gold == 1


def document(name: str, cut: str) -> CaseRun:
    case = DocumentCase(id=name, document=Document(text="?"))
    return CaseRun(case, Observation(case_id=name, chunks=chunks(cut)))


def test_spans_survive_rechunking() -> None:
    span = [("d1", 100, 200)]
    whole = only(ran([], spans=span, retrieved="d1#0@0-120 d1#1@120-300"))
    assert (whole.lost_at, whole.not_observed[-1]) == (None, GoldStage.ANSWER)
    edge = only(ran([], spans=span, retrieved="d1#0@0-149"))
    assert (edge.lost_at, edge.missing) == (GoldStage.RETRIEVAL, ("d1[100:200]",))
    assert edge.sources[0].sights[3].share == 0.49
    assert only(ran([], spans=span, retrieved="d1#0@0-149"), least=0.4).lost_at is None


def test_a_chunk_that_does_not_tell_its_place_may_have_the_span() -> None:
    assert only(ran([], spans=[("d1", 0, 9)], retrieved="d1#0")).not_observed == STAGES
    sure = only(ran([], spans=[("d1", 0, 9)], retrieved="d2#0"))
    assert sure.lost_at is GoldStage.RETRIEVAL


def test_cited_chunks_carry_their_spans() -> None:
    told: dict[str, Any] = {"given": "d1#0@0-50 d1#1@50-99"}
    spans = [("d1", 0, 40)]
    assert only(ran([], spans=spans, cited="d1#0", **told)).lost_at is None
    assert only(ran([], spans=spans, cited="d1#1", **told)).lost_at is GoldStage.ANSWER
    assert only(ran([], spans=spans, cited="d1", **told)).lost_at is None


def test_the_chunker_is_judged_by_the_documents_of_the_run() -> None:
    spans = [("d1", 100, 200)]
    lost = only(document("d1", "d1#0@0-90 d1#1@210-300"), ran([], spans=spans, retrieved="d2#0"))
    assert lost.lost_at is GoldStage.CHUNKING
    kept = only(document("d1", "d1#0@0-150"), ran([], spans=spans, retrieved="d2#0"))
    assert kept.lost_at is GoldStage.RETRIEVAL
    nothing = only(document("d1", ""), ran(retrieved="d2#0"))
    assert nothing.lost_at is GoldStage.CHUNKING


def test_a_chunk_is_known_to_be_missing_where_every_document_was_cut() -> None:
    run = ran(["d1#7"], match=SourceMatch.CHUNK, retrieved="d2#0")
    cut = [document("d1", "d1#0"), document("d2", "d2#0")]
    assert only(*cut, run, corpus=Documents("d1", "d2")).lost_at is GoldStage.CHUNKING
    assert only(*cut[1:], run, corpus=Documents("d1", "d2")).lost_at is GoldStage.RETRIEVAL


def test_failed_cases_and_cases_without_gold_are_in_no_count() -> None:
    failed = replace(ran(), observation=Observation.failed("q1", Cause.TIMEOUT, "late"))
    found = traced(failed, ran([], name="q2"), ran(name="q3", retrieved="d1"))
    assert [one.case_id for one in found.failed] == ["q1"]
    assert (found.without_gold, sum(found.counts.values()), len(found.cases)) == (1, 1, 1)


def test_ids_of_another_kind_are_told_and_nobody_is_blamed() -> None:
    runs = [ran(name=f"q{at}", survivors="s.md", retrieved=f"x{at}") for at in range(3)]
    found = traced(*runs, corpus=Documents("d1.md", "x.md"))
    assert {one.lost_at for one in found.cases} == {GoldStage.RETRIEVAL}
    assert [one[:40] for one in found.warnings] == [
        "no document that was retrieved is in the",
        "no document that was retrieved is among ",
    ]


@pytest.mark.parametrize(
    ("places", "share"),
    [([], 0.0), ([(0, 5)], 0.0), ([(15, 99)], 0.5), ([(10, 12), (11, 14), (0, 11)], 0.4)],
)
def test_a_place_counts_once(places: list[tuple[int, int]], share: float) -> None:
    assert covered(SourceSpan(document_id="d", start=10, end=20), places) == share


IDS = st.lists(st.sampled_from(["d1", "d2", "d3", "d4"]), max_size=4, unique=True).map(" ".join)
TOLD = ("survivors", "retrieved", "candidates", "reranked", "context", "cited")
LISTS = st.fixed_dictionaries({}, optional=dict.fromkeys(TOLD, IDS))
LISTED_IN = {
    GoldStage.FILTER: "survivors",
    GoldStage.RERANKING: "reranked",
    GoldStage.CONTEXT: "context",
    GoldStage.ANSWER: "cited",
}


@given(told=LISTS, gold=st.sets(st.sampled_from(["d1", "d2", "d3"]), min_size=1))
def test_a_loss_is_at_an_observed_stage_and_every_case_is_counted_once(
    told: dict[str, Any], gold: set[str]
) -> None:
    found = traced(ran(sorted(gold), **told))
    (case,) = found.cases
    assert sum(found.counts.values()) == 1
    assert case.lost_at not in case.not_observed
    assert bool(case.missing) == (case.lost_at is not None)
    assert case.partial == (0 < len(case.missing) < len(gold))
    for path in case.sources:
        if path.lost_at is not None and path.last_seen is not None:
            assert STAGES.index(path.last_seen) < STAGES.index(path.lost_at)


@given(told=LISTS)
def test_a_stage_that_is_hidden_is_not_made_up_for_by_an_earlier_one(told: dict[str, Any]) -> None:
    lost = only(ran(**told)).lost_at
    if lost in LISTED_IN:
        less = {key: ids for key, ids in told.items() if key != LISTED_IN[lost]}
        now = only(ran(**less)).lost_at
        assert now is None or STAGES.index(now) > STAGES.index(lost)


@given(told=LISTS, gold=st.sets(st.sampled_from(["d1", "d2", "\ud800"]), min_size=1))
def test_a_case_that_was_packed_is_judged_as_before(told: dict[str, Any], gold: set[str]) -> None:
    """Two of a kind, the second after a case that shows the document of every chunk."""
    runs = [ran(sorted(gold), spans=[("d1", 3, 9)], given="d1#0@4-7", **told)] * 2
    once, twice = traced(*runs).cases, traced(*runs).cases
    assert [*once] == [*once] == [*twice]
    one, other = once
    assert one == other
    assert one.sources[0].gold.span == SourceSpan(document_id="d1", start=3, end=9)


def test_many_cases_are_counted_each_once_and_only_the_worst_are_kept() -> None:
    number = 9 * BLOCK + 7
    wholly, kept, partly = (["d1"], "d2"), (["d1"], "d1"), (["d1", "d3"], "d3")
    kinds = [(wholly, kept, partly)[at % 3] for at in range(number)]
    runs = [ran(gold, name=f"q{at:05}", retrieved=found) for at, (gold, found) in enumerate(kinds)]
    found = traced(*runs)
    counts = [len(range(rest, number, 3)) for rest in range(3)]
    assert (found.tally.number, len(found.cases)) == (number, number)
    assert found.counts["retrieval"] == counts[0] + counts[2]
    assert found.counts["kept"] == counts[1]
    lost = found.lost(GoldStage.RETRIEVAL)
    assert (lost.number, lost.partly) == (counts[0] + counts[2], counts[2])
    assert [one.case_id for one in lost.worst] == [f"q{at:05}" for at in range(0, 3 * WORST, 3)]
    assert [one.case_id for one in found.cases] == [f"q{at:05}" for at in range(number)]
    some = found.cases.among(lambda case_id, _: case_id > "q00050").among(lambda *_: True)
    assert [*some.ids] == [f"q{at:05}" for at in range(51, number)]
    assert Tally.of(some).number == len(some) == number - 51


def test_a_case_takes_little_room_until_it_is_looked_at() -> None:
    """A hundred thousand of these are to be held, so what one adds is bounded."""
    ids = " ".join(f"d{at}" for at in range(10))
    few, many = (
        traced(
            *(
                ran(
                    [f"d{at % 10}"],
                    name=f"case-{at:07}",
                    survivors=ids,
                    candidates=ids,
                    context=ids,
                )
                for at in range(size)
            )
        ).cases
        for size in (BLOCK, 9 * BLOCK)
    )
    assert (packed(many) - packed(few)) / (8 * BLOCK) < 100


def packed(cases: CaseTraces) -> int:
    """Bytes of the cases that wait."""
    return sum(map(len, cases._blocks))
