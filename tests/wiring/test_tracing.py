"""What stands beside a stage that lost gold."""

from __future__ import annotations

import pytest

from ragproof.analysis.gold_sight import STAGES, GoldStage
from ragproof.metrics import catalog
from ragproof.wiring.tracing import EXPLAINS, NAMED, beside


def test_every_metric_beside_a_stage_exists() -> None:
    known = set(catalog.ids())
    named = {one for stage in STAGES for one in EXPLAINS[stage] if not one.endswith(".*")}
    assert {one for one in named if one.partition(".")[0] in {"filter", "retrieval"}} <= known
    for told in beside({}).values():
        assert {one.metric for one in told} <= known


@pytest.mark.parametrize("stage", STAGES[2:])
def test_a_stage_of_the_question_has_a_metric(stage: GoldStage) -> None:
    assert 0 < len(beside({})[stage]) <= NAMED


def test_what_the_run_has_a_figure_of_comes_first() -> None:
    figures: dict[str, dict[str, object]] = {
        "retrieval.ndcg_at_k": {"mean": 0.5},
        "reranking.mrr_gain": {"mean": None},
    }
    first, *others = beside(figures)[GoldStage.RERANKING]
    assert (first.metric, first.mean) == ("retrieval.ndcg_at_k", 0.5)
    assert {one.mean for one in others} == {None}
