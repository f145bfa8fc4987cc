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


def test_one_fall_of_a_hundred_does_not_show_that_fewer_than_five_do() -> None:
    # Tango's interval of 1 in 100 ends at -0.0545; the percentile bootstrap's would at -0.03
    before = run([1.0] * 100)
    strict = asked(Limit.MAX_DROP, 0.05, non_inferiority=True)
    check = one(run([0.0] + [1.0] * 99), strict, against=before)
    assert check.verdict is Verdict.FAIL
    assert "change -0.01 [-0.0545, " in check.detail
    assert check.detail.endswith("a drop of more than 0.05 is not excluded")
    plain = one(run([0.0] + [1.0] * 99), asked(Limit.MAX_DROP, 0.05), against=before)
    assert (plain.verdict, plain.blocks) == (Verdict.INCONCLUSIVE, False)
    assert plain.cases_needed is not None
    assert 110 < plain.cases_needed < 300
    assert (
        one(run([0.0] + [1.0] * 99), asked(Limit.MAX_DROP, 0.06), against=before).verdict == "pass"
    )


def test_times_are_written_as_everywhere_else() -> None:
    """Less than a second in milliseconds, with as many digits as tell a figure from its bound."""
    seconds = declared(KEY, unit=Unit.SECONDS, better=Better.LOWER)

    def timed(factor: float) -> RunRecord:
        values = (EASE[:60] * factor).tolist()
        return record([case(f"c{at}") for at in range(60)], {KEY: column(seconds, values)})

    fast = one(timed(0.0001), asked(Limit.MAX, 1.5, statistic="p95"))
    assert fast.detail == f"p95 {np.sort(EASE[:60])[56] / 10:.3g} ms, at most 1.5 s"
    rise = one(timed(0.0002), asked(Limit.MAX_RISE, 0.02), against=timed(0.0001))
    before, gain = EASE[:60].mean() / 10, EASE[:60].mean() / 10
    assert rise.detail.startswith(f"mean {before:.3g} ms -> {2 * before:.3g} ms, 60 pairs, change ")
    assert f"change +{gain:.3g} ms [+0.0" in rise.detail
    assert rise.detail.endswith("a rise of more than 20 ms is excluded")


def test_where_interval_and_test_part_the_test_is_named() -> None:
    # 5 of 100 fell: Tango's interval ends at -0.0068, but one of 16 swaps is as far apart
    check = one(run([0.0] * 5 + [1.0] * 95), asked(Limit.MAX_DROP, 0.0), against=run([1.0] * 100))
    assert (check.verdict, check.blocks) == (Verdict.INCONCLUSIVE, False)
    assert check.detail.endswith(
        "a drop of more than 0 is neither shown nor excluded: the interval lies beyond it, "
        "but the test does not find it (p 0.062)"
    )
