"""What is decided of two samples, and how often rightly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drift_points import blob, points, pool

from ragproof.analysis.drift import KL, SLICES, TOGETHER, Setup, detect
from ragproof.analysis.drift_pool import Points, Pool, Values
from ragproof.analysis.drift_shifts import (
    Altered,
    Mixed,
    Moved,
    Unshifted,
    noticed,
    one_a_unit,
    step_along_first_axis,
    study,
    yardstick,
)

QUICK = Setup(deals=99, axes=2, intervals=False)


def test_two_draws_of_one_distribution_raise_no_more_alarms_than_alpha_says() -> None:
    tries, alpha = 120, 0.1
    found = noticed(points(blob(120, 6)), Unshifted(), (40, 40), tries, replace(QUICK, alpha=alpha))
    most = alpha * tries + 2.6 * np.sqrt(alpha * (1 - alpha) * tries)  # 1 in 200
    for name, alarms in found.alarms.items():
        assert alarms <= most, name
    assert found.alarms[TOGETHER] <= most


def test_with_groups_alarms_stay_rare_where_rows_one_by_one_would_be_sure_of_drift() -> None:
    """Ten rows of a session are nearly the same; 20 sessions of each sample."""
    alarms = single = 0
    for seed in range(30):
        draw = np.random.default_rng(seed)
        rows = np.repeat(draw.normal(size=(40, 5)), 10, axis=0)
        rows += draw.normal(scale=0.1, size=rows.shape)
        units = np.repeat(np.arange(40), 10).tolist()
        grouped = Pool(points(rows[:200], 0, units[:200]), points(rows[200:], 0, units[200:]))
        alarms += detect(grouped, replace(QUICK, seed=seed)).is_alarm
        if seed < 8:
            single += detect(pool(rows[:200], rows[200:]), replace(QUICK, seed=seed)).is_alarm
    assert alarms <= 5  # 1.5 expected
    assert single >= 6


def test_a_shift_is_found_by_every_detector_and_named() -> None:
    found = detect(pool(blob(80), blob(80, seed=1, shift=1.5)), Setup(deals=199))
    assert found.is_alarm
    assert all(one.is_alarm for one in found.detected)
    for one in found.detected:
        assert one.chance is not None
        assert one.value > one.chance[1] > one.chance[0]
    assert found.p_of("axis 1") <= 0.05


def test_a_further_number_of_each_row_is_compared_too() -> None:
    before, now = points(blob(60)), points(blob(60, seed=1), 60)
    lengths = np.arange(60.0)
    both = Pool(
        replace(before, columns={"length": lengths}), replace(now, columns={"length": lengths + 40})
    )
    found = detect(both, Setup(deals=199))
    assert [one.name for one in found.detected if one.is_alarm] == [KL]
    assert found.p_of("length") <= 0.05 < found.p_of("axis 1")


def test_slices_take_their_part_of_the_alpha() -> None:
    both = pool(blob(40), blob(40, seed=1))
    alone, more = detect(both, QUICK), detect(both, QUICK, 0.001)
    assert [one.name for one in more.detected][-1] == SLICES
    assert more.is_alarm
    assert not alone.is_alarm
    assert more.detected[-1].p_adjusted == pytest.approx(0.004)


def test_the_same_seed_finds_the_same_and_another_nearly() -> None:
    both = pool(blob(50), blob(50, seed=1, shift=0.4))
    first, again = detect(both, QUICK), detect(both, QUICK)
    assert first.detected == again.detected
    other = detect(both, replace(QUICK, seed=5))
    assert other.detected[0].value == pytest.approx(first.detected[0].value, rel=0.01)


@pytest.mark.parametrize("scale", [1e-20, 1e30])
def test_the_scale_of_vectors_changes_nothing(scale: float) -> None:
    a, b = blob(50), blob(50, seed=1, shift=0.7)
    plain, scaled = detect(pool(a, b), QUICK), detect(pool(a * scale, b * scale), QUICK)
    for one, other in zip(plain.detected, scaled.detected, strict=True):
        assert one.p_value == pytest.approx(other.p_value, abs=0.011), one.name
        assert one.value == pytest.approx(other.value, rel=1e-3)


def test_which_sample_is_which_changes_neither_discrepancy_nor_area() -> None:
    a, b = blob(60), blob(60, seed=1, shift=0.8)
    one, other = detect(pool(a, b), QUICK), detect(pool(b, a), QUICK)
    assert one.detected[0].value == pytest.approx(other.detected[0].value, rel=1e-6)
    assert one.detected[1].value == pytest.approx(other.detected[1].value, abs=0.1)


def long(rows: int, seed: int = 0) -> Values:
    """Of one axis that is longer than the others."""
    return blob(rows, seed=seed) * [3, *[1] * 7]


def test_the_yardstick_tells_small_samples_from_large_ones() -> None:
    small = yardstick(pool(blob(15), blob(15, seed=1)), QUICK)
    large = yardstick(pool(long(250), long(250, seed=1)), QUICK)
    assert small.share(TOGETHER) < 0.5
    assert large.share(TOGETHER) >= 0.8
    assert (small.rows, large.rows) == ((15, 15), (250, 250))


def test_of_larger_samples_the_yardstick_tries_a_part() -> None:
    assert yardstick(pool(blob(400), blob(20, seed=1)), QUICK).rows == (300, 20)


def test_more_of_a_shift_is_noticed_more_often() -> None:
    base = points(blob(200))
    draw = np.random.default_rng(0)
    shifts = [Moved("moved", by, step_along_first_axis(base, by, draw)) for by in (0.2, 2.0)]
    weak, strong = study(base, shifts, (50,), 12, QUICK)
    assert weak.alarms[TOGETHER] < strong.alarms[TOGETHER] == 12
    low, high = strong.ends(TOGETHER)
    assert low < 1 == high


def test_a_share_that_there_are_no_rows_for_is_not_tried() -> None:
    base, others = points(blob(100)), points(blob(15, seed=1), 100)
    shifts = [Mixed("mixed", share, others) for share in (0.2, 0.4)]
    found = [(one.size, one.rows[0]) for one in study(base, shifts, (30, 50), 1, QUICK)]
    assert found == [(0.2, 30), (0.4, 30), (0.2, 50)]


def test_a_shift_changes_the_share_of_rows_that_it_says() -> None:
    base, others = points(np.zeros((50, 2))), points(np.ones((30, 2)), 50)
    rows, draw = np.arange(20), np.random.default_rng(0)
    mixed = Mixed("mixed", 0.25, others)(base, rows, draw)
    assert mixed.values[:, 0].sum() == 5
    altered = Altered("altered", 0.5, points(np.full((50, 2), 3.0)))(base, rows, draw)
    assert (altered.values[:, 0] == 3).sum() == 10
    moved = Moved("moved", 1.0, np.array([2.0, 0.0]), share=0.2)(base, rows, draw)
    assert moved.values[:, 0].sum() == 8
    assert moved.values[:, 1].sum() == 0
    assert {len(one) for one in (mixed, altered, moved)} == {20}


def test_one_row_of_each_group_is_drawn() -> None:
    grouped: Points = points(np.arange(12.0)[:, None], 0, [at // 3 for at in range(12)])
    found = one_a_unit(grouped, np.random.default_rng(0))
    assert found.units.tolist() == [0, 1, 2, 3]
