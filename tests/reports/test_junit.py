"""A run and its gate as CI servers read them."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hand_made import case, cases, column, declared, one_metric, record
from hypothesis import given, settings
from hypothesis import strategies as st
from shown_beside import GROUNDED, LATENCY, NASTY, RECALL, STAGE, beside, judged, judged_gate

from ragproof.analysis.findings import Findings, find
from ragproof.core.header import RunState
from ragproof.core.outcome import Cause, Failed, Skipped
from ragproof.reports.beside import NOTHING, Beside
from ragproof.reports.junit import gate_junit, run_junit


def suites(found: Findings, beside: Beside = NOTHING) -> dict[str, ET.Element]:
    root = ET.fromstring(run_junit(found, beside))
    listed = {one.get("name", ""): one for one in root}
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        for one in root:
            assert int(one.get(attribute, "")) == len(one.findall(f"testcase/{tag}"))
        assert int(root.get(attribute, "")) == len(root.findall(f"testsuite/testcase/{tag}"))
    assert int(root.get("tests", "")) == len(root.findall("testsuite/testcase"))
    return listed


def test_each_metric_is_a_suite_and_its_rules_are_the_tests() -> None:
    listed = suites(judged(), beside())
    run = "ragproof run manual"
    stages = [STAGE.format(name) for name in ("generate", "retrieve")]
    assert set(listed) == {run, RECALL, "retrieval.precision_at_k[k=1]", GROUNDED, LATENCY, *stages}
    names = [one.get("name") for one in listed[RECALL].iter("testcase")]
    assert names == ["mean min 0.9", "INCONCLUSIVE: mean max_drop 0.3"]
    assert listed[RECALL].find("testcase/failure") is not None
    (figure,) = listed[stages[0]].iter("testcase")
    assert figure.get("name") == "WARN: has a figure, with errors"


def test_a_warning_is_visible_in_name_output_and_property() -> None:
    suite = suites(judged(), Beside(gate=judged_gate("known: [/x]")))[GROUNDED]
    (test,) = suite.iter("testcase")
    assert test.get("name") == "WARN: mean min 0.9"
    assert "waived until 2026-02-01: known: [/x]" in (test.findtext("system-out") or "")
    properties = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert properties["warnings"] == "1"
    assert properties["errors"] == "2"
    assert (properties["scored"], properties["skipped"]) == ("38", "0")


def test_figures_that_are_not_there_are_no_properties() -> None:
    suite = suites(find(one_metric([Skipped("case has no expected_source_ids")])))[RECALL]
    assert not [one for one in suite.iter("property") if one.get("name") == "mean"]
    skipped = suite.find("testcase/skipped")
    assert skipped is not None
    assert skipped.get("message") == "case has no expected_source_ids"


def test_failure_error_and_skipped_are_kept_apart_without_a_gate() -> None:
    lost = Failed(Cause.JUDGE, "the judge answered HTTP 529")
    columns = {
        "generation.a": column(declared("generation.a"), [lost, lost]),
        "generation.b": column(declared("generation.b"), [1.0, lost]),
        "generation.c": column(declared("generation.c"), [Skipped("no answer")] * 2),
        "generation.d": column(declared("generation.d"), [0.0, 0.0]),
    }
    listed = suites(find(record(cases(2), columns)))
    kinds = {
        name: [child.tag for child in suite.find("testcase") or ()]
        for name, suite in listed.items()
    }
    assert kinds == {
        "ragproof run manual": ["system-out"],
        "generation.a": ["error"],
        "generation.b": ["system-out"],
        "generation.c": ["skipped"],
        "generation.d": ["system-out"],  # low, but nobody asked for more
    }


def test_a_run_that_did_not_come_to_its_end_is_an_error() -> None:
    found = find(record(cases(1), {}, state=RunState.OVER_BUDGET, expected=5))
    error = suites(found)["ragproof run manual"].find("testcase/error")
    assert error is not None
    assert error.get("message") == "aborted:budget: 1 of 5 cases ok, 4 not tried"


def test_a_rule_for_a_metric_that_the_run_lacks_has_a_suite() -> None:
    found = find(one_metric([1.0] * 3))
    listed = suites(found, Beside(gate=judged_gate()))
    assert GROUNDED in listed


def test_failed_cases_are_told_and_warn() -> None:
    suite = suites(judged())["ragproof run manual"]
    (test,) = suite.iter("testcase")
    assert test.get("name") == "WARN: every case was tried, some failed"
    assert "1 x adapter: ConnectionError: refused" in (test.findtext("system-out") or "")


@settings(max_examples=30)
@given(st.text())
def test_any_text_is_well_formed(text: str) -> None:
    lost = Failed(Cause.ADAPTER, text)
    key = f"system.stage_seconds[stage={text}]"
    rows = [case(text or "c", failure=lost)]
    found = find(record(rows, {key: column(declared(key), [lost])}, label=text, project=text))
    ET.fromstring(run_junit(found))


def test_what_xml_cannot_hold_is_replaced() -> None:
    nasty = f"{NASTY}\ufffe\x00"
    page = run_junit(judged(nasty, label=nasty), beside(nasty))
    ET.fromstring(page)
    assert not {"\x00", "\ufffe", "\x1b", "\ud800"} & set(page)
    ET.fromstring(gate_junit(judged_gate(nasty)))
