"""What a gate says of a change that it cannot decide."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hand_made import case, column, declared, record
from test_gate import BEFORE, BROKEN, DROP, EASE, KEY, asked, one, run, shifted

from ragproof.analysis.gate import Verdict
from ragproof.analysis.requirements import Limit
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit


@pytest.mark.parametrize(
    "more",
    [
        {"min_samples": 10},
        {"statistic": "p95"},  # which has an interval from 72 pairs on
        {},  # a baseline of which half is missing
        {"noise_floor": 0.5},
    ],
)
def test_what_non_inferiority_cannot_be_shown_by_fails_whatever_the_reason(
    more: dict[str, Any],
) -> None:
    failed = [] if "min_samples" in more or "statistic" in more else [BROKEN] * 5
    now = run((EASE[:5] + 0.3).tolist() + [0.5] * len(failed))
    before = run([*EASE[:5].tolist(), *failed])
    plain = asked(Limit.MAX_DROP, 0.02, **more)
    check = one(now, plain, against=before)
    assert (check.verdict, check.blocks) == (Verdict.INCONCLUSIVE, False)
    strict = dataclasses.replace(plain, non_inferiority=True)
    check = one(now, strict, against=before, on_inconclusive="warn")
    assert (check.verdict, check.blocks) == (Verdict.FAIL, True)


def test_the_interval_of_a_percentile_takes_groups_where_cases_share_one() -> None:
    seconds = declared(KEY, unit=Unit.SECONDS, better=Better.LOWER)

    def grouped(factor: float) -> RunRecord:
        values = np.random.default_rng(3).lognormal(sigma=0.3, size=200) * factor
        rows = [case(f"c{at}", group=f"g{at // 5}") for at in range(200)]
        return record(rows, {KEY: column(seconds, values.tolist())})

    slower = asked(Limit.MAX_RISE, 0.1, statistic="p95")
    check = one(grouped(2.0), slower, against=grouped(1.0))
    assert (check.verdict, check.blocks) == (Verdict.INCONCLUSIVE, False)
    assert check.detail.endswith("an interval takes 72 groups of cases, these are 40")


def test_more_cases_are_asked_for_only_where_they_would_settle_it() -> None:
    wide = one(shifted(-0.02), DROP, against=BEFORE)
    assert wide.verdict is Verdict.INCONCLUSIVE
    assert wide.cases_needed is not None
    half = run([*EASE[:100].tolist(), *[BROKEN] * 100])
    for now, before in ((shifted(-0.02), half), (half, BEFORE)):
        check = one(now, DROP, against=before)
        assert (check.verdict, check.cases_needed) == (Verdict.INCONCLUSIVE, None)
    few = one(shifted(-0.02), dataclasses.replace(DROP, min_samples=201), against=BEFORE)
    assert (few.verdict, few.cases_needed) == (Verdict.INCONCLUSIVE, None)
