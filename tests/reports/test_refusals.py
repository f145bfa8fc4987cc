"""Answerability against refusal, beside every other figure."""

from __future__ import annotations

import asyncio
import io
import json

from hand_made import case, cases, column, declared, record
from rich.console import Console

import ragproof
from ragproof.analysis.findings import Findings, find
from ragproof.analysis.refusals import refusal_table
from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Readings, Tools
from ragproof.core.case import CaseKind
from ragproof.core.outcome import Cause, Failed, NotApplicable, Outcome
from ragproof.engine.score import outcomes
from ragproof.metrics.robustness.refused import Refused
from ragproof.reports.html import run_html
from ragproof.reports.json import summary_json
from ragproof.reports.markdown import run_markdown
from ragproof.reports.terminal import print_run

OTHER = NotApplicable("the case is of another situation")
LOST = Failed(Cause.ADAPTER, "boom")
JUDGE = Failed(Cause.JUDGE, "no verdict")


def refusing() -> Findings:
    """Two could be answered, one of them refused; one retrieval miss answered; three are lost.

    What befell a metric as a whole stands under each of its labels. The last is of no interest to
    the metric, so that nothing is lost with it.
    """
    found: dict[str, list[float | Outcome]] = {
        "answerable": [0, 1, OTHER, OTHER, LOST, JUDGE, LOST, LOST],
        "retrieval_miss": [OTHER, OTHER, 0, OTHER, LOST, JUDGE, LOST, LOST],
        "out_of_scope": [OTHER, OTHER, OTHER, 1, LOST, JUDGE, LOST, LOST],
    }
    keys = {name: f"robustness.refused[situation={name}]" for name in found}
    made = {
        keys[name]: column(declared(keys[name]), told, spared=[7]) for name, told in found.items()
    }
    beyond = {3: CaseKind.UNANSWERABLE, 6: CaseKind.UNANSWERABLE}
    rows = [case(f"c{at}", kind=beyond.get(at, CaseKind.QA)) for at in range(8)]
    return find(record(rows, made))


def test_wrong_refusals_and_wrong_answers_are_counted_apart() -> None:
    rows = refusal_table(refusing().record)
    assert [(row.situation, row.answered, row.refused, row.wrong) for row in rows] == [
        ("answerable", 1, 1, 1),
        ("retrieval_miss", 1, 0, 1),
        ("out_of_scope", 0, 1, 0),
        ("unknown", 0, 0, 0),
    ]


def test_a_failed_case_is_counted_once_where_it_is_known_to_belong() -> None:
    errors = {row.situation: row.errors for row in refusal_table(refusing().record)}
    assert errors == {"answerable": 0, "retrieval_miss": 0, "out_of_scope": 1, "unknown": 2}


def test_a_failure_that_is_entered_under_one_figure_is_of_that_situation() -> None:
    found: dict[str, list[float | Outcome]] = {
        "answerable": [0, LOST, OTHER, OTHER],
        "retrieval_miss": [OTHER, OTHER, LOST, OTHER],
        "out_of_scope": [OTHER, OTHER, OTHER, JUDGE],
    }
    keys = {name: f"robustness.refused[situation={name}]" for name in found}
    made = {keys[name]: column(declared(keys[name]), told) for name, told in found.items()}
    rows = refusal_table(record(cases(4), made))
    assert [(row.situation, row.errors) for row in rows] == [
        ("answerable", 1),
        ("retrieval_miss", 1),
        ("out_of_scope", 1),
    ]


def test_a_failed_case_of_kind_unanswerable_is_out_of_scope_whatever_it_is_entered_under() -> None:
    key = "robustness.refused[situation=answerable]"
    rows = [case("c0"), case("c1", kind=CaseKind.UNANSWERABLE)]
    found = refusal_table(record(rows, {key: column(declared(key), [0, LOST])}))
    assert [(row.situation, row.errors) for row in found] == [
        ("answerable", 0),
        ("out_of_scope", 1),
    ]


def test_a_run_enters_a_failed_case_under_its_own_situation_only() -> None:
    def answer(question: str) -> dict[str, str]:
        if question == "q2":
            raise RuntimeError("boom")
        return {"answer_text": "I don't know."}

    lines: list[dict[str, object]] = [
        {"id": "q1", "question": "q1", "kind": "unanswerable"},
        {"id": "q2", "question": "q2", "answerable_from_context": False},
        {"id": "q3", "question": "q3"},
    ]
    result = ragproof.evaluate(lines, answer, ["robustness.refused"])
    counts = {key: (one["scored"], one["errors"]) for key, one in result.summary.items()}
    assert counts == {
        "robustness.refused[situation=answerable]": (1, 0),
        "robustness.refused[situation=out_of_scope]": (1, 0),
        "robustness.refused[situation=retrieval_miss]": (0, 1),
    }


def test_so_it_does_with_an_answer_that_the_judge_could_not_read() -> None:
    case = QuestionCase(id="q", question="?")
    seen = Observation(case_id="q", answer=Answer(answer_text="Two."))
    unread = CaseRun(case, seen, Readings(refusal=JUDGE))
    [row] = asyncio.run(outcomes(unread, {"robustness.refused": Refused()}, Tools()))
    assert (row.key, row.metric) == (
        "robustness.refused[situation=answerable]",
        "robustness.refused",
    )
    assert row.outcome == JUDGE


def test_where_every_case_failed_there_is_no_table() -> None:
    key = "robustness.refused"
    assert refusal_table(record(cases(1), {key: column(declared(key), [LOST])})) == ()


def test_json_has_the_table_and_none_where_nothing_was_read() -> None:
    told = json.loads(summary_json(refusing()))["refusals"]
    assert told["retrieval_miss"] == {"answered": 1, "refused": 0, "wrong": 1, "errors": 0}
    assert told["unknown"] == {"answered": 0, "refused": 0, "wrong": 0, "errors": 2}
    assert list(told) == ["answerable", "retrieval_miss", "out_of_scope", "unknown"]
    assert json.loads(summary_json(find(record(cases(1), {}))))["refusals"] == {}


def test_the_terminal_says_what_was_wrong() -> None:
    console = Console(file=io.StringIO(), width=80, color_system=None)
    print_run(console, refusing())
    shown = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "could be answered 1 answered, 1 refused: 1 refused, which is wrong" in shown
    assert "retrieval missed  1 answered, 0 refused: 1 answered, which is wrong" in shown
    assert "out of scope      0 answered, 1 refused, 1 failed" in shown
    assert "not known which   2 failed" in shown


def test_markdown_has_the_table_below_the_figures_what_is_wrong_in_bold() -> None:
    shown = run_markdown(refusing())
    assert "| could be answered | 1 | **1** | 0 |\n| retrieval missed | **1** | 0 | 0 |\n" in shown
    assert "| out of scope | 0 | 1 | 1 |\n| not known which | 0 | 0 | 2 |\n" in shown
    assert "Refusals" not in run_markdown(find(record(cases(1), {})))


def test_html_marks_what_is_wrong_and_nothing_that_is_right() -> None:
    shown = run_html(refusing())
    table = shown.partition('id="refusals"')[2].partition("</section>")[0]
    assert table.count('<span class="sub">wrong</span>') == 2
    assert 'out of scope</th>\n<td class="number zero">0</td>\n<td class="number">1</td>' in table
    assert 'id="refusals"' not in run_html(find(record(cases(1), {})))
