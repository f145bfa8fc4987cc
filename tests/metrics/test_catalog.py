"""How metrics are found and made, and what is said when they cannot be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ragproof.core import (
    Better,
    CaseRun,
    PureMetric,
    Scored,
    Spec,
    Unit,
    UnknownMetric,
    UsageError,
    key,
)
from ragproof.metrics import catalog
from ragproof.metrics.retrieval.recall_at_k import RecallAtK

SPEC = Spec(unit=Unit.COUNT, better=Better.NEITHER, needs=())


@dataclass(frozen=True)
class Mine(PureMetric[CaseRun]):
    loud: bool = False
    share: float = 0.5
    name: str | None = None

    spec = SPEC

    def score(self, _run: CaseRun, /) -> Scored:
        return Scored(1.0)


@dataclass(frozen=True)
class Demanding(PureMetric[CaseRun]):
    depth: int

    spec = SPEC

    def score(self, _run: CaseRun, /) -> Scored:
        return Scored(1.0)


class Box:
    Inner = Mine


@dataclass(frozen=True)
class Unspecified(PureMetric[CaseRun]):
    def score(self, _run: CaseRun, /) -> Scored:
        return Scored(1.0)


@dataclass(frozen=True)
class Unscored(PureMetric[CaseRun]):
    spec = SPEC


def test_an_id_is_the_path_of_a_file() -> None:
    for metric_id in catalog.ids():
        assert Path("ragproof/metrics", *metric_id.split(".")).with_suffix(".py").is_file()


def test_an_id_loads_the_class_that_is_named_for_it() -> None:
    assert catalog.load("retrieval.recall_at_k") is RecallAtK


def test_a_glob_stands_for_all_it_matches() -> None:
    assert catalog.matching("retrieval.*_at_k") == (
        "retrieval.graded_ndcg_at_k",
        "retrieval.hit_at_k",
        "retrieval.ndcg_at_k",
        "retrieval.precision_at_k",
        "retrieval.recall_at_k",
        "retrieval.unjudged_at_k",
    )
    assert catalog.matching("*") == catalog.ids()


def test_an_id_and_a_users_class_stand_for_themselves() -> None:
    assert catalog.matching("retrieval.mrr") == ("retrieval.mrr",)
    assert catalog.matching("my.package:Mine") == ("my.package:Mine",)


@pytest.mark.parametrize("pattern", ["retreival.*", "*.nothing", "", "retrieval"])
def test_a_pattern_that_matches_nothing_is_an_error(pattern: str) -> None:
    with pytest.raises(UnknownMetric, match=rf"no metric {re.escape(repr(pattern))}"):
        catalog.matching(pattern)


def test_an_unknown_metric_is_told_what_is_near_and_where_the_list_is() -> None:
    with pytest.raises(UnknownMetric) as caught:
        catalog.load("retrieval.recal_at_k")
    assert str(caught.value) == (
        "There is no metric 'retrieval.recal_at_k'. Did you mean 'retrieval.recall_at_k'? "
        "List: ragproof metrics"
    )


def test_a_pattern_is_not_one_metric() -> None:
    with pytest.raises(UnknownMetric, match=r"'retrieval.\*' is a pattern"):
        catalog.load("retrieval.*")


def test_an_unknown_parameter_is_told_which_there_are() -> None:
    with pytest.raises(UsageError, match=r"has no parameter 'K'\. It has: k=5"):
        catalog.build("retrieval.recall_at_k", K=5)
    with pytest.raises(UsageError, match=r"has no parameter 'k'\. It has: none"):
        catalog.build("retrieval.mrr", k=5)


def test_the_runs_default_comes_before_the_metrics_and_after_what_is_written() -> None:
    assert catalog.build("retrieval.recall_at_k", {"k": 10}) == RecallAtK(k=10)
    assert catalog.build("retrieval.recall_at_k", {"k": 10}, k=20) == RecallAtK(k=20)
    assert catalog.build("retrieval.mrr", {"k": 10}) == catalog.build("retrieval.mrr")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("5", r"k must be int, got '5' \(str\)"),
        (5.0, r"k must be int, got 5.0 \(float\)"),
        (True, r"k must be int, got True \(bool\)"),
        (None, r"k must be int, got None \(NoneType\)"),
        (0, r"k must be a whole number of at least 1, got 0"),
        (-1, r"k must be a whole number of at least 1, got -1"),
    ],
)
@pytest.mark.parametrize("metric_id", [one for one in catalog.ids() if one.endswith("_at_k")])
def test_a_cutoff_is_a_whole_number_of_at_least_1(metric_id: str, value: object, told: str) -> None:
    with pytest.raises(UsageError, match=rf"{metric_id}: {told}"):
        catalog.build(metric_id, k=value)


@pytest.mark.parametrize("value", [0, True, 2.5])
def test_a_cutoff_is_checked_without_the_catalog_too(value: Any) -> None:
    with pytest.raises(ValueError, match="k must be a whole number of at least 1"):
        RecallAtK(k=value)


def test_a_users_metric_is_made_and_called_by_module_and_class() -> None:
    assert catalog.build(f"{__name__}:Mine", loud=True) == Mine(loud=True)
    assert catalog.load(f"{__name__}:Box.Inner") is Mine
    assert key(Mine(loud=True)) == f"{__name__}:Mine[loud=True]"


def test_a_users_parameters_are_checked_by_their_defaults() -> None:
    assert catalog.build(f"{__name__}:Mine", share=1, name="x") == Mine(share=1, name="x")
    with pytest.raises(UsageError, match=r"loud must be bool, got 1 \(int\)"):
        catalog.build(f"{__name__}:Mine", loud=1)
    with pytest.raises(UsageError, match=r"Demanding: .*missing.*'depth'"):
        catalog.build(f"{__name__}:Demanding")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Nothing", "has no attribute 'Nothing'"),
        ("Unspecified", r"has no spec\. Write"),
        ("Unscored", r"has no score\. Write"),
        ("SPEC", "Derive it from PureMetric or ToolMetric"),
        ("Scored", "Derive it from PureMetric or ToolMetric"),
    ],
)
def test_a_users_class_that_will_not_do_is_told_why(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        catalog.load(f"{__name__}:{name}")


def test_a_users_module_that_fails_is_named_with_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_metrics.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "halved_metrics.py").write_text("class Mine:\n    def (\n")
    where = r"broken_metrics:Mine could not be loaded: ZeroDivisionError: .*\(broken_metrics.py:1\)"
    with pytest.raises(UsageError, match=where):
        catalog.load("broken_metrics:Mine")
    with pytest.raises(UsageError, match=r"SyntaxError: .*\(halved_metrics.py:2\)"):
        catalog.load("halved_metrics:Mine")
    with pytest.raises(UnknownMetric, match=r"no attribute 'nothing'.*Write module:Class"):
        catalog.load("ragproof.metrics.catalog:nothing")
    with pytest.raises(UnknownMetric, match=r"No module named 'nowhere'.*Write module:Class"):
        catalog.load("nowhere:Mine")
