"""Findings that code hosts show: SARIF 2.1.0, checked against what its schema requires."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hand_made import case, cases, column, declared, one_metric, record
from shown_beside import AT_ONE, GROUNDED, NASTY, RECALL, beside, judged, judged_gate

from ragproof.analysis.findings import find
from ragproof.core.header import RunState
from ragproof.core.outcome import Cause, Failed
from ragproof.reports.beside import NOTHING, Beside
from ragproof.reports.sarif import MOST, RuleText, Where, run_sarif

WHERE = Where("evals/data set.jsonl", {f"c{at:02d}": at + 1 for at in range(40)})
TEXTS = {RECALL: RuleText("Share of the sources found.", {"Question": "Was it found?"})}


def told(**changed: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"found": judged(), "where": WHERE, "beside": NOTHING, "texts": TEXTS}
    document: dict[str, Any] = json.loads(run_sarif(**(given | changed)))
    check(document)
    return document


def check(document: dict[str, Any]) -> None:
    """The properties and values that the schema of SARIF 2.1.0 requires of what is used here."""
    assert document["version"] == "2.1.0"
    assert document["$schema"].endswith("sarif-2.1.0.json")
    for run in document["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"]
        rules = driver["rules"]
        assert len({rule["id"] for rule in rules}) == len(rules)
        for rule in rules:
            for name in ("shortDescription", "fullDescription", "help"):
                assert rule[name]["text"]
            assert rule["defaultConfiguration"]["level"] in {"none", "note", "warning", "error"}
        for one in run["invocations"]:
            assert isinstance(one["executionSuccessful"], bool)
            for note in one["toolExecutionNotifications"]:
                assert note["message"]["text"]
        assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
        for result in run["results"]:
            check_result(result, rules)


def check_result(result: dict[str, Any], rules: list[dict[str, Any]]) -> None:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] in {"note", "warning", "error"}
    text = result["message"]["text"]
    assert text
    assert "](" not in text
    assert not re.search(r"\{\d+\}", text)
    (place,) = result["locations"]
    uri = place["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[\w.~/%:-]+", uri)
    assert place["physicalLocation"].get("region", {"startLine": 1})["startLine"] >= 1
    assert all(isinstance(one, str) for one in result["partialFingerprints"].values())


def results(document: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document["runs"][0]["results"]
    return found


def test_a_case_below_the_gates_minimum_is_a_warning_at_its_line() -> None:
    found = results(told(beside=Beside(gate=judged_gate())))
    low = [one for one in found if one["ruleId"] == RECALL]
    assert {one["level"] for one in low} == {"warning"}
    assert len(low) == 16
    by_case = {one["properties"]["case_id"]: one for one in low}
    place = by_case["c12"]["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 13}
    assert place["artifactLocation"] == {
        "uri": "evals/data%20set.jsonl",
        "uriBaseId": "%SRCROOT%",
    }
    assert by_case["c12"]["message"]["text"] == (
        f"{RECALL} is 0 for case c12, below the 0.9 that the gate asks of the mean"
    )


def test_a_case_that_failed_and_one_without_a_reply_are_errors() -> None:
    errors = {
        (one["ruleId"], one["properties"]["case_id"]): one["message"]["text"]
        for one in results(told())
        if one["level"] == "error"
    }
    assert errors == {
        ("pipeline.failure", "c39"): "The pipeline failed on case c39: adapter: ConnectionError: "
        "refused",
        (GROUNDED, "c00"): "No score for case c00: judge: the judge answered HTTP 529",
    }


def test_without_a_gate_the_worst_cases_are_warnings() -> None:
    low = [one for one in results(told()) if one["level"] == "warning"]
    assert low
    assert {one["ruleId"] for one in low} <= {RECALL, AT_ONE, GROUNDED}
    assert "one of the lowest of the run" in low[0]["message"]["text"]


def test_a_maximum_and_a_slice_are_held_to_the_cases_they_are_about() -> None:
    gate = judged_gate()
    asked = replace(gate.checks[0].asked, slice={"topic": ("pump",)})
    checks = (replace(gate.checks[0], asked=asked),)
    found = results(told(beside=Beside(gate=replace(gate, checks=checks))))
    names = {one["properties"]["case_id"] for one in found if one["ruleId"] == RECALL}
    assert names == {f"c{at:02d}" for at in (1, 3, 11, 13, 21, 23, 31, 33)}


def test_a_case_beyond_an_exploratory_rule_is_a_note_that_tells_the_two_apart() -> None:
    found = results(told(beside=Beside(gate=judged_gate())))
    notes = [one for one in found if one["ruleId"] == AT_ONE]
    assert {one["level"] for one in notes} == {"note"}
    assert found.index(notes[0]) > max(
        at for at, one in enumerate(found) if one["level"] == "warning"
    )
    close = one_metric([0.89996])
    asked = replace(judged_gate().checks[0].asked, metric=RECALL)
    gate = replace(judged_gate(), checks=(replace(judged_gate().checks[0], asked=asked),))
    (one,) = results(told(found=find(close), beside=Beside(gate=gate)))
    assert "is 0.89996 for case c0000, below the 0.9 " in one["message"]["text"]


def test_rules_are_metrics_with_the_text_of_their_page() -> None:
    document = told()
    rules = {rule["id"]: rule for rule in document["runs"][0]["tool"]["driver"]["rules"]}
    assert rules[RECALL]["shortDescription"]["text"] == "Share of the sources found."
    assert rules[RECALL]["help"]["text"] == "Question: Was it found?"
    assert rules[RECALL]["properties"] == {"tags": ["query"], "better": "higher"}
    assert rules[GROUNDED]["help"]["text"] == f"Metric {GROUNDED}, version 1."


def test_fingerprints_are_the_same_in_another_run_with_other_scores() -> None:
    def prints(found: list[dict[str, Any]]) -> dict[tuple[str, str], str]:
        return {
            (one["ruleId"], one["properties"]["case_id"]): one["partialFingerprints"][
                "ragproofCase/v1"
            ]
            for one in found
        }

    before = prints(results(told(beside=Beside(gate=judged_gate()))))
    later = judged(id="20270101-000000-0000", lost=6)
    after = prints(results(told(found=later, beside=Beside(gate=judged_gate()))))
    shared = before.keys() & after.keys()
    assert len(shared) > 10
    assert {before[one] for one in shared} == {after[one] for one in shared}
    assert len({*before.values()}) == len(before)


def test_hostile_text_is_no_link_and_no_placeholder() -> None:
    nasty = f"[press](http://evil.invalid) {{0}} {NASTY}"
    rows = [case(nasty, failure=Failed(Cause.ADAPTER, nasty)), case("c2")]
    key = f"system.stage_seconds[stage={nasty}]"
    found = find(record(rows, {key: column(declared(key), [0.0, 0.0])}), warnings=[nasty])
    text = run_sarif(found, Where("d.jsonl", {}))
    check(json.loads(text))
    assert text.isascii()
    assert not {"\x1b", "\u202e", "\ud800"} & set(json.loads(text)["runs"][0]["results"][0].keys())


def test_a_long_run_keeps_the_errors_and_says_what_it_leaves_out() -> None:
    lost = Failed(Cause.ADAPTER, "x" * 10_000)
    rows = [case(f"c{at:05d}", failure=lost) for at in range(MOST + 5)]
    document = told(
        found=find(record(rows, {RECALL: column(declared(RECALL), [lost] * len(rows))}))
    )
    assert len(results(document)) == MOST
    notes = document["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert "5 findings left out" in notes[-1]["message"]["text"]


@pytest.mark.parametrize("state", [RunState.PARTIAL, RunState.OVER_BUDGET, RunState.FAILED])
def test_a_run_that_did_not_come_to_its_end_was_no_success(state: RunState) -> None:
    found = find(record(cases(1), {RECALL: column(declared(RECALL), [1.0])}, state=state))
    document = told(found=found)
    assert document["runs"][0]["invocations"][0]["executionSuccessful"] is False
    assert results(document) == []


def test_a_dataset_elsewhere_has_an_absolute_address_and_unknown_cases_no_line(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a b.jsonl"
    where = Where(str(path), {}, is_relative=False)
    (one, *_) = results(told(found=find(one_metric([0.0, 1.0])), where=where))
    place = one["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": path.as_uri()}}


def test_a_stand_in_is_named() -> None:
    document = told(found=judged(judge="recorded: scripted"), beside=beside())
    notes = document["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert any("scripted replies" in one["message"]["text"] for one in notes)
