"""What holds between rankings, cut-offs and metrics, for all of them."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import IDS, cutoffs, ranking, rankings, relevant_sets

from ragproof.core import (
    CaseRun,
    Chunk,
    Observation,
    PureMetric,
    QuestionCase,
    Scored,
    SourceMatch,
    UsageError,
)
from ragproof.metrics import catalog
from ragproof.metrics.retrieval.graded_ndcg_at_k import GradedNdcgAtK

OF_THE_JUDGMENTS = {"retrieval.unjudged_at_k", "retrieval.tie_rate", "retrieval.recall_bounds"}
"""These tell how far the others can be trusted, not how good a ranking is."""
OF_TEXTS = {"retrieval.evidence_in_token_budget"} | {
    f"retrieval.span_{part}" for part in ("recall", "precision", "iou")
}
"""These look at what chunks hold, and how much of it, not only at which they are."""
OF_OTHER_LABELS = {"retrieval.distractor_rate", "retrieval.universe_coverage"}
RANKING = sorted(
    {one for one in catalog.ids() if one.startswith("retrieval.")}
    - (OF_THE_JUDGMENTS | OF_TEXTS | OF_OTHER_LABELS)
)
AT_K = [one for one in catalog.ids() if one.endswith("_at_k")]
every_ranking_metric = pytest.mark.parametrize("metric_id", RANKING)
Relevant = tuple[str, ...]


def metric(metric_id: str, k: int) -> PureMetric[CaseRun]:
    made = catalog.build(metric_id, **({"k": k} if metric_id in AT_K else {}))
    assert isinstance(made, PureMetric)
    return made


def value(metric_id: str, run: CaseRun, k: int = 5) -> float:
    scored = metric(metric_id, k).score(run)
    assert isinstance(scored, Scored)
    return scored.value


@every_ranking_metric
@given(ranked=rankings, relevant=relevant_sets, k=cutoffs, data=st.data())
def test_a_repeated_chunk_changes_nothing(
    metric_id: str, ranked: list[str], relevant: Relevant, k: int, data: st.DataObject
) -> None:
    assume(ranked)
    first = data.draw(st.integers(0, len(ranked) - 1))
    again = data.draw(st.integers(first + 1, len(ranked)))
    longer = [*ranked[:again], ranked[first], *ranked[again:]]
    plain = metric(metric_id, k).score(ranking(ranked, relevant))
    assert metric(metric_id, k).score(ranking(longer, relevant)) == plain


@every_ranking_metric
@given(ranked=rankings, relevant=relevant_sets, k=cutoffs, more=st.sampled_from(IDS))
def test_a_chunk_more_at_the_end_never_lowers(
    metric_id: str, ranked: list[str], relevant: Relevant, k: int, more: str
) -> None:
    longer = value(metric_id, ranking([*ranked, more], relevant), k)
    assert longer >= value(metric_id, ranking(ranked, relevant), k)


@every_ranking_metric
@given(ranked=st.permutations(IDS), relevant=relevant_sets, k=cutoffs, at=st.integers(1, 7))
def test_a_relevant_source_one_rank_up_never_lowers(
    metric_id: str, ranked: list[str], relevant: Relevant, k: int, at: int
) -> None:
    assume(ranked[at] in relevant)
    up = [*ranked[: at - 1], ranked[at], ranked[at - 1], *ranked[at + 1 :]]
    assert value(metric_id, ranking(up, relevant), k) >= value(
        metric_id, ranking(ranked, relevant), k
    )


@every_ranking_metric
@given(ranked=rankings, relevant=relevant_sets, k=cutoffs)
def test_what_irrelevant_sources_are_called_does_not_matter(
    metric_id: str, ranked: list[str], relevant: Relevant, k: int
) -> None:
    renamed = [one if one in relevant else f"not {one}" for one in ranked]
    assert value(metric_id, ranking(renamed, relevant), k) == value(
        metric_id, ranking(ranked, relevant), k
    )


@pytest.mark.parametrize("metric_id", [one for one in RANKING if "graded" not in one])
@given(ranked=rankings, relevant=relevant_sets, k=cutoffs)
def test_grades_of_1_and_above_are_as_good_as_a_list(
    metric_id: str, ranked: list[str], relevant: Relevant, k: int
) -> None:
    grades = {one: grade for grade, one in enumerate(relevant, 1)} | {"z": 0}
    assert value(metric_id, ranking(ranked, grades), k) == value(
        metric_id, ranking(ranked, relevant), k
    )


@every_ranking_metric
@given(ranked=rankings, relevant=relevant_sets, k=cutoffs)
def test_chunks_matched_by_document_are_as_good_as_the_documents(
    metric_id: str, ranked: list[str], relevant: Relevant, k: int
) -> None:
    chunks = tuple(
        Chunk(id=f"chunk {place}", metadata={"document_id": one})
        for place, one in enumerate(ranked)
    )
    case = QuestionCase(id="q", question="?", expected_source_ids=relevant)
    seen = Observation(case_id="q", retrieved=chunks)
    by_document = CaseRun(case, seen, source_match=SourceMatch.DOCUMENT)
    assert value(metric_id, by_document, k) == value(metric_id, ranking(ranked, relevant), k)


@pytest.mark.parametrize("metric_id", ["retrieval.recall_at_k", "retrieval.hit_at_k"])
@given(ranked=rankings, relevant=relevant_sets, k=cutoffs)
def test_a_deeper_look_never_finds_less(
    metric_id: str, ranked: list[str], relevant: Relevant, k: int
) -> None:
    run = ranking(ranked, relevant)
    assert value(metric_id, run, k + 1) >= value(metric_id, run, k)


@given(ranked=rankings, relevant=relevant_sets, k=cutoffs)
def test_precision_and_recall_count_the_same_hits(
    ranked: list[str], relevant: Relevant, k: int
) -> None:
    run = ranking(ranked, relevant)
    hits = value("retrieval.recall_at_k", run, k) * len(relevant)
    assert value("retrieval.precision_at_k", run, k) * k == pytest.approx(hits)
    assert value("retrieval.hit_at_k", run, k) == (hits > 0)


@given(ranked=rankings, relevant=relevant_sets, k=cutoffs)
def test_ndcg_is_1_where_the_first_places_are_all_relevant_and_only_there(
    ranked: list[str], relevant: Relevant, k: int
) -> None:
    ideal = min(k, len(relevant))
    first = list(dict.fromkeys(ranked))[:ideal]
    perfect = len(first) == ideal and set(first) <= set(relevant)
    assert (value("retrieval.ndcg_at_k", ranking(ranked, relevant), k) == 1.0) == perfect


@given(ranked=rankings, relevant=st.sampled_from(IDS))
def test_with_one_relevant_source_average_precision_is_the_reciprocal_rank(
    ranked: list[str], relevant: str
) -> None:
    run = ranking(ranked, (relevant,))
    assert value("retrieval.average_precision", run) == value("retrieval.mrr", run)


@pytest.mark.parametrize("gain", ["exponential", "linear"])
@given(ranked=rankings, relevant=relevant_sets, k=cutoffs)
def test_without_higher_grades_graded_ndcg_is_the_binary_one(
    gain: str, ranked: list[str], relevant: Relevant, k: int
) -> None:
    graded = GradedNdcgAtK(k=k, gain=gain)
    for expected in (relevant, dict.fromkeys(relevant, 1) | {"z": 0}):
        found = graded.score(ranking(ranked, expected)).value
        binary = value("retrieval.ndcg_at_k", ranking(ranked, relevant), k)
        assert found == pytest.approx(binary, abs=1e-12)


@pytest.mark.parametrize("gain", ["exponential", "linear"])
@given(grades=st.dictionaries(st.sampled_from(IDS), st.integers(1, 60), min_size=1), k=cutoffs)
def test_graded_ndcg_is_1_in_the_order_of_the_grades_and_never_above(
    gain: str, grades: dict[str, int], k: int
) -> None:
    graded = GradedNdcgAtK(k=k, gain=gain)
    assert graded.score(ranking(sorted(grades, key=grades.__getitem__), grades)).value <= 1.0
    best_first = sorted(grades, key=grades.__getitem__, reverse=True)
    assert graded.score(ranking(best_first, grades)).value == 1.0


def test_a_gain_has_a_name() -> None:
    with pytest.raises(UsageError, match="gain: got 'log'; allowed: exponential, linear"):
        catalog.build("retrieval.graded_ndcg_at_k", gain="log")


@given(ranked=rankings, relevant=relevant_sets)
def test_r_precision_is_precision_and_recall_at_r(ranked: list[str], relevant: Relevant) -> None:
    run = ranking(ranked, relevant)
    at_r = value("retrieval.r_precision", run)
    assert at_r == value("retrieval.precision_at_k", run, len(relevant))
    assert at_r == value("retrieval.recall_at_k", run, len(relevant))


@given(ranked=rankings, grades=st.dictionaries(st.sampled_from(IDS), st.integers(0, 2)), k=cutoffs)
def test_judged_places_unjudged_places_and_empty_places_are_all_places(
    ranked: list[str], grades: dict[str, int], k: int
) -> None:
    assume(max(grades.values(), default=0) > 0)
    run = ranking(ranked, grades)
    judged = dict.fromkeys(grades, 1)
    relevant_or_not = value("retrieval.precision_at_k", ranking(ranked, judged), k)
    filled = min(k, len({*ranked})) / k
    assert value("retrieval.unjudged_at_k", run, k) == pytest.approx(filled - relevant_or_not)


@given(
    scores=st.lists(st.sampled_from([0.1, 0.2, 0.3]) | st.floats(0, 1), min_size=1).map(
        lambda scores: sorted(scores, reverse=True)
    )
)
def test_in_a_list_ordered_by_score_a_tie_is_any_score_that_comes_again(
    scores: list[float],
) -> None:
    chunks = tuple(Chunk(id=str(place), score=score) for place, score in enumerate(scores))
    run = CaseRun(QuestionCase(id="q", question="?"), Observation(case_id="q", retrieved=chunks))
    again = [score for score in scores if scores.count(score) > 1]
    assert value("retrieval.tie_rate", run) == len(again) / len(scores)
