"""The pages that show where gold was lost."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence

import pytest
from hand_made import record
from rich.console import Console
from test_html import Reader

from ragproof.analysis.gold_sight import STAGES
from ragproof.analysis.gold_trace import GoldTrace, trace_gold
from ragproof.core.case import QuestionCase
from ragproof.core.observation import Answer, Chunk, Citation, Observation, Trace
from ragproof.core.outcome import Cause, Failed
from ragproof.core.subject import CaseRun, SourceMatch
from ragproof.reports.gold_trace_html import gold_trace_html, gold_trace_section
from ragproof.reports.gold_trace_json import gold_trace_json
from ragproof.reports.gold_trace_terminal import CASES, print_gold_case, print_gold_trace

HEADER = record([], {}).header
HOSTILE = "<img src=x onerror=y>\x1b]0;z\x07\u202e"


def found(*lost: str, hostile: str = "") -> GoldTrace:
    """So many cases, each lost at the stage that is named, or kept."""

    def run(at: int, stage: str) -> CaseRun:
        gone = (Chunk(id="other"),)
        there = (Chunk(id="d1" + hostile), *gone)
        trace = Trace(
            survivors=("other",) if stage == "filter" else ("d1" + hostile, "other"),
            candidates=gone if stage in ("filter", "retrieval") else there,
            context=there if stage in ("answer", "kept") else gone,
        )
        cited = (Citation(chunk_id=there[0].id if stage == "kept" else "other"),)
        case = QuestionCase(
            id=f"case-{at}{hostile}",
            question="What? " + hostile,
            expected_source_ids=("d1" + hostile,),
        )
        answer = Answer(answer_text="?", citations=cited, trace=trace)
        seen = Observation(case_id=case.id, answer=answer)
        return CaseRun(case, seen, source_match=SourceMatch.DOCUMENT)

    return trace_gold((run(at, stage) for at, stage in enumerate(lost)), depth=5)


def printed(trace: GoldTrace, width: int = 80, *, case: bool = False) -> str:
    out = io.StringIO()
    show = print_gold_case if case else print_gold_trace
    show(Console(file=out, width=width), HEADER, trace)
    return out.getvalue()


ALL = ("filter", "retrieval", "context", "answer", "kept")


def test_every_stage_says_how_many_have_lost_nothing_so_far() -> None:
    rows = [line.split() for line in printed(found(*ALL)).splitlines() if line.startswith("  ")]
    left = {row[0]: row[4] for row in rows if row[0] in STAGES}
    assert left == {
        **{"corpus": "5", "chunking": "5", "filter": "4", "retrieval": "3"},
        **{"reranking": "3", "context": "2", "answer": "1"},
    }


def test_a_stage_that_may_have_lost_them_before_is_named() -> None:
    assert "or before  reranking: not observed for 1" in printed(found("context"))


def test_only_the_worst_of_many_are_listed_and_the_rest_counted() -> None:
    shown = printed(found(*["retrieval"] * (CASES + 3)))
    assert f"Lost at retrieval: {CASES + 3} cases" in shown
    assert "and 3 more" in shown


@pytest.mark.parametrize("width", [30, 80, 200])
def test_it_fits_any_width_and_shows_what_acts_as_escapes(width: int) -> None:
    trace = found(*ALL, hostile=HOSTILE)
    for shown in (printed(trace, width), printed(trace, width, case=True)):
        assert max(map(len, shown.splitlines())) <= width
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)


@pytest.mark.parametrize("lost", [(), ("kept",), ALL])
def test_the_page_is_whole_and_nothing_in_it_acts(lost: Sequence[str]) -> None:
    page = gold_trace_html(HEADER, found(*lost, hostile=HOSTILE))
    reader = Reader(page)
    assert reader.open == []
    assert not {tag for tag, _ in reader.tags} & {"script", "img", "iframe", "link"}
    assert not {"\x1b", "\x07", "\u202e"} & set(page)
    assert ("Lost at filter: 1 case" in reader.text) == ("filter" in lost)


def test_the_section_stands_alone() -> None:
    section = gold_trace_section(found(*ALL))
    assert section.startswith("<section")
    assert "<html" not in section
    assert Reader(section).open == []


def test_the_document_has_a_case_a_line_and_one_case_in_full() -> None:
    text = "".join(gold_trace_json(HEADER, found(*ALL, hostile=HOSTILE)))
    assert text.isascii()
    assert len([line for line in text.splitlines() if '"case_id"' in line]) == 5
    assert json.loads("".join(gold_trace_json(HEADER, found())))["cases"] == []
    full = "".join(gold_trace_json(HEADER, found("context"), in_full=True))
    (case,) = json.loads(full)["cases"]
    stages = case["sources"][0]["stages"]
    assert list(stages) == list(STAGES)
    assert stages["retrieval"] == {"there": True, "share": 1.0, "rank": 1}
    assert stages["reranking"] is None


def test_a_run_whose_cases_all_failed_is_not_said_to_name_no_sources() -> None:
    case = QuestionCase(id="q1", question="What?", expected_source_ids=("d1",))
    seen = Observation(case_id="q1", failure=Failed(Cause.ADAPTER, "boom"))
    trace = trace_gold([CaseRun(case, seen, source_match=SourceMatch.DOCUMENT)], depth=5)
    for page in (printed(trace), gold_trace_html(HEADER, trace)):
        assert "Every case that names its sources failed" in page
        assert "No case names a source" not in page
