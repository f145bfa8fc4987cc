"""The worked example of a filter, from its documents and predicates on, and what holds always."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from fixture import by_label
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import IDS

from ragproof.core import (
    Answer,
    CaseRun,
    Chunk,
    NotApplicable,
    Observation,
    Outcome,
    QuestionCase,
    Scored,
    Trace,
)
from ragproof.metrics import catalog
from ragproof.metrics.eligibility import false_exclusion_rate

DOCUMENTS = {
    "d1": ("acme", "en-US"),
    "d2": ("acme", "en-GB"),
    "d3": ("globex", "en-US"),
    "d4": ("acme", "en-US"),
    "d5": ("acme", "de-DE"),
    "d6": ("acme", "fr-FR"),
}
ELIGIBLE = {name for name, (tenant, _) in DOCUMENTS.items() if tenant == "acme"}
Keeps = Callable[[str], bool]


def locale(wanted: str) -> Keeps:
    return lambda name: DOCUMENTS[name][1] == wanted


def acme(name: str) -> bool:
    return DOCUMENTS[name][0] == "acme"


QUESTIONS: Mapping[str, tuple[str, Keeps]] = {
    "q1": ("d2", locale("en-US")),
    "q2": ("d4", acme),
    "q3": ("d6", locale("en-US")),
    "q4": ("d5", locale("de-DE")),
}
Q5 = {"q5": ("d3", acme)}
"""Only another tenant's document would answer it."""


def runs(questions: Mapping[str, tuple[str, Keeps]]) -> list[CaseRun]:
    made = []
    for name, (gold, keeps) in questions.items():
        survivors = tuple(one for one in DOCUMENTS if one in ELIGIBLE and keeps(one))
        case = QuestionCase(
            id=name,
            question="?",
            expected_source_ids=(gold,),
            eligible_source_ids=tuple(sorted(ELIGIBLE)),
        )
        answer = Answer(answer_text="?", trace=Trace(survivors=survivors))
        found = tuple(Chunk(id=one) for one in survivors)
        made.append(CaseRun(case, Observation(case_id=name, answer=answer, retrieved=found)))
    return made


def scored(metric_id: str, of: list[CaseRun], **params: Any) -> list[float]:
    return [one.value for one in outcomes(metric_id, of, **params) if isinstance(one, Scored)]


def outcomes(metric_id: str, of: list[CaseRun], **params: Any) -> list[Outcome]:
    metric = catalog.build(metric_id, **params)
    return [one for run in of for one in by_label(metric, run).values()]


def recall_over_rebuilt_gold(of: list[CaseRun]) -> tuple[float, int]:
    """INVALID: what did not survive is struck from what was to be found, and is never missed."""
    recalls = []
    for run in of:
        assert isinstance(run.case, QuestionCase)
        assert run.observation.answer is not None
        assert run.observation.answer.trace is not None
        kept = {*(run.observation.answer.trace.survivors or ())}
        found = {chunk.id for chunk in run.observation.retrieved or ()}
        rebuilt = {*(run.case.expected_source_ids or ())} & kept
        if rebuilt:
            recalls.append(len(rebuilt & found) / len(rebuilt))
    return fmean(recalls), len(recalls)


def test_half_the_questions_lose_their_document_and_recall_falls_by_as_much() -> None:
    of = runs(QUESTIONS)
    rates = scored("filter.false_exclusion_rate", of)
    assert (fmean(rates), len(rates)) == (0.5, 4)
    recalls = scored("filter.eligible_recall_at_k", of, k=10)
    assert (fmean(recalls), len(recalls)) == (0.5, 4)
    assert fmean(scored("filter.document_exclusion_rate", of)) == 0.5


def test_gold_rebuilt_after_filtering_hides_every_loss() -> None:
    assert recall_over_rebuilt_gold(runs(QUESTIONS)) == (1.0, 2)


def test_a_question_that_only_a_forbidden_document_answers_changes_nothing_here() -> None:
    of = runs({**QUESTIONS, **Q5})
    rates = scored("filter.false_exclusion_rate", of)
    assert (fmean(rates), len(rates)) == (0.5, 4)
    assert scored("filter.entitlement_violations", of) == [0.0] * 5


def test_with_such_questions_alone_there_is_no_rate() -> None:
    [found] = outcomes("filter.false_exclusion_rate", runs(Q5))
    assert isinstance(found, NotApplicable)
    assert found.reason == "no expected source is eligible"
    with pytest.raises(ValueError, match="no query has gold that its caller may see"):
        false_exclusion_rate([({"d3"}, ELIGIBLE, ELIGIBLE)])


def test_the_pure_function_gives_rate_and_denominator() -> None:
    queries = [
        ({gold}, ELIGIBLE, {one for one in ELIGIBLE if keeps(one)})
        for gold, keeps in {**QUESTIONS, **Q5}.values()
    ]
    assert false_exclusion_rate(queries) == (0.5, 4)


some = st.frozensets(st.sampled_from(IDS))


@settings(max_examples=50)
@given(gold=some, eligible=some, kept=some, forbidden=some)
def test_forbidden_documents_never_change_what_the_filter_is_blamed_for(
    gold: frozenset[str], eligible: frozenset[str], kept: frozenset[str], forbidden: frozenset[str]
) -> None:
    forbidden -= eligible

    def blamed(expected: frozenset[str], survivors: frozenset[str]) -> list[Outcome]:
        case = QuestionCase(
            id="q",
            question="?",
            expected_source_ids=tuple(sorted(expected)),
            eligible_source_ids=tuple(sorted(eligible)),
        )
        answer = Answer(answer_text="?", trace=Trace(survivors=tuple(sorted(survivors))))
        run = CaseRun(case, Observation(case_id="q", answer=answer))
        names = ("filter.false_exclusion_rate", "filter.document_exclusion_rate")
        found = [one for name in names for one in outcomes(name, [run])]
        return [one if isinstance(one, Scored) else NotApplicable("") for one in found]

    assert blamed(gold, kept) == blamed(gold | forbidden, kept - forbidden)
    assert blamed(gold, kept) == blamed(gold, kept | forbidden)


@settings(max_examples=50)
@given(eligible=some, seen=st.lists(st.sampled_from(IDS)))
def test_violations_are_what_came_up_less_what_may_be_seen(
    eligible: frozenset[str], seen: list[str]
) -> None:
    case = QuestionCase(id="q", question="?", eligible_source_ids=tuple(sorted(eligible)))
    found = tuple(Chunk(id=one) for one in seen)
    for observation in (
        Observation(case_id="q", retrieved=found),
        Observation(case_id="q", answer=Answer(answer_text="?", trace=Trace(candidates=found))),
        Observation(
            case_id="q", answer=Answer(answer_text="?", trace=Trace(survivors=tuple(seen)))
        ),
    ):
        [value] = scored("filter.entitlement_violations", [CaseRun(case, observation)])
        assert value == len({*seen} - eligible)


def test_the_evaluators_on_the_page_print_what_the_page_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = (Path(__file__).parents[2] / "docs/filters.md").read_text(encoding="utf-8")
    code = page.partition("<!-- file: evaluators.py -->\n```python\n")[2].partition("```")[0]
    shown = page.partition("```text\n")[2].partition("```")[0]
    exec(code, {})
    assert capsys.readouterr().out == shown == "recall 0.5 4\nINVALID 1.0 2\n"


def test_the_threshold_on_the_page_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs/search.md").read_text(encoding="utf-8")
    code = page.partition("<!-- file: cutting.py -->\n```python\n")[2].partition("```")[0]
    exec(code, {})
    assert "chosen 0.485, on others right in " in capsys.readouterr().out
