"""What a record says of the judge: that it answered nothing, or nothing of some metrics."""

from __future__ import annotations

from datetime import date

import pytest
from hand_made import cases, column, declared, record

from ragproof.analysis.gate import Verdict, weigh
from ragproof.analysis.judged import mute_judge, unjudged
from ragproof.analysis.requirements import Limit, Policy, Requirement
from ragproof.core.outcome import Cause, Failed, NotApplicable, Outcome
from ragproof.core.record import RunRecord

RELEVANCE, COMPLETENESS, CORRECTNESS = (
    f"generation.{one}" for one in ("answer_relevance", "completeness", "correctness")
)
REFUSED = Failed(Cause.JUDGE, "refused")


def judged(**outcomes: list[float | Outcome]) -> RunRecord:
    columns = {
        f"generation.{name}": column(declared(f"generation.{name}"), found)
        for name, found in outcomes.items()
    }
    return record(cases(2), columns, judge="m", prompt_hashes=dict.fromkeys(columns, ("p",)))


def test_a_judge_without_any_usable_reply_is_mute_and_says_why() -> None:
    assert mute_judge(judged(completeness=[REFUSED, REFUSED])) == "refused"
    assert mute_judge(judged(completeness=[REFUSED, 1.0])) is None
    assert mute_judge(judged(completeness=[REFUSED] * 2, correctness=[1.0, 1.0])) is None


def test_metrics_of_which_nothing_was_scored_are_named_those_of_one_cause_together() -> None:
    found = judged(
        answer_relevance=[1.0, REFUSED],
        completeness=[REFUSED, REFUSED],
        correctness=[REFUSED, REFUSED],
        groundedness=[Failed(Cause.JUDGE, "too long"), NotApplicable("no claims")],
        citation_support=[NotApplicable("no claims")] * 2,
        g_eval=[Failed(Cause.METRIC, "a fault of its own")] * 2,
    )
    assert unjudged(found) == [
        f"{COMPLETENESS}, {CORRECTNESS}: nothing was scored; the judge failed 2 times: refused",
        "generation.groundedness: nothing was scored; the judge failed 1 time: too long",
    ]
    assert unjudged(judged(answer_relevance=[1.0, REFUSED])) == []


@pytest.mark.parametrize("limit", [Limit.MIN, Limit.MAX, Limit.MAX_DROP])
def test_a_metric_for_which_the_judge_always_failed_never_passes_whatever_the_policy(
    limit: Limit,
) -> None:
    lenient = Policy(
        today=date(2026, 6, 1), min_completion=0.0, on_inconclusive="warn", on_missing="skip"
    )
    rule = Requirement(metric=COMPLETENESS, limit=limit, bound=0.0)
    before = judged(completeness=[1.0, 1.0])
    found = weigh(judged(completeness=[REFUSED, REFUSED]), before, [rule], lenient)
    (check,) = found.checks
    assert (check.verdict, found.passed) == (Verdict.INCONCLUSIVE, False)
    assert check.detail == "nothing was scored: 2 failed: judge: refused"
