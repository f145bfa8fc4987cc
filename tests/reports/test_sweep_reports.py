"""A sweep on the terminal, as JSON, as Markdown and as a page."""

from __future__ import annotations

import dataclasses
import io
import json
import re

import pytest
from hand_made import FRACTION, case, cases, column, declared, record
from rich.console import Console
from test_html import Reader

from ragproof.analysis.sweep import Study, study
from ragproof.analysis.sweep_points import Axes, measured
from ragproof.analysis.sweep_rules import Rule, Selection
from ragproof.core.spec import Better, Unit
from ragproof.reports.sweep_chart import charts
from ragproof.reports.sweep_html import sweep_html
from ragproof.reports.sweep_json import sweep_json
from ragproof.reports.sweep_markdown import sweep_markdown
from ragproof.reports.sweep_parts import SHOWN
from ragproof.reports.sweep_terminal import print_sweep

RECALL = FRACTION.id
SECONDS = declared("system.latency_seconds", unit=Unit.SECONDS, better=Better.LOWER)
USD = declared("system.usd", unit=Unit.USD, better=Better.LOWER)
AXES = Axes(quality=RECALL, latency=SECONDS.id)
EVIL = "<script>alert(1)</script> [bold]x|y`\x1b[31m"


def swept(*found: int, missing: bool = False, name: str = "size", cost: bool = True) -> Study:
    points = []
    for at, one in enumerate(found):
        scores = [float(case < one) for case in range(100)]
        columns = {
            RECALL: column(FRACTION, scores),
            SECONDS.id: column(SECONDS, [0.1 * (at + 1)] * 100),
        }
        if cost:
            columns[USD.id] = column(USD, [0.001 * (at + 1)] * 100)
        run = record(cases(100), columns, label=f"sweep:{name}/{at}")
        points.append(measured({name: at + 1}, run, AXES))
    if missing:
        points.append(measured({name: 99}, None, AXES))
    rule = Rule.SMALLEST_SUFFICIENT
    asked = Selection(rule=rule, metric=RECALL, param=name, min_gain=0.05)
    return study("sizes", points, AXES, None, asked)


def text_of(found: Study, width: int = 80) -> str:
    stream = io.StringIO()
    print_sweep(Console(file=stream, width=width), found, ["do this"])
    return stream.getvalue()


def test_the_terminal_shows_points_comparison_and_choice() -> None:
    told = text_of(swept(50, 80, 80))
    assert re.search(r"^choice +size=2, by smallest_sufficient along size on", told, re.MULTILINE)
    assert re.search(r"^\* #2 size=2 +0.80 +\[0.71, 0.87\] +200 ms +\$0.002", told, re.MULTILINE)
    assert "Compared with #2 size=2 (the best, as the same cases have it)" in told
    assert "#2 is no worse and takes no more; the quality is not told apart" in told
    assert "#1 -> #2: gain +0.3 [" in told
    assert max(map(len, told.splitlines())) <= 80


def test_a_point_without_a_run_is_shown_as_such() -> None:
    told = text_of(swept(50, 80, missing=True))
    assert "2 of 3 points completed" in told
    assert "warning: #3 size=99: there is no run of it; it decides nothing" in told
    assert "no choice by smallest_sufficient" in told
    document = json.loads(sweep_json(swept(50, 80, missing=True), "id"))
    assert document["status"] == "partial"
    assert document["points"][2]["quality"] is None
    assert document["selection"]["chosen"] is None


def test_the_document_has_what_the_rule_looked_at() -> None:
    document = json.loads(sweep_json(swept(50, 80, 80), "id"))
    assert document["frontier"] == {"axes": ["latency", "cost"], "points": [0, 1]}
    assert document["reference"] == {"point": 1, "params": {"size": 2}, "is": "best"}
    steps = document["selection"]["steps"]
    assert [one["found"] for one in steps] == ["gains", "gains", "flat"]
    assert steps[0]["gain"] == pytest.approx(0.3)


@pytest.mark.parametrize("found", [swept(50, 80, 80), swept(missing=True), swept(7, cost=False)])
def test_the_page_is_well_formed_and_loads_and_runs_nothing(found: Study) -> None:
    page = sweep_html(found)
    read = Reader(page)
    assert read.open == []
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in read.tags}
    assert "url(" not in page


def test_what_parameters_are_called_is_text_everywhere() -> None:
    found = swept(50, 80, name=EVIL)
    page = sweep_html(found)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    told = text_of(found)
    assert "\x1b" not in told
    assert "[bold]x" in told.replace("\n", "")
    assert "\x1b" not in sweep_markdown(found)
    assert "| <script>" not in sweep_markdown(found)


def test_a_drawing_places_better_points_higher_and_slower_ones_further_right() -> None:
    latency, cost = charts(swept(50, 80, 60))
    first, second, third = latency.dots
    assert first.x < second.x < third.x
    assert second.y < third.y < first.y
    assert [dot.on_frontier for dot in latency.dots] == [True, True, False]
    assert [dot.chosen for dot in cost.dots] == [False, True, False]
    assert latency.line == f"M{first.x} {first.y}H{second.x}V{second.y}"
    for dot in latency.dots:
        assert latency.left <= dot.x <= latency.right
        assert dot.whisker is not None
        assert latency.top <= dot.whisker[0] < dot.y < dot.whisker[1] <= latency.bottom


def test_without_figures_there_is_no_drawing() -> None:
    assert charts(swept(missing=True)) == []
    assert [one.title for one in charts(swept(1, 2, cost=False))] == ["Quality against latency"]


def test_of_many_metrics_by_class_the_quality_comes_first_and_the_rest_is_counted() -> None:
    rows = [case(f"d{at}", tags={"document_class": "scan" if at else "web"}) for at in range(4)]
    more = [declared(f"ingestion.m{at:02}") for at in range(SHOWN)]
    columns = {one.id: column(one, [0.0, 1.0, 1.0, 1.0]) for one in (*more, FRACTION)}
    axes = dataclasses.replace(AXES, by="document_class")
    found = study("sizes", [measured({"size": 1}, record(rows, columns), axes)], axes)
    told = " ".join(text_of(found).split())
    headings = re.findall(r"(\S+) by document_class", told)
    assert headings == [RECALL, *(one.id for one in more[:-1])]
    assert "point scan web #1 size=1 1.00 (3) 0.00 (1)" in told
    note = "In brackets the trials that were scored, and of how many where some failed."
    for page in (told, sweep_markdown(found), sweep_html(found)):
        assert f"{note} 1 more metric: --json." in page
    assert len(json.loads(sweep_json(found, "s"))["points"][0]["parts"]) == SHOWN + 1
