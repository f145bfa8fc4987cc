"""Bulk scoring is trec_eval's, query by query; and that of our own metrics, case by case."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import CaseRun, Chunk, Observation, PureMetric, QuestionCase, Scored
from ragproof.metrics import catalog
from ragproof.rankings.memory import score

CUTS = (1, 3, 5, 10, 100)
THEIRS = {
    *("map", "gm_map", "recip_rank", "Rprec", "bpref", "infAP", "ndcg", "set_F"),
    *("set_P", "set_recall", "set_map", "set_relative_P", "num_ret", "num_rel", "num_rel_ret"),
    *("num_nonrel_judged_ret", "P", "recall", "ndcg_cut", "map_cut", "relative_P", "success"),
}
AT = ("P", "recall", "ndcg_cut", "map_cut", "relative_P", "success")
DOCUMENTS = [f"d{number}" for number in range(40)] + ["é", "Ω", "d-17", "d/8", "D1"]
"""Ids whose order by bytes is not that of their numbers."""
grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-2, 4), min_size=1).filter(
    lambda graded: max(graded.values()) >= 0  # of negative ones alone trec_eval crashes
)
scores = st.dictionaries(
    st.sampled_from(DOCUMENTS), st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, -3.25]), min_size=1
)
"""Few values, so that ties abound; none that single precision would round."""
queries = st.lists(st.tuples(grades, scores), min_size=1, max_size=8)


def trec_evals(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    level: int,
) -> dict[str, dict[str, float]]:
    cuts = ",".join(map(str, CUTS))
    asked = {f"{one}.{cuts}" if one in AT else one for one in THEIRS}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, asked, relevance_level=level)
    found: dict[str, dict[str, float]] = evaluator.evaluate(run)
    for values in found.values():
        values["gm_map"] = values["map"]  # theirs is a logarithm
    return found


@settings(max_examples=50)
@given(asked=queries, level=st.integers(1, 3))
def test_every_measure_is_that_of_trec_eval_ties_and_all(
    asked: list[tuple[dict[str, int], dict[str, float]]], level: int
) -> None:
    qrels = {str(at): graded for at, (graded, _) in enumerate(asked)}
    run = {str(at): ranked for at, (_, ranked) in enumerate(asked)}
    theirs = trec_evals(qrels, run, level)
    names = sorted(next(iter(theirs.values())))
    found = score(qrels, run, names, relevance_level=level)
    for at, query in enumerate(found.queries):
        ours = {name: values[at] for name, values in found.values.items()}
        assert ours == pytest.approx(theirs[query], abs=1e-12)


def test_a_big_run_has_the_very_same_values_query_by_query() -> None:
    draw = np.random.default_rng(5)
    qrels, run = {}, {}
    for query in range(60):
        names = [f"doc-{number:05}" for number in draw.permutation(50_000)[:700]]
        values = np.round(draw.gamma(4, 5, 600), 1)  # sorted or not, with ties
        run[f"q{query}"] = dict(zip(names, values.tolist(), strict=False))
        judged = draw.choice(700, 60, replace=False)
        qrels[f"q{query}"] = {names[at]: int(draw.integers(0, 4)) for at in judged}
    asked = {"P.10", "recall.100", "recip_rank", "ndcg_cut.10", "map", "success.1"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
    names = ["P_10", "recall_100", "recip_rank", "ndcg_cut_10", "map", "success_1"]
    found = score(qrels, run, names)
    ours = {
        query: {name: found.values[name][at] for name in names}
        for at, query in enumerate(found.queries)
    }
    assert ours == theirs


SAME = {
    "P@{k}": "retrieval.precision_at_k",
    "R@{k}": "retrieval.recall_at_k",
    "Success@{k}": "retrieval.hit_at_k",
    "RR": "retrieval.mrr",
    "AP": "retrieval.average_precision",
    "Rprec": "retrieval.r_precision",
}
"""A measure and the metric that is the same."""


def by_metric(metric_id: str, ranked: list[str], graded: dict[str, int], **params: object) -> float:
    metric = catalog.build(metric_id, **params)
    assert isinstance(metric, PureMetric)
    case = QuestionCase(id="q", question="?", expected_source_ids=graded)
    found = tuple(Chunk(id=one) for one in ranked)
    scored = metric.score(CaseRun(case, Observation(case_id="q", retrieved=found)))
    assert isinstance(scored, Scored)
    return scored.value


@settings(max_examples=50)
@given(
    ranked=st.lists(st.sampled_from(DOCUMENTS), min_size=1, unique=True),
    graded=grades.filter(lambda graded: max(graded.values()) > 0),
    k=st.sampled_from(CUTS),
)
def test_every_measure_is_that_of_the_metric_of_its_name(
    ranked: list[str], graded: dict[str, int], k: int
) -> None:
    run = {"q": {one: float(-place) for place, one in enumerate(ranked)}}
    metrics = {
        name.format(k=k): by_metric(metric, ranked, graded, **({"k": k} if "{k}" in name else {}))
        for name, metric in SAME.items()
    }
    found = score({"q": graded}, run, [*metrics])
    assert dict(found.figures) == pytest.approx(metrics, abs=1e-12)
    binary = {one: int(grade > 0) for one, grade in graded.items()}
    for gain, qrels, metric, params in (
        ("log2", graded, "retrieval.graded_ndcg_at_k", {"gain": "linear"}),
        ("exp-log2", graded, "retrieval.graded_ndcg_at_k", {"gain": "exponential"}),
        ("log2", binary, "retrieval.ndcg_at_k", {}),
    ):
        name = f"nDCG(dcg={gain})@{k}"
        value = score({"q": qrels}, run, [name]).figures[name]
        assert value == pytest.approx(by_metric(metric, ranked, graded, k=k, **params), abs=1e-12)
