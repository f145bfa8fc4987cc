"""The F1 of labels, and how many cases such a figure is worth."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.analysis.intervals import wilson
from ragproof.metrics.label_f1 import Labelled


def labelled(pairs: list[tuple[str, str]], trials: int = 1) -> Labelled:
    return Labelled.of([got for got, _ in pairs], [wanted for _, wanted in pairs], trials)


NAMES = st.sampled_from(["a", "b", "c"])
PAIRS = st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=30)


def test_a_figure_by_hand() -> None:
    # a: TP 3, FN 1, FP 0; b: TP 1, FN 0, FP 1
    seen = Labelled.of(["a", "a", "a", "b", "b"], ["a", "a", "a", "a", "b"])
    assert (seen.f1("a"), seen.f1("b")) == pytest.approx((6 / 7, 2 / 3))
    # 2 m / (2 - F)^2 with 4 and 2 cases that have the label either way
    assert seen.worth("a") == pytest.approx(2 * 4 / (8 / 7) ** 2)
    assert seen.worth("b") == pytest.approx(2 * 2 / (4 / 3) ** 2)
    mean, worth, f1 = seen.macro(["b", "a"])
    assert mean == pytest.approx((6 / 7 + 2 / 3) / 2)
    assert list(f1) == ["a", "b"]
    # what each case adds: right (2 - 2 F) / sides, wrong -(F_a / 7 + F_b / 3), halved
    each = [*[(2 - 12 / 7) / 7] * 3, -(6 / 7 / 7 + 2 / 3 / 3), (2 - 4 / 3) / 3]
    assert sum(each) == pytest.approx(0)
    variance = 5 / 4 * sum((one / 2) ** 2 for one in each)
    together = 4 / ((8 / 7) / 4 + (4 / 3) / 2)
    assert worth == pytest.approx(min(mean * (1 - mean) / variance, together))


@given(PAIRS)
def test_at_its_ends_f1_is_as_sure_as_the_share_it_is_a_function_of(
    pairs: list[tuple[str, str]],
) -> None:
    """Wilson's ends of J, carried over by 2 J / (1 + J), where all or none are right."""
    seen = labelled(pairs)
    for label in {one for pair in pairs for one in pair}:
        cases = seen.given[label] + seen.expected[label] - seen.right[label]
        if seen.right[label] in {0, cases}:
            low, high = (2 * end / (1 + end) for end in wilson(seen.right[label] / cases, cases))
            known = pytest.approx((low, high))
            assert wilson(seen.f1(label), seen.worth(label)) == known


@given(PAIRS, st.integers(2, 4))
def test_repeats_of_a_case_make_no_figure_surer(pairs: list[tuple[str, str]], trials: int) -> None:
    once = labelled(pairs)
    often = labelled(pairs * trials, trials)
    labels = {expected for _, expected in pairs}
    mean, worth, f1 = once.macro(labels)
    more, same, each = often.macro(labels)
    assert more == pytest.approx(mean)
    assert each == f1
    assert same <= worth * len(pairs) / max(len(pairs) - 1, 1) * (1 + 1e-9)
    for label in labels:
        assert often.worth(label) == pytest.approx(once.worth(label))


def test_the_interval_of_the_mean_is_that_of_resampling_the_documents() -> None:
    draw = np.random.default_rng(3)
    names = np.array(["a", "b", "c"])
    expected = draw.choice(3, 600, p=[0.5, 0.3, 0.2])
    given = np.where(draw.random(600) < 0.8, expected, draw.choice(3, 600))
    mean, worth, _ = Labelled.of([*names[given]], [*names[expected]]).macro(["a", "b", "c"])
    drawn = []
    for _ in range(1_000):
        some = draw.integers(0, 600, 600)
        got, wanted = given[some], expected[some]
        drawn.append(
            np.mean(
                [
                    2
                    * ((got == one) & (wanted == one)).sum()
                    / ((got == one).sum() + (wanted == one).sum())
                    for one in range(3)
                ]
            )
        )
    error = float(np.std(drawn))
    assert (mean * (1 - mean) / worth) ** 0.5 == pytest.approx(error, rel=0.1)
    low, high = wilson(mean, worth)
    far = NormalDist().inv_cdf(0.975) * error
    assert (low, high) == pytest.approx((mean - far, mean + far), abs=0.01)


def test_what_a_rare_label_was_spared_counts() -> None:
    """Nine labels of one case each: that all are right does not make their mean sure."""
    names = [f"l{at}" for at in range(9)]
    mean, worth, _ = Labelled.of(names, names).macro(names)
    assert (mean, worth) == pytest.approx((1, 9))
    # with one of them never right, no case moves the mean, yet it is worth no more
    mean, worth, _ = Labelled.of([*names[:8], "x"], names).macro(names)
    assert mean == pytest.approx(8 / 9)
    assert worth == pytest.approx(81 / (8 + 2))
