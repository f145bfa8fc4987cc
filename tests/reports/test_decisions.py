"""A comparison and a gate on every kind of page."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Sequence
from datetime import date
from xml.etree import ElementTree as ET

import pytest
from hand_made import FRACTION, cases, column, declared, record
from rich.console import Console

from ragproof.analysis.comparison import Compared, Comparison, UpClose, compare
from ragproof.analysis.detail import CaseDetail
from ragproof.analysis.gate import Gate, Verdict, weigh
from ragproof.analysis.intervals import Bounds
from ragproof.analysis.requirements import Limit, Policy, Requirement, Role, Waiver
from ragproof.core.case import QuestionCase
from ragproof.core.observation import Answer, Observation
from ragproof.core.outcome import Skipped
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Unit
from ragproof.core.subject import CaseRun
from ragproof.reports.decision_json import comparison_json, gate_json
from ragproof.reports.decision_markdown import comparison_markdown, gate_markdown
from ragproof.reports.decision_terminal import print_comparison, print_gate
from ragproof.reports.decision_wording import found_to_be, p_value, reach, signed
from ragproof.reports.junit import gate_junit
from ragproof.reports.markdown import LONGEST

KEY = FRACTION.id
NASTY = "</script>[/x] `|` \x1b[31m \u202e & @all"
LONG = "retrieval.a_metric_with_quite_a_long_name_at_k[k=100,gain=exponential]"
SECONDS = "system.latency_seconds"


def sides(label: str = "plain") -> tuple[RunRecord, RunRecord]:
    seconds = declared(SECONDS, unit=Unit.SECONDS, better=Better.LOWER)
    long, odd = declared(LONG), declared("robustness.overrefusal", better=Better.LOWER)
    made = []
    for side in range(2):
        values = [1.0] * 12 if side == 0 else [0.0] * 9 + [1.0] * 3
        columns = {
            KEY: column(FRACTION, values),
            LONG: column(long, [(at + side) % 3 / 2 for at in range(12)]),
            odd.id: column(odd, [1 - one for one in values]),
            SECONDS: column(seconds, [0.2 + at / 100 + side / 1000 for at in range(12)]),
            "retrieval.mrr": column(declared("retrieval.mrr"), [Skipped("case has no ids")] * 12),
        }
        made.append(record(cases(12), columns, label=label, id=f"run-{side}"))
    return made[0], made[1]


def side_by_side(label: str = "plain", answer: str = "yes") -> Comparison:
    found = compare(*sides(label))

    def detail(name: str, text: str) -> CaseDetail:
        seen = Observation(case_id=name, answer=Answer(answer_text=text))
        return CaseDetail(CaseRun(QuestionCase(id=name, question=f"ask {text}"), seen), {})

    details = {
        one.id: UpClose(detail(one.id, "no"), detail(one.id, answer)) for one in found.changed
    }
    return dataclasses.replace(found, details=details, doubts=("the judge was a, now b",))


def asked(limit: Limit, bound: float, metric: str = KEY, role: Role = Role.PRIMARY) -> Requirement:
    return Requirement(metric=metric, limit=limit, bound=bound, role=role)


ALL = (
    asked(Limit.MAX, 9.0, SECONDS),
    asked(Limit.MIN, 0.9),
    asked(Limit.MIN, 0.8, role=Role.EXPLORATORY),
    asked(Limit.MAX_DROP, 0.1, LONG, Role.GUARDRAIL),
    asked(Limit.MIN, 0.3, "retrieval.mrr"),
    asked(Limit.MIN, 0.5, "robustness.overrefusal"),
)


def gated(
    label: str = "plain",
    wanted: Sequence[Requirement] = ALL,
    baseline: RunRecord | str | None = None,
    notes: Sequence[str] = (),
) -> Gate:
    before, now = sides(label)
    policy = Policy(
        today=date(2026, 1, 1),
        on_missing="skip",
        waivers=(Waiver("robustness.overrefusal", "known: [/x]", date(2026, 2, 1)),),
    )
    if label == "plain":
        wanted = [
            dataclasses.replace(one, bound=0.99) if one.metric == "robustness.overrefusal" else one
            for one in wanted
        ]
    return weigh(now, baseline or before, wanted, policy, notes)


def printed(width: int, found: Comparison | Gate, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    console = Console(file=file, width=width)
    print_gate(console, found) if isinstance(found, Gate) else print_comparison(console, found)
    file.flush()
    return raw.getvalue().decode(encoding)


def test_the_document_of_a_comparison_has_the_keys_of_the_contract() -> None:
    told = json.loads(comparison_json(side_by_side()))
    assert (told["baseline"], told["candidate"]) == ("run-0", "run-1")
    assert told["metrics"].keys() == {KEY, LONG, "robustness.overrefusal", SECONDS}
    one = told["metrics"][KEY]
    assert one.keys() >= {
        *("baseline_mean", "candidate_mean", "delta", "ci95", "p_value", "p_value_adjusted"),
        *("pairs", "wins", "losses", "ties", "better"),
    }
    assert (one["baseline_mean"], one["candidate_mean"], one["delta"]) == (1.0, 0.25, -0.75)
    assert (one["pairs"], one["wins"], one["losses"], one["ties"]) == (12, 0, 9, 3)
    assert one["p_value"] == 2 / 2**9
    assert told["cases"]["common"] == 12
    assert told["not_compared"] == {"retrieval.mrr": "no case was scored in both runs"}
    assert told["changed_most"][0]["candidate_answer"] == "yes"


def test_the_document_of_a_gate_has_the_keys_of_the_contract() -> None:
    told = json.loads(gate_json(gated()))
    assert told["passed"] is False
    assert [one["status"] for one in told["results"]] == [
        *("pass", "fail", "warn", "inconclusive", "skip", "warn"),
    ]
    assert all({"metric", "status", "detail"} <= one.keys() for one in told["results"])
    change = told["results"][3]
    assert change["pairs"] == 12
    assert change["minimum_detectable_effect"] > 0.1
    assert told["results"][5]["waived"] == "known: [/x]"
    assert told["waivers"] == [
        {"metric": "robustness.overrefusal", "reason": "known: [/x]", "expires": "2026-02-01"}
    ]


def test_junit_keeps_failure_error_and_skipped_apart_and_shows_a_warning() -> None:
    found = gated(baseline="there is no baseline")
    suite = ET.fromstring(gate_junit(found)).find("testsuite")
    assert suite is not None
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "6", "failures": "1", "errors": "1", "skipped": "1"}
    by_name = {f"{one.get('classname')} {one.get('name')}": one for one in suite.iter("testcase")}
    assert by_name[f"{KEY} mean min 0.9"].find("failure") is not None
    assert by_name[f"{LONG} mean max_drop 0.1, guardrail"].find("error") is not None
    warned = by_name[f"{KEY} WARN: mean min 0.8, exploratory"]
    assert warned.findtext("system-out") == "mean 0.25 is below 0.8"


def test_an_inconclusive_check_that_blocks_is_a_failure() -> None:
    few = dataclasses.replace(asked(Limit.MIN, 0.1), min_samples=100)
    told = gate_junit(gated(wanted=[few]))
    assert 'failures="1"' in told
    assert 'type="inconclusive"' in told


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_terminals_show_every_name_whole_at_any_width(width: int, encoding: str) -> None:
    for found in (side_by_side(NASTY, NASTY), gated(NASTY, notes=[NASTY])):
        told = printed(width, found, encoding)
        assert max(map(len, told.splitlines())) <= width
        assert LONG in told.replace("\n", "").replace(" ", "")
        assert KEY in told.replace("\n", "").replace(" ", "")
        assert not {"\x1b", "\u202e"} & set(told)
        assert "[/x]" in told


def test_a_gate_says_first_whether_it_passed_and_what_blocks() -> None:
    told = printed(100, gated())
    first, *rest = told.splitlines()
    assert first == "Gate did not pass: 1 pass, 1 fail, 2 warn, 1 inconclusive, 1 skip"
    verdicts = [
        line.split()[0] for line in rest if line.split()[:1] and line.split()[0] in [*Verdict]
    ]
    assert verdicts == ["fail", "inconclusive", "warn", "warn", "skip", "pass"]
    assert "would settle it" in told
    assert "waived until 2026-02-01: known: [/x]" in told
    assert printed(100, gated(wanted=ALL[:1])).startswith("Gate passed: 1 pass")
    assert printed(100, gated(baseline="none there")).startswith("Gate could not be checked")


def test_a_change_greater_than_there_can_be_is_not_promised_to_be_seen() -> None:
    rows = cases(3)
    before = record(rows, {KEY: column(FRACTION, [0.0, 1.0, 0.5])})
    after = record(rows, {KEY: column(FRACTION, [1.0, 0.0, 0.6])})
    [one] = compare(before, after).metrics
    assert one.detectable is not None
    assert one.detectable > 1, "the greatest change of a share is 1"
    assert reach(one).startswith("inconclusive: so few pairs would show no change at all")


def one_compared(ends: tuple[float, float] | None, p: float, adjusted: float) -> Compared:
    (one, *_) = compare(*sides()).metrics
    change = dataclasses.replace(one.change, delta=0.1, p_value=p, bounds=Bounds(ends, "paired t"))
    return dataclasses.replace(one, change=change, p_adjusted=adjusted)


@pytest.mark.parametrize(
    ("ends", "p", "adjusted", "word", "told"),
    [
        ((0.01, 0.2), 0.01, 0.04, "better", ""),
        (None, 0.01, 0.04, "better", ""),
        ((-0.001, 0.2), 0.04, 0.04, "", "the test finds it, but the interval reaches to no change"),
        ((0.0, 0.2), 0.04, 0.04, "", "the test finds it, but the interval reaches to no change"),
        ((0.01, 0.2), 0.04, 0.08, "", "it would count alone"),
        ((0.01, 0.2), 0.06, 0.06, "", "the interval lies beyond no change, but the test does not"),
        ((-0.1, 0.3), 0.4, 0.4, "", "changes below"),
    ],
)
def test_a_change_is_shown_only_where_test_and_interval_agree(
    ends: tuple[float, float] | None, p: float, adjusted: float, word: str, told: str
) -> None:
    one = one_compared(ends, p, adjusted)
    assert found_to_be(one) == word
    assert told in reach(one)
    assert bool(reach(one)) == (not word)


def test_a_comparison_says_what_was_found_and_what_would_go_unseen() -> None:
    told = printed(100, side_by_side())
    assert "cases      12 cases in common" in told
    assert "warning: the judge was a, now b" in told
    recall = told.split(KEY)[1].splitlines()
    assert recall[0].split()[:3] == ["1.00", "0.25", "-0.75"]
    assert recall[1].strip() == "worse (exploratory)"
    assert "would go unseen" in told.split(LONG)[1]
    assert "worse 1; exploratory: worse 2, inconclusive 1" in told
    tested = "adj.: over 1 metric (Holm), the headline ones; others are exploratory, not adjusted."
    assert tested in " ".join(told.split())
    assert "before     no" in told


def test_where_neither_way_is_better_the_cases_are_called_higher_and_lower() -> None:
    said = "Where neither way is better: higher, lower, equal."
    for better in (Better.HIGHER, Better.NEITHER):
        share = declared("context.citation_coverage", better=better)
        before, after = (
            record(cases(3), {share.id: column(share, [one, 0.5, 0.5])}, id=f"run-{one}")
            for one in (0.0, 1.0)
        )
        found = compare(before, after)
        for page in (printed(80, found), comparison_markdown(found)):
            assert (said in " ".join(page.split())) == (better is Better.NEITHER)


def test_markdown_obeys_nothing_and_is_short_enough_for_a_comment() -> None:
    wanted = ALL * 300
    for told in (
        gate_markdown(gated(NASTY, wanted, notes=[NASTY])),
        comparison_markdown(side_by_side(NASTY, NASTY * 900)),
    ):
        assert len(told) <= LONGEST
        assert not {"\x1b", "\u202e"} & set(told)
        for line in told.splitlines():
            if line.startswith("| ") and "@all" in line:
                assert "`" in line or "<code>" in line
    assert "and 1," in gate_markdown(gated(NASTY, wanted))


def test_xml_holds_any_text() -> None:
    found = gated(NASTY + "\ufffe\ud800", notes=[NASTY])
    suite = ET.fromstring(gate_junit(found)).find("testsuite")
    assert suite is not None
    assert "[/x]" in (suite.findtext("system-out") or "")


def test_documents_are_ascii_whatever_a_pipeline_said() -> None:
    for told in (comparison_json(side_by_side(NASTY, "é\ud800")), gate_json(gated(NASTY))):
        assert told.isascii()
        json.loads(told)


def test_signs_and_p_values() -> None:
    assert signed(-1e-9, Unit.SECONDS) == "~0"
    assert signed(0.25, Unit.FRACTION) == "+0.25"
    assert signed(-2.5, Unit.SECONDS) == "-2.50 s"
    assert p_value(0.00099) == "<0.001"


def test_a_reason_not_to_compare_is_said_once_with_all_its_metrics() -> None:
    found = dataclasses.replace(
        side_by_side(),
        apart={f"query.m{at}": "no case was scored in both runs" for at in range(60)},
    )
    out = io.StringIO()
    print_comparison(Console(file=out, width=80), found)
    for page in (out.getvalue(), comparison_markdown(found)):
        assert page.count("no case was scored in both runs") == 1
        assert "query.{m0, m1," in page
        assert "m59}" in page
