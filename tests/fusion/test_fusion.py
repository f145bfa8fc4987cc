"""Fusing ranked lists: worked numbers, and what holds for all lists."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.fusion import NORMALISE, convex, min_max, rrf, z_score

DENSE = ["d3", "d7", "d1", "d4", "d2", "d9", "d10"]
SPARSE = ["d2", "d3", "d8", "d1", "d11", "d4", "d6"]
lists = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=4)
lanes = st.dictionaries(
    st.sampled_from("abcdefgh"), st.floats(allow_nan=False, allow_infinity=False)
)


def test_the_ten_scores_of_the_two_lanes() -> None:
    found = rrf([DENSE, SPARSE], k=60)
    assert [(one, round(score, 6)) for one, score in found] == [
        ("d3", 0.032522),
        ("d2", 0.031778),
        ("d1", 0.031498),
        ("d4", 0.030777),
        ("d7", 0.016129),
        ("d8", 0.015873),
        ("d11", 0.015385),
        ("d9", 0.015152),
        ("d10", 0.014925),
        ("d6", 0.014925),
    ]


def test_a_vote_at_the_second_place_is_a_62nd_whatever_its_score() -> None:
    assert dict(rrf([DENSE, SPARSE]))["d7"] == 1 / 62
    assert dict(rrf([["x", "y"]]))["y"] == 1 / 62


@pytest.mark.parametrize("k", [0, -1, float("nan")])
def test_k_must_be_greater_than_0(k: float) -> None:
    with pytest.raises(ValueError, match="k must be greater than 0"):
        rrf([DENSE], k=k)


def test_an_id_that_a_list_holds_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="each id once, 'a' is there again"):
        rrf([["b"], ["a", "c", "a"]])
    with pytest.raises(ValueError, match="each id once, 'a' is there again"):
        convex([("a", 1.0), ("a", 2.0)], {}, 0.5)


def test_equal_scores_are_in_order_of_first_appearance() -> None:
    assert [one for one, _ in rrf([["a", "b"], ["b", "a"]])] == ["a", "b"]
    assert [one for one, _ in rrf([["b", "a"], ["a", "b"]])] == ["b", "a"]
    assert [one for one, _ in rrf([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])] == [*"abc"]


def test_nothing_gives_nothing_and_one_list_stays_as_it_is() -> None:
    assert rrf([]) == rrf([[], []]) == []
    assert [one for one, _ in rrf([DENSE])] == DENSE
    assert convex({}, {}, 0.5) == []
    assert [one for one, _ in convex({"a": 2.0, "b": 1.0}, {}, 1.0)] == ["a", "b"]


def test_weights_weigh_lists() -> None:
    assert dict(rrf([["a"], ["b"]], weights=[2, 0.5])) == {"a": 2 / 61, "b": 0.5 / 61}
    with pytest.raises(ValueError, match="2 lists need 2 weights, got 1"):
        rrf([["a"], ["b"]], weights=[1])
    with pytest.raises(ValueError, match="a weight must be a number of at least 0, got -1"):
        rrf([["a"]], weights=[-1])


@given(lists)
def test_every_document_is_there_once_and_the_order_of_the_lists_changes_no_score(
    some: list[list[str]],
) -> None:
    found = rrf(some)
    assert {one for one, _ in found} == {one for few in some for one in few}
    assert len(found) == len(dict(found))
    assert dict(found) == dict(rrf(some[::-1]))
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_a_convex_combination_by_hand() -> None:
    dense, sparse = {"a": 0.9, "b": 0.5, "c": 0.1}, {"c": 20.0, "d": 10.0}
    assert convex(dense, sparse, 0.75) == [("a", 0.75), ("b", 0.375), ("c", 0.25), ("d", 0.0)]
    # b stands 0 deviations from the mean, a and c sqrt(3/2); c and d stand 1 from theirs
    edge = math.sqrt(1.5)
    assert dict(convex(dense, sparse, 0.5, normalise="z-score")) == pytest.approx(
        {"a": (edge - 1) / 2, "b": -0.5, "c": (1 - edge) / 2, "d": (-edge - 1) / 2}
    )


def test_alpha_of_1_and_0_is_one_list_alone() -> None:
    dense, sparse = {"a": 3.0, "b": 2.0}, {"b": 9.0, "a": 1.0}
    assert [one for one, _ in convex(dense, sparse, 1)] == ["a", "b"]
    assert [one for one, _ in convex(dense, sparse, 0)] == ["b", "a"]


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan")])
def test_alpha_is_a_share(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha must be from 0 to 1"):
        convex({}, {}, alpha)


def test_what_cannot_be_fused_is_refused() -> None:
    with pytest.raises(ValueError, match="normalise must be min-max or z-score, got 'softmax'"):
        convex({}, {}, 0.5, normalise="softmax")
    with pytest.raises(ValueError, match="the score of 'a' must be a finite number, got nan"):
        convex({"a": math.nan}, {}, 0.5)


def test_equal_scores_divide_by_nothing() -> None:
    assert min_max({"a": 5.0, "b": 5.0}) == {"a": 1.0, "b": 1.0}
    assert min_max({"a": 5e-324, "b": 0.0}) == {"a": 1.0, "b": 0.0}
    assert z_score({"a": 5.0, "b": 5.0}) == {"a": 0.0, "b": 0.0}
    assert min_max({}) == z_score({}) == {}


def test_the_only_document_that_a_lane_finds_is_better_than_those_it_does_not() -> None:
    assert convex({"a": 1.0, "b": 1.0}, {"b": 2.0}, 0.5) == [("b", 1.0), ("a", 0.5)]
    assert convex({"a": 0.98, "b": 0.90}, {"b": 17.4}, 0.4)[0] == ("b", 0.6)


def test_a_text_is_no_ranked_list() -> None:
    with pytest.raises(ValueError, match="must be a list of ids, got the text 'd3'"):
        rrf(DENSE)


@given(lanes, lanes, st.floats(0, 1), st.sampled_from([*NORMALISE]))
def test_any_two_lanes_are_fused_into_finite_scores_in_order(
    dense: dict[str, float], sparse: dict[str, float], alpha: float, normalise: str
) -> None:
    found = convex(dense, sparse, alpha, normalise)
    scores = [score for _, score in found]
    assert {one for one, _ in found} == dense.keys() | sparse.keys()
    assert all(map(math.isfinite, scores))
    assert scores == sorted(scores, reverse=True)


@given(lanes.filter(lambda lane: len(lane) > 1), st.floats(0.5, 4), st.floats(-100, 100))
def test_only_the_scale_of_a_straight_line_is_taken_away(
    lane: dict[str, float], by: float, plus: float
) -> None:
    small = {one: round(math.fmod(score, 100), 3) for one, score in lane.items()}
    moved = {one: by * score + plus for one, score in small.items()}
    if max(small.values()) - min(small.values()) > 0.01:
        for normalise in NORMALISE.values():
            assert normalise(moved) == pytest.approx(normalise(small), abs=1e-6)
