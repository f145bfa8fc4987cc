"""Requirements that make no sense for a metric."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hand_made import FRACTION, declared

from ragproof.analysis.requirements import Limit, Requirement, senseless
from ragproof.core.spec import Better, Unit

KEY = FRACTION.id


def asked(limit: Limit, bound: float, **more: Any) -> Requirement:
    return Requirement(metric=KEY, limit=limit, bound=bound, **more)


DROP = asked(Limit.MAX_DROP, 0.02)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (asked(Limit.MIN, 85), "min 85 can never be met: its mean lies between 0 and 1"),
        (asked(Limit.MAX, -0.1), "max -0.1 can never be met"),
        (asked(Limit.MIN, 0.0), "min 0 can never fail"),
        (asked(Limit.MAX, 1.0), "max 1 can never fail"),
        (asked(Limit.MAX_DROP, 1.0), "max_drop 1 can never fail"),
        (asked(Limit.MIN, 1.5, statistic="completion"), "its completion lies between 0 and 1"),
    ],
)
def test_a_bound_that_decides_nothing_is_named(wanted: Requirement, told: str) -> None:
    (said,) = senseless(wanted, FRACTION)
    assert told in said


def test_a_drop_of_a_metric_without_a_better_side_is_named() -> None:
    neither = declared(KEY, better=Better.NEITHER)
    assert [*senseless(DROP, neither)] == [
        "max_drop 0.02: neither way is better for this metric; give it max_rise, min or max"
    ]
    assert not [*senseless(dataclasses.replace(DROP, statistic="completion"), neither)]
    assert not [*senseless(DROP, FRACTION)]
    seconds = declared(KEY, unit=Unit.SECONDS)
    assert not [*senseless(asked(Limit.MAX, 1.5), seconds)]
