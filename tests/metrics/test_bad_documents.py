"""Whatever a parser, a cleaner, a chunker or a linker gives: a figure in range, or why there is
none. What a label says wrongly is an error that names it."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterable
from typing import Any

import pytest
from fixture import by_label
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import (
    CaseRun,
    Chunk,
    DocumentCase,
    Failed,
    Level,
    NotApplicable,
    Observation,
    Outcome,
    Parsed,
    Scored,
    SetRun,
    Skipped,
    Tools,
)
from ragproof.core.case import Boundary, Document, Element, Section, TypedSpan
from ragproof.engine.gather import Gathering
from ragproof.engine.score import outcomes
from ragproof.metrics import catalog

METRICS = {
    one: catalog.build(one)
    for one in catalog.ids()
    if one.startswith(("ingestion.", "chunking.")) and one != "chunking.coherence"
}
OF_CASES = {name: one for name, one in METRICS.items() if one.level is Level.CASE}
OF_SETS = {name: one for name, one in METRICS.items() if one.level is Level.SET}
PIECES = [
    *("", " ", "\n", "a", "moon ", "e\u0301", "\u0301", "\ufb01", "\u05e9\u05dc\u05d5\u05dd "),
    *("\u0627\u0644\u0642\u0645\u0631 ", "\u202eabc\u202c", "\u200b", "\u00ad", "\U0001f600", "\0"),
    *("\ud800", "# Head\n", "\n\n", "- item\n", "1. first\n", "| a | b |\n|---|---|\n| c | d |\n"),
    *("<table>", "</table>", "<tr><td>x</td>", "<td colspan=999999>", "<td rowspan=-1>y", "</p>"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
places = st.integers(-3, 60) | st.sampled_from([10**6, 2**63])
tables = st.lists(st.builds("<table>{}".format, texts) | texts, max_size=3).map(tuple)
spans = st.lists(
    st.builds(
        TypedSpan,
        start=places,
        end=places,
        type=st.sampled_from(["NAME", "", "micro", "\ud800"]),
        score=st.none() | st.floats(-1, 2),
    ),
    max_size=5,
).map(tuple)
kinds = st.sampled_from(["heading", "list", "list item", "table", "caption", "footnote", "", "\0"])
elements = st.lists(
    st.builds(
        Element,
        type=kinds,
        text=texts,
        level=st.none() | st.integers(-1, 9),
        page=st.none() | st.integers(-1, 3),
        html=st.none() | texts,
    ),
    max_size=5,
).map(tuple)
stretches = st.lists(st.tuples(places, places), max_size=4).map(tuple)
triples = st.lists(st.tuples(texts, st.sampled_from(["in", "micro", ""]), texts), max_size=3).map(
    tuple
)
anything = st.none() | st.booleans() | st.floats() | texts | places | st.lists(texts, max_size=2)
chunks = st.lists(
    st.builds(
        Chunk,
        id=st.sampled_from("abc"),
        text=texts,
        metadata=st.dictionaries(
            st.sampled_from(
                ["start", "end", "document_id", "page", "section", "headings", "path", "Header 1"]
            ),
            anything,
            max_size=5,
        ),
    ),
    max_size=5,
).map(tuple)
parsed = st.builds(
    Parsed,
    text=texts,
    elements=st.none() | elements,
    tables=st.none() | tables,
    title=st.none() | texts,
    language=st.none() | st.sampled_from(["en", "", "und", "zh-Hans", "\u0301", "_", "\ud800"]),
    removed=st.none() | stretches,
    pii=st.none() | spans,
    named_entities=st.none() | spans,
    relations=st.none() | triples,
    duplicate_of=st.none() | st.sampled_from(["", "d", "nobody"]),
)
cases = st.builds(
    DocumentCase,
    id=st.just("d"),
    document=st.builds(Document, text=texts),
    expected_text=st.none() | texts,
    expected_tables=st.none() | tables,
    expected_elements=st.none() | elements,
    expected_language=st.none() | st.sampled_from(["en", "und", "zh-Hant"]),
    expected_title=st.none() | texts,
    expected_boilerplate=st.none() | stretches,
    expected_pii=st.none() | spans,
    expected_named_entities=st.none() | spans,
    expected_relations=st.none() | triples,
    duplicate_group=st.none() | st.just("g"),
    expected_sections=st.none()
    | st.lists(
        st.builds(Section, path=st.lists(texts, max_size=2).map(tuple), start=places, end=places),
        max_size=3,
    ).map(tuple),
    expected_boundaries=st.none()
    | st.lists(st.builds(Boundary, at=places, sensible=st.booleans()), max_size=3).map(tuple),
)
runs = st.builds(
    lambda case, seen, cut: CaseRun(case, Observation(case_id="d", parsed=seen, chunks=cut)),
    cases,
    st.none() | parsed,
    st.none() | chunks,
)


@settings(max_examples=150, deadline=None)
@given(run=runs)
def test_a_document_has_figures_in_range_or_says_why_not(run: CaseRun) -> None:
    for name, metric in OF_CASES.items():
        check(name, metric.spec.unit.range, by_label(metric, run).values())


@settings(max_examples=50, deadline=None)
@given(several=st.lists(runs, max_size=3))
def test_a_set_of_documents_has_figures_in_range_or_says_why_not(several: list[CaseRun]) -> None:
    for name, metric in OF_SETS.items():
        gathering = Gathering(metric)
        for run in several:
            gathering.add(run)
        [subject] = gathering.subjects().values()
        check(name, metric.spec.unit.range, of_set(metric, subject))


def of_set(metric: Any, subject: SetRun) -> list[Outcome]:
    rows = asyncio.run(outcomes(subject, {"m": metric}, Tools()))
    return [row.outcome for row in rows]


def check(name: str, allowed: tuple[float, float], found: Iterable[Outcome]) -> None:
    for one in found:
        if isinstance(one, Failed):  # a label that cannot be read is named, with what it is
            assert name in ("ingestion.teds", "ingestion.teds_structure"), (name, one)
            assert "expected_tables[" in one.message, one
            continue
        assert isinstance(one, Scored | Skipped | NotApplicable), (name, one)
        if isinstance(one, Scored):
            assert math.isfinite(one.value), name
            assert allowed[0] <= one.value <= allowed[1], (name, one)
            assert json.loads(json.dumps(one.evidence, allow_nan=False)) == one.evidence, name


def test_the_list_of_metrics_is_not_empty() -> None:
    assert len(OF_CASES) > 25
    assert {"ingestion.language_f1", "ingestion.missed_merge_rate", "chunking.size"} <= {*OF_SETS}


SENTENCE = "Phobos is the larger moon, שלום, and e\u0301 is composed. "
LONG = SENTENCE * (5_000_000 // len(SENTENCE))


@pytest.mark.parametrize("parser", [LONG[1_000:], ""])
def test_a_document_of_five_megabytes_has_its_figures(parser: str) -> None:
    mail = tuple(TypedSpan(start=at, end=at + 6, type="NAME") for at in range(0, 200_000, 55))
    case = DocumentCase(
        id="d",
        document=Document(text=LONG),
        expected_text=LONG,
        expected_pii=mail,
        expected_named_entities=mail,
        expected_boilerplate=((0, 10**7),),
    )
    seen = Parsed(text=parser, pii=mail, named_entities=mail, removed=((5, 10**7),))
    cut = tuple(
        Chunk(id=str(at), text=LONG[at : at + 1_100], metadata={"start": at, "end": at + 1_100})
        for at in range(0, len(LONG), 1_100)
    )
    run = CaseRun(case, Observation(case_id="d", parsed=seen, chunks=cut))
    for name, metric in OF_CASES.items():
        check(name, metric.spec.unit.range, by_label(metric, run).values())
