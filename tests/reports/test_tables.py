from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from ragproof.core.spec import Layer
from ragproof.reports.tables import (
    MetricPage,
    MetricRow,
    RunRow,
    print_metric,
    print_metrics,
    print_runs,
)

RUNS = [
    RunRow(
        id="20260304-101500-ab12",
        started_at="2026-03-04T10:15:00.000000Z",
        status="aborted:budget",
        cases=1200,
        dataset="manual.jsonl",
        label="[bold]nightly\x1b[31m",
    ),
    RunRow(
        id="20260303-101500-cd34",
        started_at="2026-03-03T10:15:00.000000Z",
        status="completed",
        cases=60,
        dataset="manual.jsonl",
    ),
]
METRICS = [
    MetricRow(
        id="system.latency_seconds",
        layer=Layer.SYSTEM,
        summary="Time from the question to the whole answer, as the caller waits for it.",
    ),
    MetricRow(id="retrieval.mrr", layer=Layer.QUERY, summary="Reciprocal rank of the first hit."),
]


def console(width: int) -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    return Console(file=file, width=width), file


@pytest.mark.parametrize("width", [40, 60, 80, 160])
def test_tables_fit_and_name_every_run_and_metric_whole(width: int) -> None:
    to, file = console(width)
    print_runs(to, RUNS)
    print_metrics(to, METRICS)
    text = file.getvalue()
    assert max(map(cell_len, text.splitlines())) <= width
    names = [run.id for run in RUNS] + [metric.id for metric in METRICS]
    assert all(name in text for name in names)


def test_runs_keep_their_order_and_their_labels_are_inert() -> None:
    to, file = console(80)
    print_runs(to, RUNS)
    lines = file.getvalue().splitlines()
    assert lines[1].split() == [
        "20260304-101500-ab12", "2026-03-04", "10:15", "aborted:budget", "1,200",
    ]  # fmt: skip
    assert lines[2].strip() == "[bold]nightly\\x1b[31m, manual.jsonl"
    assert lines[3].startswith("20260303")


def test_an_empty_store_says_what_to_do() -> None:
    to, file = console(80)
    print_runs(to, [])
    assert "ragproof demo" in file.getvalue()


def test_metrics_stand_under_their_layers() -> None:
    to, file = console(80)
    print_metrics(to, METRICS)
    text = file.getvalue()
    assert text.index("Query:") < text.index("retrieval.mrr") < text.index("System:")


def test_a_metric_is_explained_section_by_section() -> None:
    to, file = console(60)
    metric = MetricPage(
        id="retrieval.mrr",
        summary="Reciprocal rank of the first hit.",
        sections={"Formula": "1 / rank", "Edge cases": "No hit: 0.\nAll is looked through."},
        facts={"unit": "fraction", "better": "higher"},
    )
    print_metric(to, metric)
    text = file.getvalue()
    assert text.startswith("retrieval.mrr\nReciprocal rank")
    assert "\nFormula\n  1 / rank\n" in text
    assert "  No hit: 0.\n  All is looked through.\n" in text
    assert "  unit    fraction\n  better  higher\n" in text
