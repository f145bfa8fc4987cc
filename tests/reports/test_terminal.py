from __future__ import annotations

import io
from typing import Any

import pytest
from hand_made import cases, column, declared, one_metric, record
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from shown import detail, shown, shown_record

from ragproof.analysis.findings import Findings, JudgeUse, find
from ragproof.core.outcome import Cause, Failed, NotApplicable, Skipped
from ragproof.core.spec import Unit
from ragproof.reports.terminal import print_run

NEXT = ("ragproof report --html report.html",)


def printed(found: Findings, width: int = 80, **console: Any) -> str:
    written = io.StringIO()
    print_run(Console(file=written, width=width, **console), found, NEXT)
    return written.getvalue()


@pytest.mark.parametrize("width", [40, 60, 72, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(cell_len, printed(shown(), width).splitlines())) <= width


def test_a_page_too_narrow_for_columns_says_figures_in_words() -> None:
    lines = printed(shown(), 40).splitlines()
    at = lines.index("  retrieval.recall_at_k")
    said = " ".join(" ".join(lines[at + 1 : at + 3]).split())
    assert said == "mean 0.67, 95 % interval [0.21, 0.94], scored 3, skip 1, err 1"


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_metric_name_is_cut(width: int) -> None:
    lines = printed(shown(), width).splitlines()
    for key in shown_record().columns:
        assert any(line.removeprefix("* ").strip().split("  ")[0] == key for line in lines), key


def test_at_80_columns_each_metric_is_one_row_with_figure_interval_and_counts() -> None:
    lines = printed(shown()).splitlines()
    row = next(line for line in lines if line.startswith("  retrieval.recall_at_k"))
    assert row.split() == ["retrieval.recall_at_k", "0.67", "[0.21,", "0.94]", "3", "1", "0", "1"]
    assert "* generation.groundedness         0.75" in printed(shown())


def test_layers_have_headings_and_are_in_the_order_of_the_pipeline() -> None:
    text = printed(shown())
    places = [text.index(title) for title in ("\nQuery:", "\nAnswer:", "\nSystem:", "\nSkipped")]
    assert places == sorted(places)


def test_seconds_are_shown_with_their_percentiles() -> None:
    text = printed(shown())
    assert "420 ms    [0, 1.46 s]" in text
    assert "p50 81 ms, p95 1.40 s, p99 1.40 s" in text


def test_why_cases_were_skipped_or_failed_is_told_with_counts() -> None:
    text = printed(shown(), 200)
    lines = [line.strip() for line in text.splitlines()]
    at = lines.index("case has no expected_source_ids")
    assert lines[at + 1].startswith("1  retrieval.{average_precision, mrr")
    assert "1  adapter: ConnectionError: the index at 127.0.0.1:9200 refused" in lines
    assert "cases: pump-02" in lines
    assert "1  judge: the judge answered HTTP 529 four times" in lines
    assert "0.50  generation.groundedness" in lines  # completion: 2 of 4


def test_a_lone_worst_case_is_not_counted() -> None:
    lone = {"generation.exact_match": column(declared("generation.exact_match"), [0.0, 1.0])}
    assert "\nThe worst case\n" in printed(find(record(cases(2), lone)))


def test_the_worst_cases_say_why_and_what_was_missed() -> None:
    text = printed(shown(), 200)
    worst = text[text.index("The worst 3 cases") : text.index("\nRun")]
    assert [name for name in ("warranty-01", "seal-02", "pump-01") if name in worst] == [
        "warranty-01",
        "seal-02",
        "pump-01",
    ]
    assert "robustness.abstention 0.00" in worst
    assert "p22 (missed), p40 (missed)" in worst
    assert "p7, p20, p12 (hit), p31, p32" in worst
    assert "p7, p99 (not retrieved)" in worst
    assert "After 2,000 hours." in worst


def test_the_run_says_what_k_counts_and_what_to_do_next() -> None:
    text = printed(shown(judge=JudgeUse("judge-1", 4, 1, 0.02)), 200)
    assert "k = 5 distinct chunks, 5 chunks asked for" in text
    assert "20260304-101500-ab12 (bm25 baseline)" in text
    assert "judge-1, 4 calls, 1 from the cache, $0.02" in text
    assert text.rstrip().endswith("- ragproof report --html report.html")


def test_without_a_terminal_there_is_no_escape_sequence() -> None:
    assert "\x1b" not in printed(shown())
    assert "\x1b[1m" in printed(shown(), force_terminal=True, color_system="standard")


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31m" not in printed(shown(), force_terminal=True)


def test_hostile_text_is_shown_and_not_obeyed() -> None:
    hostile = "[red]\x1b[31mX\x1b[0m[/red] \u202etxt [/] \x07 \ud800"
    found = shown(details={"seal-02": detail("seal-02", hostile, hostile)}, warnings=(hostile,))
    text = printed(found, 200)
    assert text.count("[red]\\x1b[31mX\\x1b[0m[/red] \\u202etxt [/] \\x07 \\ud800") == 3
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(), max_size=300), st.integers(40, 120))
def test_any_text_fits_any_width(text: str, width: int) -> None:
    found = shown(details={"seal-02": detail("seal-02", text, text)}, warnings=(text,))
    shown_text = printed(found, width)
    shown_text.encode("utf-8")
    assert all(cell_len(line) <= width for line in shown_text.split("\n"))


