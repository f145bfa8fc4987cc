"""What holds between the metrics of parsing and cleaning, and on bad input."""

from __future__ import annotations

from typing import Any

import pytest
from fixture import by_label, outcome
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import (
    CaseRun,
    Cause,
    DocumentCase,
    Failed,
    NotApplicable,
    Observation,
    Outcome,
    Parsed,
    Scored,
)
from ragproof.core.case import Document, Element, TypedSpan
from ragproof.metrics import catalog
from ragproof.metrics.elements import items_of
from ragproof.metrics.personal import reach, shares
from ragproof.text.edits import likeness

words = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=12).map(" ".join)
cells = st.lists(st.lists(st.sampled_from(["a", "bc", ""]), max_size=3), max_size=3)


def run_of(parsed: Parsed, **labels: Any) -> CaseRun:
    case = DocumentCase(id="d", document=Document(path="d.pdf"), **labels)
    return CaseRun(case, Observation(case_id="d", parsed=parsed))


def value(metric_id: str, run: CaseRun, **params: object) -> float:
    found = outcome(catalog.build(metric_id, **params), run)
    assert isinstance(found, Scored), found
    return found.value


def of(metric_id: str, run: CaseRun) -> Outcome:
    return outcome(catalog.build(metric_id), run)


@settings(max_examples=50)
@given(reference=words.filter(lambda text: bool(text)), parsed=words)
def test_words_lost_replaced_and_added_are_the_words_that_are_wrong(
    reference: str, parsed: str
) -> None:
    run = run_of(Parsed(text=parsed), expected_text=reference)
    parts = ("omission", "substitution", "insertion")
    rates = [value(f"ingestion.{one}_rate", run) for one in parts]
    assert sum(rates) == pytest.approx(value("ingestion.wer", run))


def html(rows: list[list[str]]) -> str:
    shown = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{shown}</table>"


@settings(max_examples=50)
@given(expected=cells, parsed=cells)
def test_the_structure_of_a_table_is_never_worse_than_all_of_it(
    expected: list[list[str]], parsed: list[list[str]]
) -> None:
    run = run_of(Parsed(text="", tables=(html(parsed),)), expected_tables=(html(expected),))
    structure, whole = value("ingestion.teds_structure", run), value("ingestion.teds", run)
    assert structure >= whole - 1e-12
    same = run_of(Parsed(text="", tables=(html(expected),)), expected_tables=(html(expected),))
    assert value("ingestion.teds", same) == 1


def test_an_expected_table_that_is_none_is_an_error_that_names_it() -> None:
    run = run_of(Parsed(text="", tables=()), expected_tables=("<table></table>", "a | b"))
    found = of("ingestion.teds", run)
    assert isinstance(found, Failed)
    assert found.cause is Cause.METRIC
    assert "expected_tables[1] has no <table> in it" in found.message


def test_no_parser_output_improves_a_figure_by_being_left_out() -> None:
    """An empty text counts as all wrong; only an empty reference is left out, and says so."""
    nothing = run_of(Parsed(text=""), expected_text="a b")
    assert value("ingestion.cer", nothing) == value("ingestion.wer", nothing) == 1
    assert value("ingestion.omission_rate", nothing) == 1
    empty = of("ingestion.wer", run_of(Parsed(text="a b"), expected_text=" \n"))
    assert empty == NotApplicable("the reference is empty", {"inserted": 3})


@settings(max_examples=50)
@given(
    span=st.tuples(st.integers(-2, 12), st.integers(-2, 14)),
    others=st.lists(st.tuples(st.integers(-2, 12), st.integers(-2, 14)), max_size=5),
)
def test_spans_share_what_counting_characters_says(
    span: tuple[int, int], others: list[tuple[int, int]]
) -> None:
    there = {at for start, end in others for at in range(start, end)}
    assert shares(span, reach(others)) == bool(there & set(range(*span)))


def test_the_operating_point_moves_with_the_least_score() -> None:
    gold = (TypedSpan(start=0, end=4, type="NAME"), TypedSpan(start=9, end=12, type="NAME"))
    found = tuple(
        TypedSpan(start=start, end=end, type="NAME", score=score)
        for start, end, score in ((0, 4, 0.9), (5, 8, 0.6), (9, 12, 0.4))
    )
    run = run_of(Parsed(text="", pii=found), expected_pii=gold)
    at = {
        least: tuple(
            value(f"ingestion.pii_micro_{one}", run, min_score=least)
            for one in ("precision", "recall")
        )
        for least in (0.0, 0.5, 0.8)
    }
    assert at == {0.0: (2 / 3, 1.0), 0.5: (0.5, 0.5), 0.8: (1.0, 0.5)}


@pytest.mark.parametrize(
    ("metric_id", "params"),
    [
        ("ingestion.cer", {"form": "nfc"}),
        ("ingestion.pii_recall", {"match": "fuzzy"}),
        ("ingestion.confusables", {"policy": "all"}),
        ("ingestion.element_recall", {"similarity": 0.0}),
        ("ingestion.invisible_characters", {"ignore": "200B"}),
        ("ingestion.extraction_length_ratio", {"low": 2.0}),
    ],
)
def test_a_parameter_that_means_nothing_is_refused(
    metric_id: str, params: dict[str, object]
) -> None:
    with pytest.raises(Exception, match=r"got"):
        catalog.build(metric_id, **params)


def test_types_of_elements_do_not_depend_on_how_they_are_written() -> None:
    from_dataset = [{"type": "Section Header", "text": "Scope"}]
    run = run_of(
        Parsed(text="", elements=elements(from_dataset)),
        expected_elements=elements([{"type": "section-header", "text": "SCOPE"}]),
    )
    found = by_label(catalog.build("ingestion.element_recall"), run)
    assert {name: getattr(one, "value", None) for name, one in found.items()} == {
        "section_header": 1.0
    }


def elements(lines: list[dict[str, Any]]) -> Any:
    return tuple(Element(**line) for line in lines)


items = st.lists(st.text("ab ", min_size=1, max_size=6), min_size=1, max_size=3)


@settings(max_examples=60)
@given(
    expected=st.lists(items, min_size=1, max_size=4),
    parsed=st.lists(items, max_size=4),
    similarity=st.sampled_from([0.5, 0.8, 1.0]),
)
def test_each_list_takes_the_first_that_is_as_alike(
    expected: list[list[str]], parsed: list[list[str]], similarity: float
) -> None:
    sides = [
        elements([{"type": "list", "text": "\n".join(one)} for one in side])
        for side in (expected, parsed)
    ]
    run = run_of(Parsed(text="", elements=sides[1]), expected_elements=sides[0])
    wanted, left = items_of(sides[0]), items_of(sides[1])
    whole = 0
    for one in wanted:
        for place, other in enumerate(left):
            alike = (likeness(a, b) >= similarity for a, b in zip(one, other, strict=False))
            if len(one) == len(other) and all(alike):
                whole += 1
                del left[place]
                break
    found = value("ingestion.list_integrity", run, similarity=similarity)
    assert found == pytest.approx(whole / len(wanted))
