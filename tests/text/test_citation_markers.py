"""Citation markers are found, and what merely stands in brackets is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.text.citation_markers import cited, markers, without_markers

ALCE = Path(__file__).parents[3] / "shared/data/alce/human_eval_utility_completed.json"
IDS = ("a", "doc-1", "c_3", "x y")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[1]", ("a",)),
        ("[1][2]", ("a", "doc-1")),
        ("[1, 3]", ("a", "c_3")),
        ("[2-4]", ("doc-1", "c_3", "x y")),
        ("[doc-1]", ("doc-1",)),
        ("[DOC-1; x y]", ("doc-1", "x y")),
        ("[doc 2 and doc 3]", ("doc-1", "c_3")),
        ("(source: doc-1, p. 3)", ("doc-1",)),
        ("(Source: elsewhere)", ("elsewhere",)),
        ("(see source 3)", ("c_3",)),
        ("(source 3)", ("c_3",)),
        ("\u30103\u2020source\u3011", ("c_3",)),
        ("\u30104:0\u2020doc-1\u3011", ("doc-1",)),
        ("Red[^n].\n\n[^n]: c_3", ("c_3",)),
        ("Red [9].\n\nReferences\n[9] in doc-1, page 2", ("doc-1",)),
        ("[1](https://x.y)", ("a",)),
        ("[9]", ("9",)),
    ],
)
def test_a_marker_names_what_it_stands_for(text: str, named: tuple[str, ...]) -> None:
    assert cited(text, IDS) == named


@pytest.mark.parametrize(
    "text",
    ["[sic]", "[...]", "[2019]", "[0, 1]", "`x[1]`", "[here](http://x.y)", "(1999)", "[a man]", ""],
)
def test_words_code_links_years_and_intervals_are_none(text: str) -> None:
    assert markers(text, IDS) == ()


def test_an_id_goes_before_a_place() -> None:
    assert cited("[1]", ("2", "1")) == ("1",)


@given(st.text(max_size=60))
@settings(max_examples=50)
def test_any_text_can_be_read_and_keeps_what_is_no_marker(text: str) -> None:
    for one in markers(text, IDS):
        assert 0 <= one.start < one.end <= len(text)
        assert one.ids
    assert len(without_markers(text, IDS)) <= len(text)


@pytest.mark.shared_data
def test_none_of_the_brackets_in_real_answers_is_taken_for_an_id() -> None:
    if not ALCE.is_file():
        pytest.skip(f"the data of ALCE are not at {ALCE}")
    answers = [
        answer["output"] or ""
        for systems in json.loads(ALCE.read_text(encoding="utf-8")).values()
        for answers in systems.values()
        for answer in answers.values()
        if "output" in answer
    ]
    assert sum("(" in one or "[" in one for one in answers) > 50
    assert [one for one in answers if markers(one)] == []
    numbered = [f"{one} [1][3]" for one in answers if one.strip()]
    assert {cited(one, ("k", "l", "m")) for one in numbered} == {("k", "m")}
