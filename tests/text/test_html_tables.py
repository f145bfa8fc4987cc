"""HTML of every kind is read as a table, and trees are as far apart as they are."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.text import tree_edit
from ragproof.text.html_table import content, elements, table_in, text_of
from ragproof.text.table_likeness import table_likeness
from ragproof.text.tree_edit import Tree, tree_distance

Node: TypeAlias = tuple[str, tuple[Any, ...]]
nodes = st.recursive(
    st.sampled_from("abc").map(lambda name: (name, ())),
    lambda below: st.tuples(st.sampled_from("abc"), st.lists(below, max_size=3).map(tuple)),
    max_leaves=7,
)


def cost(one: str, other: str) -> float:
    return {("a", "b"): 0.3, ("b", "a"): 0.3}.get((one, other), float(one != other))


def size(forest: tuple[Node, ...]) -> int:
    return sum(1 + size(below) for _, below in forest)


@cache
def by_definition(one: tuple[Node, ...], other: tuple[Node, ...]) -> float:
    """The distance of two forests: what becomes of the last root of each."""
    if not one or not other:
        return float(size(one) + size(other))
    (name, below), (called, beneath) = one[-1], other[-1]
    return min(
        by_definition(one[:-1] + below, other) + 1,
        by_definition(one, other[:-1] + beneath) + 1,
        by_definition(one[:-1], other[:-1]) + by_definition(below, beneath) + cost(name, called),
    )


def tree(root: Node) -> Tree[Node]:
    return Tree.of(root, lambda node: node[1])


@settings(max_examples=50)
@given(one=nodes, other=nodes, few=st.sampled_from([0, 3, 24]))
def test_the_distance_of_trees_is_that_of_its_definition(one: Node, other: Node, few: int) -> None:
    before, tree_edit.FEW = tree_edit.FEW, few
    try:
        found = tree_distance(tree(one), tree(other), lambda a, b: cost(a[0], b[0]))
    finally:
        tree_edit.FEW = before
    assert found == pytest.approx(by_definition((one,), (other,)))


def outline(html: str) -> list[str]:
    table = table_in(html)
    return [] if table is None else [one.tag for one in elements(table)]


@pytest.mark.parametrize(
    ("html", "tags"),
    [
        ("<table><tr><td>a<td>b<tr><th>c", ["tr", "td", "td", "tr", "th"]),
        ("<table><thead><tr><td>a<tbody><tr><td>b", ["thead", "tr", "td", "tbody", "tr", "td"]),
        ("<TABLE><TR><TD>a</TD></TR></TABLE>", ["tr", "td"]),
        ("<table><tr><td>a</table><p>after<table><tr><th>b", ["tr", "td"]),
        ("<table><tr><td><table><tr><td>x</table>y<td>z", ["tr", "td", "table", "tr", "td", "td"]),
        ("</td></table><table><tr></b><td><ul><li>a<li>b", ["tr", "td", "ul", "li", "li"]),
        ("<table><!-- <tr> --><tr><td>a<br>b", ["tr", "td", "br"]),
        ("<p>no table</p>", []),
        ("", []),
        ("<table", []),
        ("<table><tr><td>a &lt; b", ["tr", "td"]),
    ],
)
def test_html_is_closed_where_it_is_open(html: str, tags: list[str]) -> None:
    assert outline(html) == tags


def test_spans_that_are_none_count_as_one() -> None:
    table = table_in("<table><tr><td colspan='2'><td colspan='x' rowspan=0><td colspan=99999>")
    assert table is not None
    spans = [(one.span("colspan"), one.span("rowspan")) for one in elements(table)][1:]
    assert spans == [(2, 1), (1, 1), (1000, 1)]


def test_a_cell_is_characters_and_tags_and_reads_as_text() -> None:
    table = table_in("<table><tr><td>a &amp; <b>b</b><td>c</table>")
    assert table is not None
    first = next(elements(table)).children[0]
    assert content(first) == ("a", " ", "&", " ", "<b>", "b", "</b>")
    assert text_of(table) == "a & b c"


def test_tables_nested_without_end_do_not_end_the_run() -> None:
    deep = "<table><tr><td>" * 3000
    assert table_in(deep) is not None
    assert outline(deep)[:2] == ["tr", "td"]


def test_tables_too_large_to_compare_say_so() -> None:
    large = table_in("<table>" + "<tr><td>a<td>b" * 1500)
    assert large is not None
    with pytest.raises(ValueError, match=r"tables of 4,501 and 4,501 nodes are too large"):
        table_likeness(large, large)
