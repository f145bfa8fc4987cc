"""Where a judge leans, by tables worked out by hand."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.analysis.leaning import (
    Ballot,
    Winner,
    injectability,
    length,
    position,
    self_preference,
)

VERDICTS = ("a", "b", "tie")
verdicts = st.none() | st.sampled_from(VERDICTS)
ballots = st.builds(
    Ballot,
    first=verdicts,
    second=verdicts,
    label=st.sampled_from(["1", "2", "tie"]),
    lengths=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    change=st.sampled_from([None, "expansion", "truncation"]),
    families=st.none() | st.sampled_from([("x", "y"), ("y", "x"), ("x", "x")]),
)


def ballot(first: str | None, second: str | None, label: Winner = "1", **more: Any) -> Ballot:
    return Ballot(first=first, second=second, label=label, **more)


@pytest.mark.parametrize(
    ("first", "second", "combined", "bias", "consistent"),
    [
        ("a", "b", "1", 0.0, True),
        ("b", "a", "2", 0.0, True),
        ("a", "a", "tie", 0.5, False),
        ("b", "b", "tie", -0.5, False),
        ("tie", "tie", "tie", None, True),
        ("a", "tie", "1", 0.5, False),
        ("tie", "b", "1", -0.5, False),
        ("tie", "a", "2", 0.5, False),
        ("b", "tie", "2", -0.5, False),
    ],
)
def test_two_verdicts_on_one_pair(
    first: str, second: str, combined: Winner, bias: float | None, *, consistent: bool
) -> None:
    one = ballot(first, second)
    assert (one.combined, one.consistent) == (combined, consistent)
    found = position([one])
    assert found.consistency is not None
    assert found.consistency.value == float(consistent)
    assert (found.bias and found.bias.value) == (bias or (found.bias and 0.0))


def test_an_invalid_pair_is_reported_and_counts_nowhere_else() -> None:
    found = position([ballot("a", "b"), ballot("a", None), ballot(None, None)])
    assert (found.pairs, found.invalid) == (3, 2)
    assert found.consistency is not None
    assert found.consistency.value == 1
    with pytest.raises(ValueError, match="has no winners"):
        _ = ballot("a", None).combined


def test_without_a_valid_pair_nothing_is_said() -> None:
    found = position([ballot(None, "a")])
    assert (found.consistency, found.bias, found.one_order, found.swapping_helps) == (None,) * 4


def test_bias_is_over_all_verdicts_for_a_place() -> None:
    # a,b / a,a / a,tie: four of five verdicts for a place are for the first
    found = position([ballot("a", "b"), ballot("a", "a"), ballot("a", "tie")])
    assert found.bias is not None
    assert found.bias.value == pytest.approx(4 / 5 - 1 / 2)


def test_swapping_helps_where_combining_agrees_better_with_people() -> None:
    # a,tie says 1 in one order only, combined it is 1
    helps = position([ballot("a", "tie", "1")])
    assert helps.one_order is not None
    assert (helps.one_order.value, helps.swapping_helps) == (0.5, True)
    # a,a is right in one order of two, combined it is a tie
    harms = position([ballot("a", "a", "1")])
    assert harms.one_order is not None
    assert harms.both_orders is not None
    assert (harms.one_order.value, harms.both_orders.value) == (0.5, 0.0)
    assert harms.swapping_helps is False


def test_a_judge_that_always_prefers_the_longer_answer_shows() -> None:
    longer, shorter = (9, 1), (1, 9)
    found = length(
        [
            ballot("a", "b", "1", lengths=longer),
            ballot("b", "a", "1", lengths=shorter),
            ballot("b", "a", "tie", lengths=shorter),
            ballot("a", "b", "1", lengths=(5, 5)),
        ]
    )
    assert found.pairs == 3
    assert found.longer_wins == 1
    assert found.longer_deserves == pytest.approx((1 + 0 + 0.5) / 3)
    assert found.agreement == pytest.approx(1 / 3)
    assert found.controlled == pytest.approx((1 + 0 + 0) / 3)


def test_filler_and_cuts_are_told_apart() -> None:
    filler = ballot("b", "a", "tie", lengths=(1, 9), change="expansion")
    cut = ballot("b", "a", "2", lengths=(1, 9), change="truncation")
    found = length([filler, cut])
    assert (found.expansion, found.truncation) == (0.5, 0.0)


def test_own_kind_wins_more_often_than_it_deserves() -> None:
    pairs = [
        ballot("a", "b", "1", families=("x", "y")),
        ballot("b", "a", "1", families=("y", "x")),
        ballot("tie", "tie", "tie", families=("x", "y")),
        ballot("a", "b", "1", families=("x", "x")),
        ballot("a", "b", "1"),
    ]
    found = self_preference(pairs, "x")
    assert (found.pairs, found.wins, found.deserves) == (3, 2.5 / 3, 1.5 / 3)
    assert found.excess == pytest.approx(1 / 3)
    assert self_preference(pairs, "z").excess is None


def test_orders_inside_answers_that_move_the_score_show() -> None:
    found = injectability([(0, 1, False), (0, 0, False), (0.5, None, False), (0, None, True)])
    assert (found.answers, found.failed) == (4, 1)
    assert found.moved is not None
    assert found.moved.value == pytest.approx(2 / 3)
    assert found.mean_shift == pytest.approx(1 / 2)


def test_without_answers_nothing_is_said_of_orders() -> None:
    found = injectability([])
    assert (found.moved, found.mean_shift) == (None, None)


@given(st.lists(ballots))
def test_calling_the_answers_by_each_others_number_changes_nothing(
    given_ballots: list[Ballot],
) -> None:
    swap: dict[Winner, Winner] = {"1": "2", "2": "1", "tie": "tie"}
    turned = [
        Ballot(
            first=one.second,
            second=one.first,
            label=swap[one.label],
            lengths=(one.lengths[1], one.lengths[0]),
            change=one.change,
            families=one.families and (one.families[1], one.families[0]),
        )
        for one in given_ballots
    ]
    assert position(turned) == position(given_ballots)
    assert length(turned) == length(given_ballots)
    assert self_preference(turned, "x") == self_preference(given_ballots, "x")


def test_a_judge_that_sees_only_the_place_has_the_greatest_bias_and_no_consistency() -> None:
    found = position([ballot("a", "a", label) for label in ("1", "2") for _ in range(20)])
    assert found.bias is not None
    assert found.consistency is not None
    assert (found.bias.value, found.consistency.value) == (0.5, 0)


def test_every_combination_is_symmetric() -> None:
    for first, second in product(VERDICTS, VERDICTS):
        mirrored = {"1": "2", "2": "1", "tie": "tie"}[ballot(first, second).combined]
        assert ballot(second, first).combined == mirrored
