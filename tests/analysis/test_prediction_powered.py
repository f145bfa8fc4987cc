"""A judged mean and what human labels make of it, by hand and against the formula in numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hand_made import FRACTION, case, column, declared, one_metric, record
from hypothesis import given, settings
from hypothesis import strategies as st
from test_gate import TODAY

from ragproof.analysis.gate import Check, Verdict, weigh
from ragproof.analysis.intervals import T_QUANTILES, Z, wilson
from ragproof.analysis.prediction_powered import (
    HumanScore,
    PredictionPowered,
    prediction_powered,
)
from ragproof.analysis.requirements import Limit, Policy, Requirement
from ragproof.core.outcome import Cause, Failed, Outcome, Scored
from ragproof.core.record import RunRecord
from ragproof.core.spec import Pool, Unit

KEY = FRACTION.id
JUDGE = [1.0, 1, 0, 0, 1, 1, 0, 1]
PEOPLE = [1.0, 0, 0, 0]


def labels(scores: list[float], start: int = 0, **more: str) -> list[HumanScore]:
    return [
        HumanScore(case_id=f"c{at:04}", metric=KEY, score=score, **more)
        for at, score in enumerate(scores, start)
    ]


def told(run: RunRecord, given: list[HumanScore]) -> PredictionPowered:
    found = prediction_powered(run, KEY, given)
    assert isinstance(found, PredictionPowered), found
    return found


def test_a_corrected_mean_by_hand() -> None:
    found = told(one_metric(JUDGE), labels(PEOPLE))
    assert (found.judged, found.human) == (0.625, 0.25)
    assert (found.cases, found.labelled, found.units, found.unused) == (8, 4, 4, 0)
    # mean(f, all) - mean(f - y, labelled) = 5/8 - 1/4
    assert found.plain.value == pytest.approx(0.375)
    # y - f/2 = 0.5, -0.5, 0, 0: variance 1/6 over 4; f of the others: 1/4 over 4, times (1/2)^2
    assert found.plain.error == pytest.approx(math.sqrt(1 / 24 + 1 / 64))
    # the best weight: (1/24) / (7/48) = 2/7 of a difference that here counts half
    assert found.weight == pytest.approx(4 / 7)
    assert found.tuned.value == pytest.approx(0.25 + 4 / 7 * 0.125)
    assert found.tuned.error == pytest.approx(math.sqrt(1 / 16 - (1 / 24) ** 2 / (7 / 48)))
    assert found.tuned.ends == (0.0, 1.0)  # 0.32 and 3.18 times 0.22 to either side


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=6, max_size=40),
    st.data(),
)
@settings(max_examples=50)
def test_the_figures_are_those_of_the_formula(
    scores: list[tuple[float, float]], data: st.DataObject
) -> None:
    n = data.draw(st.integers(3, len(scores) - 2))
    judge, people = (np.array(one) for one in zip(*scores, strict=True))
    found = told(one_metric(judge.tolist()), labels(people[:n].tolist()))
    f, y, rest = judge[:n], people[:n], judge[n:]
    assert found.plain.value == pytest.approx(judge.mean() - (f - y).mean(), abs=1e-9)
    share = rest.size / judge.size
    for one, weight in ((found.plain, 1.0), (found.tuned, found.weight)):
        lam = weight * share
        variance = (y - lam * f).var(ddof=1) / n + lam**2 * rest.var(ddof=1) / rest.size
        assert one.error == pytest.approx(math.sqrt(variance), abs=1e-9)
        assert one.value == pytest.approx(y.mean() + weight * (judge.mean() - f.mean()), abs=1e-9)
    assert (found.tuned.error or 0) <= (found.plain.error or 0) + 1e-9


def test_where_all_is_labelled_the_people_have_said_it() -> None:
    found = told(one_metric([1.0, 1, 1, 0]), labels(PEOPLE))
    assert (found.plain.value, found.tuned.value) == (0.25, 0.25)
    assert found.tuned.error == pytest.approx(1 / 4)
    large = told(one_metric([1.0] * 30), labels([0.0, 1] * 15))
    margin = T_QUANTILES[28] * math.sqrt(30 / 29 * 0.25 / 30)
    assert large.tuned.ends == pytest.approx((0.5 - margin, 0.5 + margin))


def test_a_judge_of_no_use_has_no_weight() -> None:
    found = told(one_metric([1.0, 0, 1, 0, 1, 0]), labels([0.0, 1, 0]))
    assert found.weight == 0.0
    assert found.tuned.value == found.human


def test_cases_that_share_a_group_are_one_unit() -> None:
    scores = [0.9, 0.2, 0.4, 0.7, 0.1, 0.8, 0.6]
    people = [0.8, 0.3, 0.1, 0.9]
    alone = told(one_metric(scores), labels(people))
    rows = [case(f"c{at:04}", group=f"g{at // 2}") for at in range(14)]
    twice = one_metric([one for one in scores for _ in range(2)], rows)
    found = told(twice, labels([one for one in people for _ in range(2)]))
    assert (found.labelled, found.units) == (8, 4)
    assert found.tuned.value == pytest.approx(alone.tuned.value)
    assert found.tuned.error == pytest.approx(alone.tuned.error)
    assert found.tuned.ends == pytest.approx(alone.tuned.ends)


def test_repeats_of_a_case_and_several_annotators_are_averaged() -> None:
    rows = [case("c0000"), case("c0000", 1), case("c0001"), case("c0002")]
    run = one_metric([1.0, 0.0, 1.0, 0.0], rows)
    given = [*labels([1.0, 0.0]), HumanScore(case_id="c0000", metric=KEY, score=0.0)]
    found = told(run, given)
    assert (found.judged, found.human, found.cases) == (0.5, 0.25, 3)
    assert found.labelled == 2


def test_that_no_label_differs_does_not_show_that_none_would() -> None:
    judge = [1.0, 0.0] * 60
    found = told(one_metric(judge), labels(judge[:10]))
    bare = Z * (found.plain.error or 0)
    assert found.plain.ends is not None
    assert found.plain.ends[1] - found.plain.value > wilson(0.0, 10)[1] + 0.5 * bare


def test_labels_of_other_answers_do_not_count() -> None:
    run = one_metric(JUDGE)
    theirs = labels(PEOPLE, run="another")
    assert prediction_powered(run, KEY, theirs) == (
        "no human label is of a case that the judge scored"
    )
    found = told(run, [*labels(PEOPLE, run=run.header.id), *labels([1.0], 4, run="another")])
    assert (found.labelled, found.unused) == (4, 1)


def test_labels_of_cases_that_the_judge_failed_on_are_counted_apart() -> None:
    down = Failed(Cause.JUDGE, "down")
    found = told(one_metric([down, *JUDGE]), labels([1.0, *PEOPLE, 0.5, 0.5, 0.5, 0.5, 0.5]))
    assert (found.labelled, found.unused) == (8, 2)


def test_one_label_corrects_without_an_interval() -> None:
    found = told(one_metric(JUDGE), labels([0.0]))
    assert found.plain.value == pytest.approx(0.625 - 1.0)
    assert found.plain.ends is None


def test_labels_that_were_picked_are_noticed() -> None:
    judge = [1.0] * 30 + [0.0] * 25 + [1.0] * 5
    picked = told(one_metric(judge), labels([1.0] * 20))
    assert picked.doubt is not None
    assert "were they drawn at random?" in picked.doubt
    drawn = [HumanScore(case_id=f"c{at:04}", metric=KEY, score=1.0) for at in range(0, 60, 3)]
    assert told(one_metric(judge), drawn).doubt is None


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (record([case("c0000")], {}), "no such metric"),
        (
            one_metric([Scored(0.5, weight=2.0)], of=declared(KEY, pool=Pool.RATIO)),
            "scores each case",
        ),
        (one_metric([Failed(Cause.JUDGE, "down")]), "no human label is of a case"),
    ],
)
def test_what_cannot_be_corrected_says_why(run: RunRecord, why: str) -> None:
    found = prediction_powered(run, KEY, labels([1.0]))
    assert isinstance(found, str)
    assert why in found


def held(
    outcomes: list[float | Outcome],
    limit: Limit,
    bound: float,
    given: list[HumanScore],
    **more: str,
) -> Check:
    asked = Requirement(
        metric=KEY,
        limit=limit,
        bound=bound,
        estimate="prediction_powered",
        **more,  # type: ignore[arg-type]
    )
    policy = Policy(today=TODAY)
    (check,) = weigh(one_metric(outcomes), "none", [asked], policy, labels=given).checks
    return check


def test_a_gate_holds_the_corrected_mean_and_still_shows_the_plain_one() -> None:
    check = held([*JUDGE], Limit.MIN, 0.5, labels(PEOPLE))
    assert check.verdict is Verdict.FAIL
    assert check.detail.startswith("mean 0.321 is below 0.5 ([0, 1] by prediction-powered")
    assert "4 of 8 cases labelled by people; judged 0.625" in check.detail
    assert check.evidence.value(check.asked) == 0.625
    assert held([*JUDGE], Limit.MIN, 0.3, labels(PEOPLE)).verdict is Verdict.PASS


def test_a_gate_that_asks_for_labels_without_any_lacks_evidence() -> None:
    check = held([*JUDGE], Limit.MIN, 0.1, [])
    assert (check.verdict, check.blocks) == (Verdict.FAIL, True)
    assert check.detail == "there are no human labels of this metric"


def test_a_plain_rule_is_never_moved_by_labels() -> None:
    asked = Requirement(metric=KEY, limit=Limit.MIN, bound=0.6)
    run = one_metric(JUDGE)
    with_labels = weigh(run, "none", [asked], Policy(today=TODAY), labels=labels(PEOPLE)).checks[0]
    without = weigh(run, "none", [asked], Policy(today=TODAY)).checks[0]
    assert (with_labels.verdict, with_labels.detail) == (without.verdict, without.detail)
    assert isinstance(with_labels.evidence.corrected, PredictionPowered)
    assert without.evidence.corrected is None


def test_a_slice_is_corrected_by_its_own_labels() -> None:
    rows = [case(f"c{at:04}", tags={"x": "a" if at < 6 else "b"}) for at in range(8)]
    run = record(rows, {KEY: column(FRACTION, JUDGE)})
    asked = Requirement(metric=KEY, limit=Limit.MIN, bound=0.1, slice={"x": ("a",)})
    (check,) = weigh(run, "none", [asked], Policy(today=TODAY), labels=labels(PEOPLE)).checks
    assert isinstance(check.evidence.corrected, PredictionPowered)
    assert check.evidence.corrected.cases == 6


def test_a_metric_without_a_greatest_value_has_an_interval_where_labels_differ() -> None:
    seconds = declared(KEY, unit=Unit.SECONDS)
    found = told(one_metric([1.0, 2, 3, 4, 5, 6], of=seconds), labels([1.5, 1.0, 3.2]))
    assert found.tuned.ends is not None
    alike = told(one_metric([1.0, 2, 3, 4, 5, 6], of=seconds), labels([1.0, 2, 3]))
    assert alike.tuned.ends is None


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    draw = np.random.default_rng(5)
    hits = 0
    for _ in range(400):
        people = (draw.random(150) < 0.7).astype(float)
        judge = np.where(draw.random(150) < 0.8, people, 1.0)
        found = told(one_metric(judge.tolist()), labels(people[:40].tolist()))
        assert found.tuned.ends is not None
        hits += found.tuned.ends[0] <= 0.7 <= found.tuned.ends[1]
    assert 0.92 <= hits / 400 <= 0.985
