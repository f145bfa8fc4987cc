"""A trend says where the yardstick changed, and only there."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import ragproof
from ragproof.core import RunHeader, RunState
from ragproof.core.spec import Unit
from ragproof.reports.trend import print_trend
from ragproof.store.open import RunStore, open_store
from ragproof.wiring.looking import Looking
from ragproof.wiring.schema import Config
from ragproof.wiring.trending import trend

MRR = "retrieval.mrr"
CASE = {"id": "q1", "question": "?", "expected_source_ids": ["a"], "expected_answer": "yes"}
FIGURES: dict[str, Any] = {"mean": 0.5, "ci95": None, "scored": 1, "completion": 1.0}


@pytest.fixture(scope="module")
def header() -> RunHeader:
    """Of a run with a judge."""
    result = ragproof.evaluate(
        [CASE], lambda question: {"answer_text": question}, [MRR, "generation.exact_match"]
    )
    return replace(
        result.record.header,
        id="0",
        judge="judge-1",
        prompt_hashes={MRR: ("p1",), "generation.exact_match": ("p1",), "refusal": ("p1",)},
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def breaks(store: RunStore, before: RunHeader, **changes: Any) -> tuple[str, ...]:
    after = replace(before, id="1", started_at="2999-01-01T00:00:00.000000+00:00", **changes)
    for one in (before, after):
        store.begin(one)
        store.finish(one.id, RunState.COMPLETED, {MRR: FIGURES})
    points = trend(Looking(store, Config()), MRR, 20).points
    assert points[0].breaks == ()
    return points[1].breaks


def test_another_dataset_is_a_break(store: RunStore, header: RunHeader) -> None:
    (told,) = breaks(store, header, dataset=replace(header.dataset, hash="f" * 64))
    assert told.startswith("the dataset was cases (")
    assert told.endswith("now cases (ffffffffffff)")


def test_another_selection_of_cases_is_a_break(store: RunStore, header: RunHeader) -> None:
    info = replace(header.dataset, selection={"sample": 50, "seed": 0})
    (told,) = breaks(store, header, dataset=info)
    assert told == "the selection of cases was all, now sample 50, seed 0"


def test_another_judge_is_a_break(store: RunStore, header: RunHeader) -> None:
    assert breaks(store, header, judge="judge-2") == ("the judge was judge-1, now judge-2",)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (MRR, ("the prompts of retrieval.mrr were changed",)),
        ("refusal", ("the prompts of refusal were changed",)),
        ("generation.exact_match", ()),
    ],
)
def test_other_prompts_are_a_break_unless_they_are_those_of_another_metric(
    store: RunStore, header: RunHeader, name: str, told: tuple[str, ...]
) -> None:
    assert breaks(store, header, prompt_hashes={**header.prompt_hashes, name: ("p2",)}) == told


def test_another_k_is_a_break_and_another_pipeline_a_change(
    store: RunStore, header: RunHeader
) -> None:
    settings = replace(header.settings, k=10)
    assert breaks(store, header, settings=settings) == ("k was 5, now 10",)
    adapter = replace(header.adapter, version="8")
    after = replace(header, id="2", started_at="2999-01-02", adapter=adapter, settings=settings)
    store.begin(after)
    store.finish(after.id, RunState.COMPLETED, {MRR: FIGURES})
    point = trend(Looking(store, Config()), MRR, 20).points[2]
    assert (point.breaks, point.changes) == ((), ("adapter version: not set -> 8",))


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        ({"skip_reasons": {"a": 2, "b": 3}}, "b (3 cases, and 1 other reason)"),
        ({"not_applicable_reasons": {"no claim": 1}}, "no claim (1 case)"),
        ({"errors": 4}, "4 cases failed"),
        ({"scored": 2}, "there was nothing to divide by in any of 2 cases"),
        ({}, "no case was tried"),
    ],
)
def test_where_there_is_no_figure_the_reason_is_told(
    store: RunStore, header: RunHeader, figures: dict[str, Any], told: str
) -> None:
    store.begin(header)
    none = {"mean": None, "ci95": None, "scored": 0, "completion": None, **figures}
    store.finish(header.id, RunState.COMPLETED, {MRR: none})
    (point,) = trend(Looking(store, Config()), MRR, 20).points
    assert (point.mean, point.why) == (None, told)
    console = Console(file=io.StringIO(), width=80)
    print_trend(console, MRR, Unit.FRACTION, [point])
    assert f"    no figure: {told}" in console.file.getvalue()  # type: ignore[attr-defined]
