"""On rankings without duplicates and ties our figures are those of trec_eval's own code."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import CaseRun, Chunk, Observation, PureMetric, QuestionCase, Scored
from ragproof.metrics import catalog

CUTOFFS = (1, 3, 5, 10, 100)
AT_K = {
    "precision_at_k": "P",
    "recall_at_k": "recall",
    "ndcg_at_k": "ndcg_cut",
    "hit_at_k": "success",
}
FULL = {"mrr": "recip_rank", "average_precision": "map", "r_precision": "Rprec"}
IDS = [f"d{number}" for number in range(30)]
rankings = st.lists(st.sampled_from(IDS), min_size=1, unique=True)
relevant_sets = st.frozensets(st.sampled_from(IDS), min_size=1)
grades = st.dictionaries(st.sampled_from(IDS), st.integers(-2, 4), min_size=1).filter(
    lambda graded: max(graded.values()) > 0  # of no relevant source trec_eval makes 0, we a skip
)
queries = st.lists(st.tuples(rankings, relevant_sets), min_size=1, max_size=20)


def ours(
    metric_id: str,
    ranked: list[str],
    relevant: frozenset[str] | Mapping[str, int],
    **params: object,
) -> float:
    metric = catalog.build(metric_id, **params)
    assert isinstance(metric, PureMetric)
    expected = relevant if isinstance(relevant, Mapping) else tuple(relevant)
    case = QuestionCase(id="q", question="?", expected_source_ids=expected)
    found = tuple(Chunk(id=one) for one in ranked)
    scored = metric.score(CaseRun(case, Observation(case_id="q", retrieved=found)))
    assert isinstance(scored, Scored)
    return scored.value


@given(asked=queries)
def test_every_figure_is_that_of_trec_eval(asked: list[tuple[list[str], frozenset[str]]]) -> None:
    qrels = {str(at): dict.fromkeys(relevant, 1) for at, (_, relevant) in enumerate(asked)}
    runs = {
        str(at): {one: float(len(ranked) - place) for place, one in enumerate(ranked)}
        for at, (ranked, _) in enumerate(asked)
    }
    cuts = ",".join(map(str, CUTOFFS))
    measures = {*(f"{theirs}.{cuts}" for theirs in AT_K.values()), *FULL.values()}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(runs)
    for at, (ranked, relevant) in enumerate(asked):
        found = {
            f"{name}_{k}": ours(f"retrieval.{metric}", ranked, relevant, k=k)
            for metric, name in AT_K.items()
            for k in CUTOFFS
        } | {name: ours(f"retrieval.{metric}", ranked, relevant) for metric, name in FULL.items()}
        assert found == pytest.approx(theirs[str(at)], abs=1e-9)


@given(ranked=rankings, graded=grades)
def test_with_linear_gain_graded_ndcg_is_that_of_trec_eval(
    ranked: list[str], graded: dict[str, int]
) -> None:
    run = {one: float(len(ranked) - place) for place, one in enumerate(ranked)}
    cuts = f"ndcg_cut.{','.join(map(str, CUTOFFS))}"
    theirs = pytrec_eval.RelevanceEvaluator({"q": graded}, {cuts}).evaluate({"q": run})["q"]
    found = {
        f"ndcg_cut_{k}": ours("retrieval.graded_ndcg_at_k", ranked, graded, k=k, gain="linear")
        for k in CUTOFFS
    }
    assert found == pytest.approx(theirs, abs=1e-9)
