"""Which cases lie beyond what is asked of the whole."""

from __future__ import annotations

from typing import Any

import pytest
from hand_made import FRACTION, case, column, declared, one_metric, record

from ragproof.analysis.falling_short import falling_short
from ragproof.analysis.requirements import Limit, Requirement
from ragproof.core.outcome import Skipped
from ragproof.core.record import RunRecord
from ragproof.core.subject import Level


def names(run: RunRecord, limit: Limit, bound: float, **more: Any) -> list[tuple[str, float]]:
    asked = Requirement(metric=FRACTION.id, limit=limit, bound=bound, **more)
    return [(one.case, one.value) for one in falling_short(run, asked)]


def test_cases_beyond_the_bound_are_given_and_one_at_it_is_not() -> None:
    run = one_metric([0.1 + 0.2, 0.3, 0.29, Skipped("no ids")])
    assert names(run, Limit.MIN, 0.3) == [("c0002", 0.29)]
    assert names(run, Limit.MAX, 0.295) == [("c0000", 0.1 + 0.2), ("c0001", 0.3)]


def test_repeats_are_averaged() -> None:
    run = one_metric([0.0, 1.0, 0.0, 0.0], [case("a"), case("a", 1), case("b"), case("b", 1)])
    assert names(run, Limit.MIN, 0.4) == [("b", 0.0)]


def test_only_the_slice_is_looked_at() -> None:
    rows = [case(f"c{at}", tags={"topic": "ab"[at % 2]}) for at in range(4)]
    run = one_metric([0.0] * 4, rows)
    assert names(run, Limit.MIN, 0.5, slice={"topic": ("b",)}) == [("c1", 0.0), ("c3", 0.0)]


@pytest.mark.parametrize(
    ("limit", "more"), [(Limit.MAX_DROP, {}), (Limit.MIN, {"statistic": "completion"})]
)
def test_no_case_falls_short_of_a_change_or_of_completion(limit: Limit, more: Any) -> None:
    assert names(one_metric([0.0, 1.0]), limit, 0.5, **more) == []


def test_figures_of_the_whole_set_and_unknown_metrics_have_no_cases() -> None:
    of = declared(FRACTION.id, level=Level.SET)
    assert (
        names(record([case("a")], {of.id: column(of, [0.0], subjects=("x",))}), Limit.MIN, 0.5)
        == []
    )
    assert names(record([], {}), Limit.MIN, 0.5) == []
