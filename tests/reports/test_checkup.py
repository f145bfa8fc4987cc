"""What `check` says of metrics: counted by family, with a line for each thing that is lacking."""

from __future__ import annotations

import io

from rich.console import Console

from ragproof.reports.checkup import Measurable, families, measurable, print_measurable

FOUND = (
    Measurable("metrics", "scored on it", ("retrieval.mrr", "retrieval.hit_at_k", "context.x")),
    Measurable("missing", "adapter does not expose lanes", ("query.a", "query.b")),
    Measurable("metrics", "not applicable to it, the answer declines", ("citation.a",)),
    Measurable("missing", "no judge is configured", ("generation.correctness",)),
    Measurable("missing", "adapter does not expose steps", ("query.steps",)),
    Measurable(
        "missing", "in every case of the dataset: case has no expected_spans", ("retrieval.y",)
    ),
    Measurable("failed", "metric: ValueError: no", ("generation.z",)),
)


def test_families_are_counted_in_their_order() -> None:
    assert families(["b.x", "a.y", "b.z[k=3]"]) == "b 2, a 1"


def test_reasons_of_one_kind_share_a_line_and_the_longest_list_comes_first() -> None:
    assert list(measurable(FOUND)) == [
        ("metrics", "3 metrics scored on it: retrieval 2, context 1"),
        ("metrics", "1 other not about this case, perhaps about later ones"),
        ("failed", "metric: ValueError: no: generation.z"),
        ("missing", "5 metrics cannot be measured (which: --json):"),
        ("", "adapter does not expose lanes (query 2), steps (query 1)"),
        ("", "no judge is configured (generation 1)"),
        ("", "in every case of the dataset: case has no expected_spans (retrieval 1)"),
    ]


def test_nothing_is_said_of_no_metrics() -> None:
    assert list(measurable(())) == []


def test_it_is_printed_within_the_width() -> None:
    out = io.StringIO()
    print_measurable(Console(file=out, width=40), FOUND)
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= 40
    assert "         - no judge is configured" in lines
