"""A run with gate and comparison as one comment on a pull request."""

from __future__ import annotations

import re
from dataclasses import replace

from shown_beside import NASTY, RECALL, beside, judged, judged_gate
from test_markdown import outside_code

from ragproof.reports.beside import NOTHING, Beside
from ragproof.reports.comment import comment_markdown
from ragproof.reports.markdown import CUT, LONGEST, run_markdown

GITHUB = 65_536
"""Characters that a comment may have."""


def test_the_gate_comes_first_then_the_comparison_then_the_figures() -> None:
    page = comment_markdown(judged(), beside())
    order = [
        "completed: 39 of 40 cases ok, 1 failed",
        "### Gate did not pass: 1 pass, 1 fail, 2 warn, 1 inconclusive",
        "-> `20260304-101500-ab12`",
        "**Query: was the evidence found?**",
        "The worst 10 cases",
    ]
    places = [page.index(one) for one in order]
    assert places == sorted(places)
    assert CUT not in page


def test_a_run_alone_is_the_same_as_before() -> None:
    assert comment_markdown(judged(), NOTHING) == run_markdown(judged())


def test_a_stand_in_is_named() -> None:
    page = run_markdown(judged(judge="recorded: scripted"))
    assert "- warning: `judged figures rest on scripted replies" in page


def test_an_added_section_is_a_table() -> None:
    page = comment_markdown(judged(), beside())
    assert "<summary>Where the evidence was lost</summary>" in page
    assert "| `retrieval` | `12` |" in page


def test_however_much_there_is_it_fits_and_says_what_is_left_out() -> None:
    gate = judged_gate("why " * 2_000)
    many = replace(gate, checks=gate.checks * 400)
    long = replace(beside("x" * 20_000), gate=many)
    page = comment_markdown(judged("y" * 20_000), long)
    assert len(page) <= LONGEST < GITHUB
    assert page.endswith(CUT)
    assert re.search(r"\n\.\.\. and [\d,]+ more\n", page)
    assert page.count("<details>") == page.count("\n</details>\n")


def test_foreign_text_is_obeyed_nowhere() -> None:
    page = comment_markdown(judged(NASTY, label=NASTY), beside(NASTY))
    assert "alert" in page
    assert not re.search(r"<script|@all|\[/x\]", outside_code(page).replace("&lt;script", ""))
    assert not {"\x1b", "\u202e", "\ud800"} & set(page)
    page.encode("utf-8")


def test_why_a_gate_is_not_shown_is_said() -> None:
    page = comment_markdown(judged(), Beside(warnings=(f"the gate is not shown: {RECALL}",)))
    assert f"- warning: `the gate is not shown: {RECALL}`\n" in page
