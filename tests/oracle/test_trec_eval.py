"""On rankings without duplicates and ties our figures are those of trec_eval's own code."""

from __future__ import annotations

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
FULL = {"mrr": "recip_rank", "average_precision": "map"}
IDS = [f"d{number}" for number in range(30)]
rankings = st.lists(st.sampled_from(IDS), min_size=1, unique=True)
relevant_sets = st.frozensets(st.sampled_from(IDS), min_size=1)
queries = st.lists(st.tuples(rankings, relevant_sets), min_size=1, max_size=20)


def ours(metric_id: str, ranked: list[str], relevant: frozenset[str], **params: object) -> float:
    metric = catalog.build(metric_id, **params)
    assert isinstance(metric, PureMetric)
    case = QuestionCase(id="q", question="?", expected_source_ids=tuple(relevant))
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
