"""Every answer's chance to be reviewed is exact, so that weighted totals are those of traffic."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.analysis.review_draw import RANDOM, Stratum, dealt, draw, inclusion
from ragproof.analysis.review_rate import total
from ragproof.core import UsageError

NAMES = "abcdef"


def ways(one: Stratum) -> list[frozenset[str]]:
    """All that a stratum could draw, each as likely as the other: the definition, by brute force.

    Where the lowest are wanted, those sets than which none has lower values.
    """
    places = min(one.places, len(one.pool))
    found = [frozenset(some) for some in combinations(one.pool, places)]
    if one.order is None:
        return found
    order = one.order
    sums = {some: sorted(order[name] for name in some) for some in found}
    return [some for some in found if sums[some] == min(sums.values())]


def draws(strata: Sequence[Stratum]) -> Iterator[frozenset[str]]:
    """All unions; each is as likely as the other, repeats counted."""
    for some in product(*map(ways, strata)):
        yield frozenset().union(*some)


@st.composite
def designs(draw_: st.DrawFn) -> tuple[Stratum, ...]:
    """A random stratum over everyone, and up to two others over some."""
    people = NAMES[: draw_(st.integers(2, 6))]
    found = [Stratum(RANDOM, tuple(people), draw_(st.integers(1, 3)))]
    for number in range(draw_(st.integers(0, 2))):
        pool = tuple(one for one in people if draw_(st.booleans()))
        ordered = draw_(st.booleans())
        order = {one: float(draw_(st.integers(0, 2))) for one in pool} if ordered else None
        found.append(Stratum(f"s{number}", pool, draw_(st.integers(0, 3)), order))
    return tuple(found)


@given(designs())
def test_the_chance_of_each_answer_is_its_share_of_all_draws(strata: tuple[Stratum, ...]) -> None:
    every = list(draws(strata))
    seen = Counter(name for some in every for name in some)
    for name, chance in inclusion(strata).items():
        assert chance == pytest.approx(seen[name] / len(every), abs=1e-12)
    assert min(inclusion(strata).values()) > 0


@given(designs(), st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_the_weighted_total_is_unbiased(strata: tuple[Stratum, ...], scores: list[float]) -> None:
    values, chances = dict(zip(NAMES, scores, strict=True)), inclusion(strata)
    estimates = [
        total(
            np.array([values[name] for name in some]),
            np.array([1 / chances[name] for name in some]),
        )
        for some in draws(strata)
    ]
    truth = math.fsum(values[name] for name in strata[0].pool)
    assert math.fsum(estimates) / len(estimates) == pytest.approx(truth, abs=1e-9)


def test_two_strata_by_hand() -> None:
    # random: 2 of 4. complaints: 1 of {c, d}. c: 1 - (1 - 1/2) (1 - 1/2) = 3/4
    strata = [Stratum(RANDOM, ("a", "b", "c", "d"), 2), Stratum("down", ("c", "d"), 1)]
    assert inclusion(strata) == {"a": 0.5, "b": 0.5, "c": 0.75, "d": 0.75}


def test_the_lowest_are_drawn_for_sure_and_chance_decides_between_equals() -> None:
    order = {"a": 0.1, "b": 0.5, "c": 0.5, "d": 0.5, "e": 0.9}
    low = Stratum("low", tuple(order), 3, order)
    assert low.chances() == {"a": 1.0, "b": 2 / 3, "c": 2 / 3, "d": 2 / 3, "e": 0.0}
    for seed in range(20):
        drawn = low.drawn(seed)
        assert (len(drawn), "a" in drawn, "e" in drawn) == (3, True, False)


def test_draws_come_as_often_as_their_chance() -> None:
    strata = [Stratum(RANDOM, ("a", "b", "c", "d"), 2), Stratum("down", ("c", "d"), 1)]
    times, seen = 4_000, Counter[str]()
    for seed in range(times):
        seen.update(one.case_id for one in draw(strata, seed))
    for name, chance in inclusion(strata).items():
        slack = 5 * math.sqrt(chance * (1 - chance) / times)
        assert seen[name] / times == pytest.approx(chance, abs=slack)


def test_a_draw_depends_on_the_seed_alone_and_not_on_the_order_of_the_traffic() -> None:
    names = tuple(f"t{at}" for at in range(50))
    first = draw([Stratum(RANDOM, names, 10)], 1)
    assert first == draw([Stratum(RANDOM, names[::-1], 10)], 1)
    assert first != draw([Stratum(RANDOM, names, 10)], 2)


def test_the_order_of_the_queue_does_not_tell_the_stratum() -> None:
    names = tuple(f"t{at}" for at in range(400))
    down = Stratum("down", names[:100], 50)
    places = [
        np.mean(
            [
                at
                for at, one in enumerate(draw([Stratum(RANDOM, names, 50), down], seed))
                if "down" in one.strata
            ]
        )
        for seed in range(30)
    ]
    assert float(np.mean(places)) == pytest.approx(46.5, abs=5)


@pytest.mark.parametrize(
    "strata",
    [
        [Stratum("down", ("a", "b"), 1)],
        [Stratum(RANDOM, ("a", "b"), 0), Stratum("down", ("a",), 1)],
        [Stratum(RANDOM, (), 3)],
    ],
)
def test_the_random_sample_cannot_be_left_out(strata: list[Stratum]) -> None:
    with pytest.raises(UsageError, match="the random sample cannot be left out"):
        draw(strata)


def test_who_is_in_two_strata_is_reviewed_once_and_both_are_named() -> None:
    found = draw([Stratum(RANDOM, ("a", "b"), 2), Stratum("down", ("a",), 1)])
    assert {one.case_id: (one.strata, one.probability) for one in found} == {
        "a": ((RANDOM, "down"), 1.0),
        "b": ((RANDOM,), 1.0),
    }


@given(
    st.integers(1, 60), st.integers(1, 5), st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0]), st.integers()
)
def test_answers_are_dealt_evenly_and_the_overlap_is_exact(
    answers: int, people: int, overlap: float, seed: int
) -> None:
    names = [f"a{at}" for at in range(answers)]
    who = [f"r{at}" for at in range(people)]
    found = dealt(names, who, overlap, seed)
    assert found.keys() == {*names}
    twice = [one for one in found.values() if len(one) == 2]
    assert len(twice) == (math.ceil(round(overlap * answers, 9)) if people > 1 else 0)
    assert all(len({*one}) == len(one) for one in found.values())
    first = Counter(one[0] for one in found.values())
    assert max(first.values()) - min(first.get(one, 0) for one in who) <= 1
