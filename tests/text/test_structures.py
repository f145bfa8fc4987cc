"""Tables, lists and numbered sections, as documents write them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.text.structures import structures
from ragproof.text.whereabouts import Whereabouts, bare

TABLE = "| a | b |\n|:--|--:|\n| 1 | 2 |"


def found(text: str) -> list[tuple[str, str]]:
    return [(one.kind, text[one.start : one.end]) for one in structures(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"x\n\n{TABLE}\n\ny", [("table", TABLE)]),
        ("a | b\n---|---\n1 | 2", [("table", "a | b\n---|---\n1 | 2")]),
        ("a | b\nc | d", []),
        ("- one\n- two", [("list", "- one\n- two")]),
        ("- one\n  goes on\n\n- two\nend", [("list", "- one\n  goes on\n\n- two")]),
        ("1. one\n2. two\n\nend", [("list", "1. one\n2. two")]),
        ("- alone\n\nend", []),
        ("<UL><li>a<ul><li>b</ul></UL> x", [("list", "<UL><li>a<ul><li>b</ul></UL>")]),
        ("<table><tr><td>1</table>", [("table", "<table><tr><td>1</table>")]),
        ("<table> never closed", []),
        ("</table> <ul>x</ul>", [("list", "<ul>x</ul>")]),
        ("# 1 A\nx\n# B\ny", [("section", "# 1 A\nx")]),
        ("1.1 Terms\nx\n1.2 Pay\ny", [("section", "1.1 Terms\nx"), ("section", "1.2 Pay\ny")]),
        ("§ 5 Pay\nMonthly.", [("section", "§ 5 Pay\nMonthly.")]),
        ("Article 2\nText.", [("section", "Article 2\nText.")]),
        ("~~~\n- a\n- b\n~~~", []),
        ("", []),
    ],
)
def test_structures_are_told_by_how_they_are_written(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert found(text) == expected


@settings(max_examples=50)
@given(text=st.text(alphabet="ab |-\n#1.<>/ul", max_size=60))
def test_a_structure_is_a_stretch_of_the_text(text: str) -> None:
    for one in structures(text):
        assert 0 <= one.start < one.end <= len(text)
        assert text[one.start : one.end].strip() == text[one.start : one.end]


@settings(max_examples=50)
@given(
    text=st.text(alphabet="ab \n", max_size=30), start=st.integers(0, 30), size=st.integers(1, 9)
)
def test_a_part_is_found_where_it_stands_whatever_its_white_space(
    text: str, start: int, size: int
) -> None:
    part = " ".join(text[start : start + size].split())
    places = Whereabouts(text).places(part, most=100)
    assert all(bare(text[slice(*place)]) == bare(part) for place in places)
    assert bool(places) == bool(bare(part))
    if Whereabouts(text).once(part) is not None:
        assert len(places) == 1
