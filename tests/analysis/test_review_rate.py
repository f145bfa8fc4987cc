"""Rates of all traffic from reviewed answers: by hand, against other code, and by simulation."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from review_keys import head

from ragproof.analysis.intervals import wilson
from ragproof.analysis.review_agreement import reviewers
from ragproof.analysis.review_draw import RANDOM, Stratum, inclusion
from ragproof.analysis.review_figures import figures, slices
from ragproof.analysis.review_rate import kish, rate, variance
from ragproof.analysis.tails import TAIL, t_quantile
from ragproof.datasets.review_queue import KeyItem

VERDICTS = ("good", "partly", "bad", "cannot_say")


def item(name: str, probability: float, *strata: str, **more: object) -> KeyItem:
    given_ = {"item": name, "case_id": name, "answer": "", "strata": strata or (RANDOM,), **more}
    return KeyItem(probability=probability, **given_)  # type: ignore[arg-type]


def test_a_weighted_rate_by_hand() -> None:
    # two ordinary answers stand for 25 each, two complaints for 1 each; one of either is bad
    found = rate(np.array([1.0, 0, 1, 0]), np.array([25.0, 25, 1, 1]), np.arange(4))
    assert found is not None
    assert found.value == 26 / 52
    assert found.effective <= 52**2 / (625 + 625 + 1 + 1)  # Kish
    skewed = rate(np.array([0.0, 0, 1, 1]), np.array([25.0, 25, 1, 1]), np.arange(4))
    assert skewed is not None
    assert skewed.value == 2 / 52


def test_the_worked_example_of_the_page() -> None:
    # 1,000 answers, 100 voted down; 50 at random, 20 of those voted down
    everyone = tuple(f"o{at}" for at in range(900)) + tuple(f"v{at}" for at in range(100))
    strata = [Stratum(RANDOM, everyone, 50), Stratum("down", everyone[900:], 20)]
    chances = inclusion(strata)
    assert chances["o0"] == 0.05
    assert chances["v0"] == pytest.approx(0.24)
    weights = np.array([1 / chances["o0"]] * 45 + [1 / chances["v0"]] * 24)
    bad = np.array([1.0] * 4 + [0.0] * 41 + [1.0] * 15 + [0.0] * 9)
    found = rate(bad, weights, np.arange(69))
    assert found is not None
    assert found.value == pytest.approx(0.1425)
    assert bad.mean() == pytest.approx(19 / 69)
    page = (Path(__file__).parents[2] / "docs/review.md").read_text(encoding="utf-8")
    assert "142.5 / 1,000 = 14.3 %" in page
    assert "19 of 69, 27.5 %" in page


def test_equal_weights_give_the_plain_share_and_an_interval_near_wilsons() -> None:
    values = np.array([1.0] * 20 + [0.0] * 80)
    found = rate(values, np.full(100, 7.0), np.arange(100))
    assert found is not None
    assert found.value == 0.2
    assert found.effective == pytest.approx(99)
    assert found.ends == pytest.approx(wilson(0.2, 99, t_quantile(TAIL, 99)))
    assert found.ends == pytest.approx(wilson(0.2, 100), abs=0.002)


def test_few_answers_give_a_wider_interval_than_wilsons() -> None:
    found = rate(np.array([1.0] + [0.0] * 9), np.ones(10), np.arange(10))
    assert found is not None
    assert found.ends is not None
    low, high = wilson(0.1, 10)
    assert (found.ends[0] < low, found.ends[1] > high) == (True, True)


def test_none_bad_is_not_said_to_be_none_of_the_traffic() -> None:
    found = rate(np.zeros(52), np.array([40.0] * 50 + [1.0] * 2), np.arange(52))
    assert found is not None
    assert found.ends is not None
    assert (found.value, found.ends[0]) == (0.0, 0.0)
    assert 0.06 < found.ends[1] < 0.08  # as of 50 answers: 3.84 / 53.84


def test_one_unit_has_no_interval() -> None:
    found = rate(np.array([1.0, 0.0]), np.ones(2), np.zeros(2, dtype=np.intp))
    assert found is not None
    assert (found.value, found.ends) == (0.5, None)
    assert rate(np.array([]), np.array([]), np.array([], dtype=np.intp)) is None


def test_answers_of_one_session_count_less() -> None:
    values = np.tile([1.0, 1, 0, 0, 0, 0, 0, 0], 10)
    alone = rate(values, np.ones(80), np.arange(80))
    pairs = rate(values, np.ones(80), np.arange(80) // 2)
    assert alone is not None
    assert pairs is not None
    assert pairs.effective == pytest.approx(alone.effective / 2, rel=0.05)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.floats(1, 1000)), min_size=2, max_size=40
    )
)
def test_a_rate_lies_in_its_interval_and_in_its_range(rows: list[tuple[float, float]]) -> None:
    values, weights = (np.array(one) for one in zip(*rows, strict=True))
    found = rate(values, weights, np.arange(len(rows)))
    assert found is not None
    assert found.ends is not None
    assert 0 <= found.ends[0] <= found.value + 1e-12
    assert found.value - 1e-12 <= found.ends[1] <= 1
    assert 0 < found.effective <= len(rows) + 1e-9
    same = rate(values, weights * 3.5, np.arange(len(rows)))
    assert same is not None
    assert same.value == pytest.approx(found.value)


def test_the_variance_of_equal_weights_is_that_of_a_mean() -> None:
    values = np.array([1.0, 0, 0, 1, 1])
    influence = (values - values.mean()) / 5
    assert variance(influence, np.arange(5)) == pytest.approx(float(values.var(ddof=1)) / 5)
    assert kish(np.full(5, 3.0), np.arange(5)) == pytest.approx(5)
    assert math.isinf(variance(influence, np.zeros(5, dtype=np.intp)))


@pytest.mark.parametrize(("low", "high"), [(0.02, 0.5), (0.1, 0.6), (0.3, 0.3)])
def test_the_interval_holds_the_true_rate_as_often_as_it_says(low: float, high: float) -> None:
    # 2,000 answers, one in 20 voted down; 50 drawn at random, 40 more of those voted down
    draw = np.random.default_rng(11)
    size, held, misses, times = 2_000, 0, 0.0, 500
    names = tuple(map(str, range(size)))
    voted = draw.random(size) < 0.05
    down = np.flatnonzero(voted)
    strata = [Stratum(RANDOM, names, 50), Stratum("down", tuple(map(str, down)), 40)]
    chances = np.array([*inclusion(strata).values()])  # in the order of the first pool
    for _ in range(times):
        bad = draw.random(size) < np.where(voted, high, low)
        drawn = np.union1d(
            draw.choice(size, 50, replace=False), draw.choice(down, 40, replace=False)
        )
        found = rate(bad[drawn].astype(float), 1 / chances[drawn], np.arange(drawn.size))
        assert found is not None
        assert found.ends is not None
        held += found.ends[0] <= bad.mean() <= found.ends[1]
        misses += found.value - float(bad.mean())
    assert held / times >= 0.94
    assert abs(misses / times) < 0.01


def test_it_holds_where_strata_overlap_and_sessions_are_alike() -> None:
    # 2,000 answers in sessions of 4: 200 at random, 40 of those voted down, 30 of those doubted,
    # the 15 least sure; within a session answers are bad together 6 times in 10
    draw = np.random.default_rng(12)
    size, held, times = 2_000, 0, 300
    names, session = tuple(map(str, range(size))), np.arange(size) // 4
    down, doubted = (np.flatnonzero(draw.random(size) < share) for share in (0.05, 0.08))
    sure = draw.random(size)
    strata = [
        Stratum(RANDOM, names, 200),
        Stratum("down", tuple(map(str, down)), 40),
        Stratum("doubted", tuple(map(str, doubted)), 30),
        Stratum("low", names, 15, dict(zip(names, sure.tolist(), strict=True))),
    ]
    chances = np.array([*inclusion(strata).values()])  # in the order of the first pool
    likely = np.where(np.isin(np.arange(size), down), 0.6, 0.1)
    low = np.argsort(sure)[:15]
    for _ in range(times):
        alike = draw.random(size // 4)[session]
        bad = np.where(draw.random(size) < 0.6, alike, draw.random(size)) < likely
        drawn = np.unique(
            np.concatenate(
                [
                    low,
                    draw.choice(size, 200, replace=False),
                    draw.choice(down, 40, replace=False),
                    draw.choice(doubted, 30, replace=False),
                ]
            )
        )
        found = rate(bad[drawn].astype(float), 1 / chances[drawn], session[drawn])
        assert found is not None
        assert found.ends is not None
        held += found.ends[0] <= bad.mean() <= found.ends[1]
    assert held / times >= 0.93


def test_figures_say_what_is_missing_and_what_it_could_change() -> None:
    items = [item(name, 0.5) for name in "abcd"]
    verdicts = {"a": {"ada": "bad"}, "b": {"ada": "good", "ben": "bad"}, "c": {"ada": "cannot_say"}}
    found = figures(items, verdicts, head(traffic=10, unanswered=2))
    counts = (found.drawn, found.reviewed, found.waiting, found.cannot_say)
    assert counts == (4, 2, 1, 1)
    # a is bad, b bad to one of two: (1 + 1/2) / 2; were c and d good 1.5 / 4, bad 3.5 / 4
    assert found.rates["bad"].value == 0.75
    assert found.possible == (0.375, 0.875)
    # 2 of 10 have no answer: 0.2 + 0.8 * 0.75
    assert found.with_unanswered is not None
    assert found.with_unanswered.value == pytest.approx(0.8)


def test_what_was_drawn_before_is_not_counted_with_what_has_no_answer() -> None:
    # 10 cases: 2 without an answer, 4 drawn before. Of the other 6 half are bad: (2 + 2) / 6
    items = [item(name, 0.5) for name in "ab"]
    verdicts = {"a": {"ada": "bad"}, "b": {"ada": "good"}}
    whole = dataclasses.replace(head(traffic=10, unanswered=2), drawn_before=4)
    found = figures(items, verdicts, whole).with_unanswered
    assert found is not None
    assert found.value == pytest.approx(4 / 6)


def test_a_stratum_is_told_unweighted_and_apart() -> None:
    items = [item("a", 1.0, RANDOM, "down"), item("b", 0.1), item("c", 1.0, "down")]
    verdicts = {"a": {"x": "bad"}, "b": {"x": "good"}, "c": {"x": "good"}}
    found = figures(items, verdicts, head())
    told = {one.name: (one.drawn, one.bad and one.bad.value) for one in found.strata}
    assert told == {RANDOM: (2, 0.5), "down": (2, 0.5)}
    assert found.rates["bad"].value == pytest.approx(1 / 12)
    assert found.with_unanswered is None


def test_slices_are_weighted_as_the_whole() -> None:
    items = [
        item("a", 0.1, tags={"intent": "x"}),
        item("b", 1.0, tags={"intent": "x"}),
        item("c", 1.0, tags={"intent": "y"}),
        item("d", 1.0),
    ]
    verdicts = {name: {"r": "bad" if name == "a" else "good"} for name in "abd"}
    told = {one.value: one for one in slices(items, verdicts, ["intent"])}
    assert told["x"].bad is not None
    assert told["x"].bad.value == pytest.approx(10 / 11)
    assert (told["y"].drawn, told["y"].bad) == (1, None)


def test_reviewers_are_compared_where_two_saw_the_same() -> None:
    verdicts = [
        {"ada": "bad", "ben": "bad"},
        {"ada": "good", "ben": "good"},
        {"ada": "good", "ben": "bad"},
        {"ada": "good", "ben": "good"},
        {"ada": "bad"},
    ]
    found = reviewers(verdicts, VERDICTS)
    assert found.same is not None
    assert (found.answers, found.same.value) == (4, 0.75)
    one, other, number, kappa = found.pairs[0]
    assert kappa is not None
    # agree 3/4; by chance (3/4)(2/4) + (1/4)(2/4) = 1/2; kappa (3/4 - 1/2) / (1/2)
    assert (one, other, number) == ("ada", "ben", 4)
    assert kappa.value == pytest.approx(0.5)
    assert reviewers([{"ada": "bad"}], VERDICTS).same is None
