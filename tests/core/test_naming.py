"""How metrics are called, and what a run writes down about them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import (
    Better,
    CaseKind,
    CaseRun,
    Interval,
    Layer,
    Level,
    PureMetric,
    Scored,
    Spec,
    Unit,
    declared,
    key,
    labelled,
)
from ragproof.core.naming import defaults_for, metric_id
from ragproof.core.needs import REFUSAL
from ragproof.metrics.retrieval.mrr import Mrr
from ragproof.metrics.retrieval.recall_at_k import RecallAtK
from ragproof.metrics.robustness.overrefusal import Overrefusal
from ragproof.metrics.robustness.variant_consistency import VariantConsistency


@dataclass(frozen=True)
class Mine(PureMetric[CaseRun]):
    """Give the same figure whatever comes."""

    loud: bool = False
    k: int = 3

    spec = Spec(unit=Unit.COUNT, better=Better.NEITHER, needs=(), version=2)

    def score(self, _run: CaseRun, /) -> Scored:
        return Scored(1.0)


def test_a_parameter_is_named_when_it_differs_from_the_runs_default() -> None:
    assert key(RecallAtK(k=10), {"k": 10}) == "retrieval.recall_at_k"
    assert key(RecallAtK(k=20), {"k": 10}) == "retrieval.recall_at_k[k=20]"
    assert key(RecallAtK(k=5), {"k": 10}) == "retrieval.recall_at_k[k=5]"
    assert key(RecallAtK(k=5)) == "retrieval.recall_at_k"


@given(k=st.integers(1, 1000), default=st.integers(1, 1000))
def test_the_key_is_the_bare_id_exactly_where_k_is_the_runs(k: int, default: int) -> None:
    named = key(RecallAtK(k=k), defaults_for(RecallAtK, default))
    assert (named == "retrieval.recall_at_k") == (k == default)


def test_the_runs_k_concerns_metrics_at_k_only() -> None:
    assert defaults_for(RecallAtK, 10) == {"k": 10}
    assert defaults_for(Mrr, 10) == {}
    assert defaults_for(Mine, 10) == {}, "a user's k means what the user says"


def test_several_parameters_are_named_in_the_order_of_the_class() -> None:
    assert key(Mine(k=1, loud=True)) == f"{__name__}:Mine[loud=True,k=1]"


def test_a_label_comes_after_the_parameters() -> None:
    assert labelled("system.stage_seconds", "stage", "a") == "system.stage_seconds[stage=a]"
    assert labelled("a.b[k=2]", "stage", "c") == "a.b[k=2,stage=c]"


def test_a_label_that_would_break_a_line_is_escaped() -> None:
    assert labelled("a.b", "stage", "x\n\x1b[31m\ud800é") == r"a.b[stage=x\n\x1b[31m\ud800é]"


def test_what_ships_is_called_by_family_and_name_and_a_users_class_by_module_and_class() -> None:
    assert metric_id(RecallAtK) == "retrieval.recall_at_k"
    assert metric_id(Mine) == f"{__name__}:Mine"


def test_a_run_writes_down_all_parameters_and_all_that_is_declared() -> None:
    found = declared(RecallAtK(k=7))
    assert found.params == {"k": 7}
    assert (found.unit, found.better, found.version) == (Unit.FRACTION, Better.HIGHER, 1)
    assert (found.level, found.layer, found.headline) == (Level.CASE, Layer.QUERY, False)
    assert found.kinds == (CaseKind.INJECTION, CaseKind.QA, CaseKind.UNANSWERABLE)
    assert found.interval is Interval.AUTO


def test_a_users_metric_is_a_component_of_the_answer() -> None:
    found = declared(Mine())
    assert (found.layer, found.headline, found.version) == (Layer.ANSWER, False, 2)
    assert dataclasses.asdict(found)["params"] == {"loud": False, "k": 3}


def test_layer_and_headline_follow_from_the_family() -> None:
    layers = {family: Layer.of(family) for family in ("chunking", "filter", "generation", "system")}
    assert layers == {
        "chunking": Layer.INGESTION,
        "filter": Layer.QUERY,
        "generation": Layer.ANSWER,
        "system": Layer.SYSTEM,
    }


def test_a_rule_that_reads_otherwise_makes_another_version_of_all_that_read_it() -> None:
    for metric in (Overrefusal(), VariantConsistency()):  # one needs the reading, one uses it
        assert declared(metric).version == metric.spec.version + REFUSAL.version - 1
    assert REFUSAL.version > 1
    assert declared(Mrr()).version == Mrr.spec.version
