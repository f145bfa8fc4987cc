"""Points of a sweep side by side: comparisons, the frontier and the rules, checked by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hand_made import FRACTION, cases, column, declared, record

from ragproof.analysis.comparison import compare
from ragproof.analysis.holm import holm
from ragproof.analysis.intervals import wilson
from ragproof.analysis.sweep import Study, study
from ragproof.analysis.sweep_points import Axes, SweepPoint, gain_between, gain_ends, measured
from ragproof.analysis.sweep_rules import Choice, Rule, Selection
from ragproof.analysis.sweep_steps import Found
from ragproof.analysis.sweep_weight import resampled
from ragproof.core.header import RunState
from ragproof.core.outcome import Cause, Failed, Outcome, Skipped
from ragproof.core.record import CaseRow
from ragproof.core.spec import Better, Unit

RECALL = FRACTION.id
SECONDS = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
USD = declared("system.usd", unit=Unit.USD, better=Better.LOWER)
DOUBLED = declared("chunking.duplicated_tokens", better=Better.LOWER)
AXES = Axes(quality=RECALL, latency=SECONDS.id)
DOWN = Failed(Cause.ADAPTER, "refused")


def point(
    params: dict[str, Any],
    scores: Sequence[float | Outcome],
    *,
    seconds: float | None = None,
    usd: float | None = None,
    doubled: float | None = None,
    rows: Sequence[CaseRow] | None = None,
    better: Better = Better.HIGHER,
    **header: Any,
) -> SweepPoint:
    """A point whose cases have these scores and, all alike, these seconds and costs."""
    columns = {RECALL: column(declared(RECALL, better=better, params={"k": 5}), scores)}
    for of, value in ((SECONDS, seconds), (USD, usd), (DOUBLED, doubled)):
        if value is not None:
            columns[of.id] = column(of, [value] * len(scores))
    run = record(rows or cases(len(scores)), columns, **header)
    return measured(params, run, AXES, further=[DOUBLED.id])


def share(found: int, of: int, *, first: int = 0) -> list[float]:
    """So many cases found from a place on, the others missed."""
    return [1.0 if first <= at < first + found else 0.0 for at in range(of)]


def chosen(
    rule: Rule, points: Sequence[SweepPoint], param: str | None = "size", **asked: Any
) -> Choice:
    selection = Selection(rule=rule, metric=RECALL, param=param, **asked)
    found = study("s", points, AXES, None, selection).choice
    assert found is not None
    return found


def sizes(*found: int, of: int = 200, **figures: Any) -> list[SweepPoint]:
    """Points of doubling sizes that find so many cases, each also what the smaller ones find."""
    return [point({"size": 128 << at}, share(one, of), **figures) for at, one in enumerate(found)]


class TestComparison:
    def test_the_best_is_what_the_others_are_compared_with(self) -> None:
        found = study("s", sizes(100, 150, 120), AXES)
        assert (found.reference, found.baseline) == (1, None)
        assert {at: one.change.delta for at, one in found.against.items()} == {
            0: pytest.approx(-0.25),
            2: pytest.approx(-0.15),
        }

    def test_a_baseline_goes_before_the_best(self) -> None:
        found = study("s", sizes(100, 150), AXES, baseline=0)
        assert found.reference == 0
        assert found.against[1].change.delta == pytest.approx(0.25)

    def test_each_comparison_is_that_of_two_runs_and_adjusted_over_the_points(self) -> None:
        points = sizes(100, 150, 104)
        found = study("s", points, AXES, baseline=0)
        p_values = {}
        for at in (1, 2):
            before, after = points[0].record, points[at].record
            assert before is not None
            assert after is not None
            (alone,) = [one for one in compare(before, after).metrics if one.key == RECALL]
            assert found.against[at].change == alone.change
            p_values[at] = alone.change.p_value or 0.0
        adjusted = {at: one.p_adjusted for at, one in found.against.items()}
        assert adjusted == holm(p_values)

    def test_where_less_is_better_the_best_has_the_least(self) -> None:
        points = [
            point({"size": at}, share(one, 100), better=Better.LOWER)
            for at, one in enumerate((50, 20))
        ]
        assert study("s", points, AXES).reference == 1

    def test_a_version_that_differs_is_told(self) -> None:
        points = sizes(10, 20)
        head = points[1].record
        assert head is not None
        other = point({"size": 2}, share(3, 200), label="x", versions={"corpus": "2"})
        assert study("s", [points[0], other], AXES).doubts == ("version of corpus: not set -> 2",)

    def test_pairs_that_are_all_equal_exclude_no_more_than_so_many_cases_can(self) -> None:
        one, other = sizes(100, 100)
        compared = gain_between(one, other, RECALL)
        assert compared is not None
        most = wilson(0.0, 200)[1]
        assert gain_ends(compared) == (-most, most)
        assert most == pytest.approx(3.8415 / 203.8415, abs=1e-4)


class TestFrontier:
    def places(self, *figures: tuple[int, float]) -> Study:
        points = [
            point({"at": at}, share(found, 100), seconds=seconds)
            for at, (found, seconds) in enumerate(figures)
        ]
        return study("s", points, AXES)

    def test_by_hand(self) -> None:
        found = self.places((50, 1.0), (70, 2.0), (60, 3.0), (90, 4.0), (70, 2.5))
        assert found.frontier.order == (0, 1, 3)
        assert [one.dominated_by for one in found.frontier.places] == [None, None, 1, None, 1]

    def test_equal_points_do_not_dominate_each_other(self) -> None:
        assert self.places((50, 1.0), (50, 1.0)).frontier.order == (0, 1)

    def test_a_point_is_told_apart_from_its_neighbour_or_not(self) -> None:
        found = self.places((50, 1.0), (51, 2.0), (90, 4.0))
        places = found.frontier.places
        assert [one.neighbour for one in places] == [None, 0, 1]
        assert [one.told_apart for one in places] == [False, False, True]

    def test_a_dearer_axis_keeps_a_point_on_the_frontier(self) -> None:
        points = [
            point({"at": 0}, share(50, 100), seconds=1.0, usd=0.5),
            point({"at": 1}, share(50, 100), seconds=2.0, usd=0.1),
            point({"at": 2}, share(50, 100), seconds=2.0, usd=0.5),
        ]
        found = study("s", points, AXES).frontier
        assert found.axes == ("latency", "cost")
        assert found.order == (0, 1)

    def test_the_cost_is_the_pipelines_own_or_else_the_only_one_with_figures(self) -> None:
        own = declared("system.cost_usd", unit=Unit.USD, better=Better.LOWER)

        def cost_of(told: float | Outcome) -> float | None:
            columns = {FRACTION.id: column(FRACTION, [1.0]), USD.id: column(USD, [0.5])}
            run = record(cases(1), {**columns, own.id: column(own, [told])})
            return measured({}, run, AXES).price

        assert cost_of(0.25) == 0.25
        assert cost_of(Skipped("the stages' cost is not known")) == 0.5

    def test_an_axis_that_some_point_lacks_is_left_out(self) -> None:
        points = [
            point({"at": 0}, share(50, 100), seconds=1.0),
            point({"at": 1}, share(60, 100), seconds=2.0, usd=0.1),
        ]
        assert study("s", points, AXES).frontier.axes == ("latency",)

    def test_a_point_that_failed_too_often_has_no_place(self) -> None:
        failing: list[float | Outcome] = [*[DOWN] * 10, *[1.0] * 90]
        points = [point({"at": 0}, share(50, 100)), point({"at": 1}, failing)]
        found = study("s", points, AXES)
        assert found.frontier.places[1].left_out == (
            "completion 0.9 is below 0.95: 10 failed, 90 scored"
        )
        assert found.reference == 0


class TestSmallestSufficient:
    def test_by_hand(self) -> None:
        found = chosen(Rule.SMALLEST_SUFFICIENT, sizes(100, 160, 160, 160), min_gain=0.02)
        assert found.chosen == 1
        assert "nothing gains more than 0.02" in found.reason
        assert [one.found for one in found.steps] == [
            *([Found.GAINS] * 3),
            *([Found.FLAT] * 2),
        ]

    def test_a_larger_size_that_gains_later_counts(self) -> None:
        found = chosen(Rule.SMALLEST_SUFFICIENT, sizes(100, 100, 160, 160), min_gain=0.02)
        assert found.chosen == 2

    def test_a_gain_neither_shown_nor_excluded_leaves_it_open(self) -> None:
        found = chosen(Rule.SMALLEST_SUFFICIENT, sizes(100, 160, 164), min_gain=0.02)
        assert found.chosen is None
        assert found.reason.startswith("inconclusive at size=256: size=512 gains +0.02 [")
        assert found.steps[-1].found is Found.OPEN

    def test_what_would_settle_that_no_case_changed_is_said(self) -> None:
        found = chosen(Rule.SMALLEST_SUFFICIENT, sizes(160, 160), min_gain=0.01)
        # 3.84 / (n + 3.84) is at most 0.01 from 380.3 on
        assert found.reason.endswith("nor excluded; about 381 cases would settle it")

    def test_a_curve_that_still_rises_at_its_end_has_no_such_size(self) -> None:
        found = chosen(Rule.SMALLEST_SUFFICIENT, sizes(50, 100, 160), min_gain=0.02)
        assert found.chosen is None
        assert "it still rises at size=512" in found.reason

    def test_sizes_are_taken_in_order_of_number(self) -> None:
        points = sizes(100, 160, 160)
        found = chosen(Rule.SMALLEST_SUFFICIENT, points[::-1], min_gain=0.02)
        assert found.chosen == 1

    def test_only_points_that_are_like_the_baseline_else_are_looked_at(self) -> None:
        points = [
            point({"size": size, "overlap": overlap}, share(found, 200))
            for overlap, counts in ((0, (100, 160, 160)), (0.1, (160, 160, 160)))
            for size, found in zip((128, 256, 512), counts, strict=True)
        ]
        asked = Selection(rule=Rule.SMALLEST_SUFFICIENT, metric=RECALL, param="size", min_gain=0.02)
        picked = [study("s", points, AXES, at, asked).choice for at in (0, 3)]
        assert [one.chosen for one in picked if one is not None] == [1, 3]

    def test_a_point_without_a_run_decides_nothing(self) -> None:
        points = [*sizes(100, 160), measured({"size": 1024}, None, AXES)]
        found = chosen(Rule.SMALLEST_SUFFICIENT, points, min_gain=0.02)
        assert found.chosen is None
        assert found.reason == "size=1024 cannot be counted on: there is no run of it"

    def test_a_run_that_was_stopped_decides_nothing(self) -> None:
        points = [*sizes(100), point({"size": 256}, share(9, 10), state=RunState.INTERRUPTED)]
        found = chosen(Rule.SMALLEST_SUFFICIENT, points, min_gain=0.02)
        assert found.reason == "size=256 cannot be counted on: its run is interrupted"

    def test_another_metric_than_the_quality_may_be_asked_for(self) -> None:
        points = [
            point({"size": 1}, share(160, 200), doubled=0.5),
            point({"size": 2}, share(100, 200), doubled=0.1),
            point({"size": 3}, share(100, 200), doubled=0.1),
        ]
        selection = Selection(rule=Rule.BEST, metric=DOUBLED.id, param="size", tolerance=0.02)
        found = study("s", points, AXES, None, selection).choice
        assert found is not None
        assert found.chosen == 1


class TestUntilFlat:
    def test_by_hand(self) -> None:
        found = chosen(Rule.UNTIL_FLAT, sizes(60, 120, 120, 200), min_gain=0.02)
        assert found.chosen == 1, "the curve flattens here, whatever it does later"
        assert "size=512 gains +0 [" in found.reason

    def test_a_cost_that_outweighs_the_gain_ends_it(self) -> None:
        points = [
            point({"size": at}, share(found, 400), doubled=doubled)
            for at, (found, doubled) in enumerate(((100, 0.0), (200, 0.1), (260, 0.5)))
        ]
        free = chosen(Rule.UNTIL_FLAT, points, min_gain=0.02)
        assert "it still rises" in free.reason
        found = chosen(
            Rule.UNTIL_FLAT,
            points,
            min_gain=0.02,
            cost_metric=DOUBLED.id,
            gain_per_cost=0.5,
        )
        assert found.chosen == 1, "0.4 more duplicated tokens would have to gain 0.2, not 0.15"
        assert [one.needed for one in found.steps] == pytest.approx([0.05, 0.2])
        assert "outweighs all up to 0.2" in found.reason

    def test_without_the_cost_nothing_is_chosen(self) -> None:
        found = chosen(
            Rule.UNTIL_FLAT, sizes(1, 2), cost_metric=DOUBLED.id, gain_per_cost=1.0, min_gain=0.1
        )
        assert found.chosen is None
        assert f"has no figure of {DOUBLED.id}" in found.reason


class TestBest:
    def test_lanes_by_hand_where_fusion_falls_behind_its_input(self) -> None:
        lanes = {"dense": 170, "sparse": 100, "fused": 140}
        points = [point({"lane": name}, share(one, 200)) for name, one in lanes.items()]
        found = chosen(Rule.BEST, points, None)
        assert found.chosen == 0
        assert [one.compared.gain for one in found.steps if one.compared] == [
            pytest.approx(-0.35),
            pytest.approx(-0.15),
        ]

    def test_a_rival_that_is_not_told_apart_leaves_it_open(self) -> None:
        found = chosen(Rule.BEST, sizes(150, 152, 100), None)
        assert found.chosen is None
        assert "size=256 has the best figure, but is not told apart from size=128" in found.reason

    def test_within_the_tolerance_a_rival_does_not_matter(self) -> None:
        found = chosen(Rule.BEST, sizes(150, 152, 100), None, tolerance=0.05)
        assert found.chosen == 1


class TestCheapestSufficient:
    def rewrites(self, *figures: tuple[int, float]) -> list[SweepPoint]:
        return [
            point({"rewrites": at + 1}, share(found, 200), seconds=seconds)
            for at, (found, seconds) in enumerate(figures)
        ]

    def test_the_dearer_has_to_gain(self) -> None:
        points = self.rewrites((100, 0.1), (150, 0.2), (150, 0.3), (151, 0.4))
        found = chosen(Rule.FRONTIER, points, None, min_gain=0.05)
        assert found.chosen == 1
        assert [(one.before, one.after) for one in found.steps] == [(0, 1), (0, 3), (1, 3)]

    def test_the_dearest_may_be_worth_it(self) -> None:
        points = self.rewrites((50, 0.1), (100, 0.2), (150, 0.3))
        found = chosen(Rule.FRONTIER, points, None, min_gain=0.05)
        assert found.chosen == 2
        assert "each of the others is shown to gain less" in found.reason

    def test_what_is_too_slow_is_no_choice(self) -> None:
        points = self.rewrites((50, 0.1), (100, 0.2), (150, 0.3))
        asked = {"min_gain": 0.05, "max_latency_seconds": 0.2}
        assert chosen(Rule.FRONTIER, points, None, **asked).chosen == 1
        none = chosen(Rule.FRONTIER, points, None, min_gain=0.05, max_latency_seconds=0.01)
        assert "no point of the frontier is within" in none.reason

    def test_without_latency_and_cost_there_is_no_frontier(self) -> None:
        found = chosen(Rule.FRONTIER, sizes(50, 100), None, min_gain=0.05)
        assert "there is no frontier" in found.reason


class TestConvexWeight:
    def weights(self, *columns: Sequence[float], **more: Any) -> Choice:
        points = [point({"alpha": at / 2}, scores) for at, scores in enumerate(columns)]
        return chosen(Rule.CONVEX_WEIGHT, points, "alpha", **more)

    def test_a_weight_that_wins_nearly_always_is_chosen(self) -> None:
        found = self.weights(share(50, 100), share(80, 100), share(40, 100))
        assert found.chosen == 1
        assert found.shares[1].share > 0.99

    def test_a_weight_that_wins_by_accident_is_not(self) -> None:
        found = self.weights(share(50, 100), share(51, 100, first=49), share(40, 100))
        assert found.chosen is None
        assert found.shares[1].share < 0.8
        assert sum(one.share for one in found.shares) == pytest.approx(1.0)
        assert "80 % is asked for: label more cases" in found.reason

    def test_equal_weights_share_what_they_win(self) -> None:
        found = self.weights(share(50, 100), share(50, 100))
        assert [one.share for one in found.shares] == [0.5, 0.5]

    def test_a_weight_within_the_tolerance_of_the_best_counts_as_best(self) -> None:
        found = self.weights(share(50, 100), share(51, 100), tolerance=0.05)
        assert found.chosen == 1
        assert found.shares[0].share > 0.9

    def test_few_cases_cannot_tell(self) -> None:
        found = self.weights(share(1, 49), share(40, 49))
        assert found.chosen is None
        assert found.reason.startswith("49 independent cases")

    def test_the_figure_of_a_resample_is_that_of_its_cases(self) -> None:
        draw = np.random.default_rng(3)
        scores = [draw.random(80).tolist() for _ in range(2)]
        points = [point({"alpha": at}, one) for at, one in enumerate(scores)]
        figures, units = resampled(points, RECALL)
        assert units == 80
        assert figures.mean(axis=0) == pytest.approx(np.mean(scores, axis=1), abs=0.01)
        spread = np.std(scores, axis=1) / np.sqrt(80)
        assert figures.std(axis=0) == pytest.approx(spread, rel=0.1)
