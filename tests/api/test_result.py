"""What may be asked of a result: figures, cases, frames, reports, comparison and gate."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import ragproof
from ragproof.cli.main import exit_code, root

MATCH = "generation.exact_match"
MRR = "retrieval.mrr"
CASES = [
    {
        "id": f"q{number:02}",
        "question": f"question {number}",
        "expected_source_ids": ["a"],
        "expected_answer": "yes",
        "tags": {"intent": "refund" if number % 2 else "order"},
    }
    for number in range(20)
]


def pipeline(wrong: int, second: int = 0) -> object:
    """Answers the first so many wrong, and finds the source of the first so many second."""

    class Pipeline:
        def retrieve(self, question: str, k: int) -> list[dict[str, Any]]:
            found = [{"id": "a", "text": "<b>a</b>"}, {"id": "b"}]
            return found[:: -1 if int(question.split()[-1]) < second else 1][:k]

        def answer(self, question: str) -> dict[str, Any]:
            return {"answer_text": "no" if int(question.split()[-1]) < wrong else "yes"}

    return Pipeline()


@cache
def result(wrong: int, second: int = 0, cases: int = 20) -> ragproof.Result:
    return ragproof.evaluate(CASES[:cases], pipeline(wrong, second), [MATCH, MRR])


def test_the_figures_are_those_of_the_command(tmp_path: Path) -> None:
    kept = ragproof.evaluate(
        CASES, pipeline(4), [MATCH, MRR], store=tmp_path / "runs.db", project="shop"
    )
    told = tmp_path / "told.json"

    def report() -> object:
        return root.main(
            ["report", "--store", str(tmp_path / "runs.db"), "--json"], standalone_mode=False
        )

    from contextlib import redirect_stdout  # noqa: PLC0415

    with told.open("w") as file, redirect_stdout(file):
        assert exit_code(report) == 0
    assert json.loads(told.read_text()) == kept.document
    assert kept.summary[MATCH]["mean"] == 0.8
    assert kept.summary[MATCH]["scored"] == 20


def test_a_case_has_what_was_asked_what_was_done_and_what_was_made_of_it() -> None:
    first = result(4).cases[0]
    assert first.id == "q00"
    assert first.observation.answer is not None
    assert first.observation.answer.answer_text == "no"
    assert first.scores == {MATCH: 0.0, MRR: 1.0}
    assert first.failure is None


def test_rows_and_frames_hold_every_case_and_metric() -> None:
    rows = result(4).to_rows()
    assert len(rows) == 40
    assert sum(row["value"] for row in rows if row["metric"] == MATCH) == 16
    for name in ("pandas", "polars"):
        if find_spec(name) is None:
            with pytest.raises(ragproof.UsageError, match=f"needs {name}. Install it: pip"):
                getattr(result(4), f"to_{name}")()
        else:
            frame = getattr(result(4), f"to_{name}")()
            assert len(frame) == 40
            assert {"case_id", "metric", "status", "value"} <= {*frame.columns}


def test_reports_are_written(tmp_path: Path) -> None:
    page = result(4).report_html(tmp_path / "report.html")
    text = page.read_text(encoding="utf-8")
    assert "question 3" in text
    assert "<b>a</b>" not in text
    assert MATCH in result(4).report_markdown()
    assert "20 of 20 cases observed" in repr(result(4))


def test_two_results_are_compared_whatever_store_they_lie_in() -> None:
    found = ragproof.compare(result(2), result(6))
    one = found.metrics[MATCH]
    assert (one["baseline_mean"], one["candidate_mean"]) == (0.9, 0.7)
    assert one["delta"] == pytest.approx(-0.2)
    assert (one["wins"], one["losses"]) == (0, 4)
    assert found.to_dict() == result(6).compare(result(2)).to_dict()
    assert "q02" in found.to_markdown()
    assert "inconclusive 1" in repr(found)


def test_what_was_not_measured_alike_is_not_compared() -> None:
    with pytest.raises(ragproof.UsageError, match="the dataset was cases"):
        ragproof.compare(result(2), result(2, cases=10))
    assert ragproof.compare(result(2), result(2, cases=10), common_cases=True).metrics
    with pytest.raises(ragproof.UsageError, match="is compared with itself"):
        ragproof.compare(result(2), result(2))


def test_a_gate_takes_thresholds_a_section_or_a_config(tmp_path: Path) -> None:
    rules = {MATCH: [{"min": 0.8}, {"min": 0.9, "role": "exploratory"}]}
    config = tmp_path / "rules.yaml"
    config.write_text(json.dumps({"project": "other", "gate": {"thresholds": rules}}))
    section = {"thresholds": rules, "on_missing": "skip"}
    for asked in (rules, section, config, str(config)):
        found = ragproof.gate(result(4), asked)
        assert found.passed
        assert bool(found)
        assert [check.verdict for check in found.checks] == ["pass", "warn"]
    assert not ragproof.gate(result(5), rules)


def test_a_gate_writes_what_the_command_writes(tmp_path: Path) -> None:
    found = ragproof.gate(result(4), {MATCH: {"min": 0.9}})
    assert found.to_dict()["results"][0]["status"] == "fail"
    assert ":x: fail" in found.to_markdown()
    found.write_junit(tmp_path / "gate.xml")
    assert '<failure message="mean 0.8 is below 0.9"' in (tmp_path / "gate.xml").read_text()


def test_an_assertion_says_metric_figure_interval_bound_and_the_worst_cases() -> None:
    assert ragproof.assert_gate(result(4), {MATCH: {"min": 0.8}}).passed
    with pytest.raises(AssertionError) as caught:
        ragproof.assert_gate(result(4), {MATCH: {"min": 0.9}, MRR: {"min": 0.5}})
    told = str(caught.value).splitlines()
    assert told[0].startswith("Gate did not pass: ")
    assert told[0].endswith(f"; run {result(4).run_id}")
    assert told[-7:-2] == [
        f"FAIL {MATCH}: mean min 0.9",
        "    mean 0.8 is below 0.9",
        "    found 0.80, 95 % interval [0.58, 0.92]",
        "    worst cases: q00 0.00, q01 0.00, q02 0.00, q03 0.00",
        f"PASS {MRR}: mean min 0.5",
    ]
    assert told[-1] == "    found 1.00, 95 % interval [0.84, 1.00]"


def test_a_drop_names_the_cases_that_fell() -> None:
    with pytest.raises(AssertionError) as caught:
        ragproof.assert_gate(result(0, 14), {MRR: {"max_drop": 0.1}}, baseline=result(0))
    told = str(caught.value)
    assert f"against {result(0).run_id}" in told
    assert f"FAIL {MRR}: mean max_drop 0.1" in told
    assert "worst cases: q00 1.00 -> 0.50, q01 1.00 -> 0.50" in told
    assert ragproof.assert_gate(result(0), {MRR: {"max_drop": 0.1}}, baseline=result(0, 14))


def test_a_slice_names_only_its_own_cases() -> None:
    rule = {MATCH: {"min": 0.99, "slice": {"intent": "refund"}}}
    with pytest.raises(AssertionError, match=r"worst cases: q01 0\.00, q03 0\.00$"):
        ragproof.assert_gate(result(4), rule)


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: ragproof.gate(result(4)), "there are no thresholds"),
    (lambda: ragproof.gate(result(4), {}), "nothing can fail this gate"),
    (lambda: ragproof.gate(result(4), {MATCH: {"min": 85}}), "can never be met"),
    (lambda: ragproof.gate(result(4), {MATCH: {"mni": 0.8}}), "mni"),
    (lambda: ragproof.gate(result(4), {MATCH: {"max_drop": 0.1}}), "there is no baseline"),
    (
        lambda: ragproof.gate(result(4), {MATCH: {"max_drop": 0.1}}, result(4)),
        "is the run itself",
    ),
    (
        lambda: ragproof.gate(result(4), {MATCH: {"max_drop": 0.1}}, result(4, cases=10)),
        "does not fit: the dataset was",
    ),
    (
        lambda: ragproof.gate(result(4), {MATCH: {"max_drop": 0.1}}, "latest"),
        "no earlier completed run",
    ),
]


@pytest.mark.parametrize(("call", "told"), WRONG, ids=[told for _, told in WRONG])
def test_a_gate_that_cannot_be_asked_is_a_usage_error(
    call: Callable[[], object], told: str
) -> None:
    with pytest.raises(ragproof.UsageError, match=told):
        call()


def test_everything_offered_is_there_and_nothing_else() -> None:
    offered = {name for name in dir(ragproof) if not name.startswith("_")}
    assert offered >= {"evaluate", "evaluate_async", "Result", "gate", "UsageError", "open_run"}
    for name in offered:
        assert getattr(ragproof, name) is not None
    with pytest.raises(AttributeError, match="'evalute'"):
        ragproof.evalute  # type: ignore[attr-defined]  # noqa: B018


def test_metrics_are_listed_with_their_direction_and_parameters() -> None:
    found = ragproof.list_metrics("retrieval.*", k=7)
    assert found["retrieval.recall_at_k"].params["k"] == 7
    assert found["retrieval.recall_at_k"].better == "higher"