def test_a_terminal_that_knows_ascii_only_gets_escapes_and_no_traceback() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print_run(Console(file=file, width=120), shown(), NEXT)
    file.seek(0)
    text = file.read()
    assert "80 \\xb0C?" in text
    assert "#####" in text  # the bar


def test_a_wide_terminal_gets_bars() -> None:
    assert "█████░░░" in printed(shown(), 200)
    assert "█" not in printed(shown(), 80)


def test_a_key_wider_than_the_terminal_is_folded_and_not_cut() -> None:
    key = f"system.stage_seconds[stage={'x' * 100}]"
    of = declared(key, unit=Unit.SECONDS)
    text = printed(find(record(cases(1), {key: column(of, [0.5])})), 60)
    assert max(map(len, text.splitlines())) <= 60
    assert key in text.replace("\n", "")


def test_equal_scores_say_why_there_is_no_interval() -> None:
    assert "no interval: all scores are equal" in printed(find(one_metric([0.5, 0.5])))
    assert "no interval: one case" in printed(find(one_metric([0.5])))


def test_a_run_without_metrics_or_cases_is_printed() -> None:
    assert "No metric was asked for." in printed(find(record((), {})))


def test_nothing_scored_is_a_dash_and_not_a_zero() -> None:
    text = printed(find(one_metric([NotApplicable("no source is there")])))
    row = next(line for line in text.splitlines() if "retrieval.recall_at_k" in line)
    assert row.split() == ["retrieval.recall_at_k", "-", "0", "0", "1", "0"]


def test_what_was_skipped_in_every_case_stands_below_the_figures_with_its_reason() -> None:
    text = printed(find(one_metric([Skipped("case has no expected_source_ids")])))
    [row] = [line.split() for line in text.splitlines() if "retrieval.recall_at_k" in line]
    assert row == ["retrieval.recall_at_k"]
    assert text.index("Not measured") < text.index("case has no expected_source_ids")


def test_a_metric_of_the_whole_run_stands_below_until_the_run_has_come_to_its_end() -> None:
    of = declared("generation.repeat_consistency")
    text = printed(find(record(cases(1), {of.id: column(of, [], subjects=())})))
    assert f"* {of.id}" not in text
    assert text.index("Not measured") < text.index("no case was looked at")


def test_many_messages_are_counted_and_not_all_printed() -> None:
    failed = [Failed(Cause.METRIC, f"fault {number}") for number in range(9)]
    text = printed(find(one_metric(failed)))
    assert text.count("metric: fault") == 5
    assert "4  with other messages" in text
