"""The short report for a comment on a pull request."""

from __future__ import annotations

import re

import pytest
from hand_made import case, column, declared, record
from hypothesis import given
from hypothesis import strategies as st
from shown import detail, shown

from ragproof.analysis.findings import find
from ragproof.core.outcome import Cause, Failed, Outcome, Scored, Skipped
from ragproof.reports.markdown import CASES, LONGEST, cell, code, run_markdown

HOSTILE = (
    "</code></details><script>alert(1)</script> @everyone #12 ![x](http://x.invalid/p.png) "
    "`` `x` ```` | [a](javascript:b) \x1b[31m\u202e **bold**"
)


def outside_code(page: str) -> str:
    """What a reader of Markdown would obey: all but code spans and `<code>`."""
    without = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", page)
    return re.sub(r"<code>[^<]*</code>", "", without)


def test_figures_stand_in_tables_by_layer_with_interval_and_counts() -> None:
    page = run_markdown(shown())
    assert "completed: 4 of 5 cases ok, 1 failed" in page
    assert "**Query: was the evidence found?**\n\n| metric | mean | 95 % interval |" in page
    # three of five cases scored 1, 1 and 0; one is skipped, one failed
    assert "| `retrieval.recall_at_k` | 0.67 | [0.21, 0.94] | 3 | 1 | 0 | 1 |\n" in page
    assert page.index("Query:") < page.index("Answer:") < page.index("System:")


def test_classes_of_documents_have_a_table_that_counts_what_failed() -> None:
    rows = [
        case(f"d{at}", tags={"document_class": one})
        for at, one in enumerate(["scan", "scan", "web|"])
    ]
    scores: list[float | Outcome] = [0.25, Failed(Cause.METRIC, "no table"), 0.5]
    columns = {"ingestion.cer": column(declared("ingestion.cer"), scores)}
    page = run_markdown(find(record(rows, columns)))
    assert "**By document class**\n\n| metric | `scan` | <code>web&#124;</code> |\n" in page
    assert "| `ingestion.cer` | 0.25 (1 of 2) | 0.50 (1) |\n" in page
    assert "By document class" not in run_markdown(find(record(rows[:2], {})))


def test_a_headline_figure_is_bold() -> None:
    assert "| **`robustness.overrefusal`** | **0.33** |" in run_markdown(shown())


def test_errors_are_shown_and_the_rest_is_folded() -> None:
    page = run_markdown(shown())
    errors = "- 1 x `adapter: ConnectionError: the index at 127.0.0.1:9200 refused`\n"
    assert errors in page.partition("<details>")[0]
    for title in ("The worst 4 cases", "Skipped", "Not applicable", "Run"):
        assert f"<details><summary>{title}</summary>\n\n- " in page
    assert page.count("<details>") == page.count("\n</details>\n")


def test_a_worst_case_shows_what_was_expected_found_and_said() -> None:
    worst = run_markdown(shown()).partition("- `seal-02`\n")[2].partition("- `pump-01`\n")[0]
    assert "  - because: `retrieval.average_precision` 0.00, `retrieval.mrr` 0.00" in worst
    assert "  - sources: `p22` (missed), `p40` (missed)\n" in worst
    assert "  - retrieved: `p7`, `p20`, `p12`, `p31`, `p32`\n" in worst
    assert "  - answer: `The seal is replaced when it leaks, see page 7.`\n" in worst


def test_foreign_text_is_obeyed_nowhere() -> None:
    details = {"seal-02": detail("seal-02", answer=HOSTILE, question=HOSTILE)}
    page = run_markdown(shown(details=details, warnings=(HOSTILE,)))
    assert "script" in page
    assert not re.search(r"script|@everyone|#12|javascript|bold\*|!\[", outside_code(page))
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", page)


@given(st.text())
def test_a_text_in_code_is_one_span_that_nothing_in_it_ends(text: str) -> None:
    span = code(text)
    fence = (re.match("`+", span) or [""])[0]
    assert "\n" not in span
    if text.strip():
        inner = span[len(fence) : -len(fence)]
        assert not re.search(rf"(?<!`){fence}(?!`)", inner)
        assert span.endswith(fence)


@given(st.text())
def test_no_text_ends_a_cell(text: str) -> None:
    assert "|" not in cell(text)


def test_the_page_of_a_huge_run_is_short_and_says_what_it_leaves_out() -> None:
    ids = [f"case-{number:05}-{'x' * 80}" for number in range(300)]
    keys = [f"retrieval.made_up_{number:04}" for number in range(800)]
    lost = [Failed(Cause.METRIC, f"{number}: {'<&|`' * 200}") for number in range(299)]
    columns = {key: column(declared(key), [0.5, *lost]) for key in keys}
    page = run_markdown(find(record([case(one) for one in ids], columns)))
    assert len(page) <= LONGEST
    assert re.search(r"\n\.\.\. and \d+ more\n", page)
    assert page.count("<details>") == page.count("\n</details>\n")


@pytest.mark.parametrize("length", [1, 40, 5_000])
def test_however_long_the_texts_are_the_page_is_short(length: int) -> None:
    name = "`|<" * length
    found = find(
        record(
            [case(f"{name}{at}") for at in range(60)],
            {
                "retrieval.mrr": column(declared("retrieval.mrr"), [*[0.0] * 59, Skipped(name)]),
            },
            label=name,
        ),
        warnings=[name] * 500,
    )
    page = run_markdown(found)
    assert len(page) <= LONGEST
    assert page.count("  - because:") in (0, CASES)


def test_a_run_without_a_case_has_a_page() -> None:
    page = run_markdown(find(record([], {"retrieval.mrr": column(declared("retrieval.mrr"), [])})))
    assert "- `no case was looked at`: `retrieval.mrr`" in page


def test_what_no_case_was_measured_by_is_folded_away_with_its_reason() -> None:
    names = {"ontology.a": "no ontology", "ontology.b": "no ontology", "retrieval.mrr": None}
    columns = {
        name: column(declared(name), [Scored(1.0) if why is None else Skipped(why)])
        for name, why in names.items()
    }
    page = run_markdown(find(record([case("q1")], columns)))
    figures, _, folded = page.partition("Not measured")
    assert "| `retrieval.mrr` | 1.00 |" in figures
    assert "ontology" not in figures
    assert "- `no ontology`: `ontology.{a, b}`" in folded
