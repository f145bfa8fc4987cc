"""What the shared words promise."""

from __future__ import annotations

import dataclasses
import inspect
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ragproof.core
from ragproof.core import (
    Absent,
    Better,
    CaseKind,
    CaseRun,
    Cause,
    DocumentCase,
    DoesNotArise,
    Failed,
    GroupRun,
    Level,
    MissingInput,
    NotApplicable,
    Observation,
    Prompt,
    PureMetric,
    QuestionCase,
    RagproofError,
    RunError,
    Scored,
    SetRun,
    Skipped,
    Spec,
    Status,
    StoreError,
    Trial,
    Unit,
    UnknownMetric,
    UsageError,
    WindowRun,
    errors,
)
from ragproof.core.case import Document
from ragproof.core.needs import ANSWER, EXPECTED_ANSWER, SECONDS

CASE = QuestionCase(id="q", question="?")
DATACLASSES = [
    one
    for _, one in inspect.getmembers(ragproof.core, inspect.isclass)
    if dataclasses.is_dataclass(one)
]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_score_is_finite(value: float) -> None:
    with pytest.raises(ValueError, match="a score must be finite, got"):
        Scored(value)
    with pytest.raises(ValueError, match="a weight must be finite and at least 0, got"):
        Scored(1.0, weight=value)


def test_a_weight_is_not_negative() -> None:
    with pytest.raises(ValueError, match="at least 0, got -1"):
        Scored(1.0, weight=-1)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Scored(0.0), Status.SCORED),
        (Skipped("x"), Status.SKIPPED),
        (NotApplicable("x"), Status.NOT_APPLICABLE),
        (Failed(Cause.JUDGE, "x"), Status.JUDGE_ERROR),
        (Failed(Cause.ADAPTER, "x"), Status.ERROR),
        (Failed(Cause.TIMEOUT, "x"), Status.ERROR),
        (Failed(Cause.METRIC, "x"), Status.ERROR),
    ],
)
def test_every_outcome_has_a_status(outcome: Any, status: Status) -> None:
    assert Status.of(outcome) is status


def test_status_names_are_those_that_are_stored() -> None:
    names = [status.name.lower() for status in Status]
    assert names == ["scored", "skipped", "not_applicable", "judge_error", "error"]


@pytest.mark.parametrize("one", DATACLASSES, ids=lambda one: one.__name__)
def test_what_goes_between_rooms_is_frozen(one: Any) -> None:
    assert one.__dataclass_params__.frozen


def test_the_tree_of_errors_is_the_one_drawn() -> None:
    drawn = set((errors.__doc__ or "").split())
    raised = {
        name
        for name, one in vars(errors).items()
        if inspect.isclass(one) and issubclass(one, Exception)
    }
    assert raised <= drawn
    assert issubclass(UnknownMetric, UsageError)
    assert issubclass(StoreError, RunError)
    assert issubclass(MissingInput, Absent)
    assert issubclass(DoesNotArise, Absent)
    assert not issubclass(Absent, RagproofError), "that there is nothing to score is no failure"


def test_a_trial_is_told_apart_by_case_and_repeat() -> None:
    assert (Trial(CASE).key, Trial(CASE).name) == (("q", 0), "q")
    assert (Trial(CASE, 2).key, Trial(CASE, 2).name) == (("q", 2), "q #2")


def test_a_document_case_is_of_kind_document() -> None:
    assert DocumentCase(id="d", document=Document(text="x")).kind is CaseKind.DOCUMENT
    assert CASE.kind is CaseKind.QA


def test_the_level_follows_from_the_type_a_metric_is_written_for() -> None:
    @dataclass(frozen=True)
    class OfSets(PureMetric[SetRun]):
        spec = Spec(unit=Unit.COUNT, better=Better.NEITHER, needs=())

        def score(self, _whole: SetRun, /) -> Scored:
            return Scored(0.0)

    assert (OfSets.subject, OfSets.level) == (SetRun, Level.SET)
    levels = [Level.of(one) for one in (CaseRun, GroupRun, SetRun, WindowRun)]
    assert levels == [Level.CASE, Level.GROUP, Level.SET, Level.WINDOW]


def test_a_set_gives_columns_or_says_why_not() -> None:
    assert SetRun({SECONDS: (1.0, 2.0)})[SECONDS] == (1.0, 2.0)
    with pytest.raises(MissingInput, match="adapter was not timed"):
        SetRun({SECONDS: ()}, SECONDS.reason)[SECONDS]
    with pytest.raises(DoesNotArise, match="no case has all inputs at once"):
        SetRun({SECONDS: ()})[SECONDS]


def test_a_spec_reads_what_it_needs_and_what_it_uses() -> None:
    spec = Spec(unit=Unit.COUNT, better=Better.NEITHER, needs=(ANSWER,), uses=(SECONDS,))
    assert [spec.reads(need) for need in (ANSWER, SECONDS, EXPECTED_ANSWER)] == [True, True, False]


@pytest.mark.parametrize("unit", Unit)
def test_every_unit_has_a_range(unit: Unit) -> None:
    low, high = unit.range
    assert low <= 0 < high


@given(text=st.text())
def test_what_a_variable_holds_is_never_filled_in_again(text: str) -> None:
    prompt = Prompt(system='Reply with {"ok": true}', user="{answer}|{context}")
    system, user = prompt.filled({"answer": text, "context": "{answer}"})
    assert system == 'Reply with {"ok": true}'
    assert user == f"{text}|{{answer}}"


def test_a_prompt_is_identified_by_its_wording() -> None:
    assert Prompt("a", "b").sha256 == Prompt("a", "b").sha256
    assert Prompt("a", "b").sha256 != Prompt("ab", "").sha256


def test_a_failed_observation_says_whose_failure_it_was() -> None:
    seen = Observation.failed("q", Cause.TIMEOUT, "no result in 1 s")
    assert (seen.case_id, seen.failure) == ("q", Failed(Cause.TIMEOUT, "no result in 1 s"))


@pytest.mark.parametrize(
    "given", [np.float32(0.5), np.float64(0.5), Decimal("0.5"), Fraction(1, 2)]
)
def test_a_score_is_a_plain_number_whatever_kind_of_number_was_given(given: Any) -> None:
    scored = Scored(given, weight=given)
    assert (type(scored.value), type(scored.weight)) == (float, float)
    assert (scored.value, scored.weight) == (0.5, 0.5)
    one: Any = np.int64(1)
    whole = Scored(one, weight=True)
    assert (type(whole.value), type(whole.weight), whole) == (float, float, Scored(1.0))


def test_a_text_is_no_score() -> None:
    with pytest.raises(TypeError):
        Scored("0.5")  # type: ignore[arg-type]
