"""The section `sweep`: its points, and what is wrong with it, by file and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragproof.core import UsageError
from ragproof.wiring import grid
from ragproof.wiring.config import Override, load_config
from ragproof.wiring.schema_sweep import SweepConfig

ADAPTER = "adapter: {type: python, target: 'a:b', params: {top: 3, deep: {depth: 2}}}\n"
TWO = "params: {a: [1, 2], b: [3, 4]}"


def fault(folder: Path, text: str) -> str:
    path = folder / "ragproof.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        load_config(path, {})
    return str(caught.value).replace(f"{folder}/", "")


def points(given: dict[str, Any] | None = None, **section: Any) -> list[dict[str, Any]]:
    return [dict(one) for one in grid.points(SweepConfig(**section), given or {})]


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("{}", "ragproof.yaml:2: sweep: nothing varies; give it params, or points"),
        ("{parms: {}}", "ragproof.yaml:2: sweep.parms: unknown key. Did you mean 'params'?"),
        ("\n  params:\n    a: []", "ragproof.yaml:4: sweep.params.a: got an empty list"),
        ("{params: {a: 1}}", "sweep.params.a: got 1; allowed: a list"),
        ("{params: {a: [1, 2, 1.0]}}", "sweep.params.a.2: got 1.0, which is in the list already"),
        ("{points: [{a: 1}, {a: 1}]}", "sweep.points.1: got a mapping with a, which is in the"),
        ("{params: {top.x: [1]}}", "adapter.params.top is 3, in which there is no x"),
        ("{params: {deep: [1], deep.depth: [2]}}", "lies within deep, which is varied as a whole"),
        ("{params: {a.: [1]}}", 'got "a."; a dotted name has no empty part'),
        (f"{{{TWO}, metrics: []}}", "sweep.metrics: got an empty list"),
        (f"{{{TWO}, baseline: {{a: 1}}}}", "sweep.baseline: is none of the points: a=1, b=3; a=1"),
        (f"{{{TWO}, baseline: {{aa: 1}}}}", "sweep.baseline.aa: is not varied. Did you mean 'a'?"),
        (f"{{{TWO}, select: {{rule: bst}}}}", "Did you mean 'best'?"),
        (
            f"{{{TWO}, select: {{rule: smallest_sufficient, param: a}}}}",
            "sweep.select.min_gain: missing; say which gain is worth having",
        ),
        (
            f"{{{TWO}, select: {{rule: until_flat, min_gain: 0.1}}}}",
            "sweep.select.param: missing; rule until_flat looks along a parameter",
        ),
        (
            f"{{{TWO}, select: {{rule: best, param: c}}}}",
            'sweep.select.param: got "c", which is not varied',
        ),
        (
            f"{{{TWO}, select: {{rule: best, param: a}}}}",
            "b vary too; say by sweep.baseline at which values a is looked at",
        ),
        (
            "{params: {a: [x, y]}, select: {rule: until_flat, param: a, min_gain: 0.1}}",
            'a has the value "x"; rule until_flat goes from the smallest to the largest number',
        ),
        (
            "{params: {a: [1]}, select: {rule: until_flat, param: a, min_gain: 0.1}}",
            "sweep.select.param: a has one value; rule until_flat compares two or more",
        ),
        (
            "{params: {a: [1, 2]}, select: {rule: best, stability: 0.9}}",
            "sweep.select.stability: rule best has none; it goes with convex_weight",
        ),
        (
            "{params: {a: [1]}, select: {rule: until_flat, param: a, min_gain: 0, "
            "cost_metric: x.y}}",
            "sweep.select.gain_per_cost: missing; cost_metric and gain_per_cost go together",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, section: str, message: str) -> None:
    assert message in fault(tmp_path, f"{ADAPTER}sweep: {section}\n")


@pytest.mark.parametrize(
    ("adapter", "message"),
    [
        ("{type: recorded, path: out.jsonl}", "nothing in adapter.path is filled in by {a}"),
        (
            "{type: http, http: {retrieve: {chunks_path: $, request: {url: 'http://x/{b}'}}}}",
            "sweep.params.a: nothing in adapter.http is filled in by {a}",
        ),
    ],
)
def test_a_parameter_that_changes_nothing_is_refused(
    tmp_path: Path, adapter: str, message: str
) -> None:
    assert message in fault(tmp_path, f"adapter: {adapter}\nsweep: {{params: {{a: [1, 2]}}}}\n")


def test_another_adapter_than_that_of_the_file_is_no_fault_of_the_sweep(tmp_path: Path) -> None:
    path = tmp_path / "ragproof.yaml"
    path.write_text(f"{ADAPTER}sweep: {{params: {{top: [3, 4]}}, baseline: {{}}}}\n")
    other = {"type": "recorded", "path": str(tmp_path / "o.jsonl")}
    assert load_config(path, {}, {"--recorded": Override("adapter", other)}).sweep is not None
    path.write_text(
        "adapter: {type: python, target: 'a:b', params: {weight: 0.3}}\n"
        "sweep: {points: [{lane: a}, {lane: b, weight: 0.5}], baseline: {lane: a, weight: 0.3}}\n"
    )
    assert load_config(path, {}, {"weight": Override("adapter.params.weight", 0.5)}).sweep


def test_a_grid_is_every_combination_and_a_list_adds_to_it() -> None:
    found = points(params={"a": (1, 2), "b": (3, 4)}, points=({"a": 9, "b": 9}, {"a": 1, "b": 3}))
    assert found == [
        {"a": 1, "b": 3},
        {"a": 1, "b": 4},
        {"a": 2, "b": 3},
        {"a": 2, "b": 4},
        {"a": 9, "b": 9},
    ]


def test_what_a_point_leaves_out_is_what_the_adapter_has() -> None:
    listed = ({"lane": "dense"}, {"lane": "fused", "deep.weight": 0.5})
    assert points({"deep": {"weight": 0.3}}, points=listed) == [
        {"lane": "dense", "deep.weight": 0.3},
        {"lane": "fused", "deep.weight": 0.5},
    ]
    assert points({}, points=listed)[0] == {"lane": "dense"}


def test_equal_points_are_equal_however_their_numbers_are_written() -> None:
    assert grid.same_as({"a": 1, "b": [2.0]}) == grid.same_as({"b": [2], "a": 1.0})
    assert grid.same_as({"a": 1}) != grid.same_as({"a": True})
    assert grid.same_as({"a": "1"}) != grid.same_as({"a": 1})
