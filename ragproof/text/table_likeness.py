"""How alike two tables are: the tree-edit-distance-based similarity (TEDS)."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.text.edits import distance
from ragproof.text.html_table import CELLS, Element, content, elements
from ragproof.text.tree_edit import Tree, tree_distance

MOST = 10**7
"""The largest product of the tables' nodes that is compared."""


@dataclass(frozen=True, slots=True)
class _Node:
    tag: str
    colspan: int = 1
    rowspan: int = 1
    content: tuple[str, ...] = ()


def table_likeness(reference: Element, other: Element, *, structure: bool = False) -> float:
    """1 less the edit distance of the trees per node of the larger one (Zhong et al. 2020).

    A node is an element below the table, those within cells too; cells are the leaves of the trees.
    It costs 1 to insert or delete a node, 1 to change a tag, a colspan or a rowspan; other cells
    differ by the edits of their content, per token of the longer one. With `structure` cells have
    no content. Raises ValueError for tables that it would take minutes to compare.

    >>> from ragproof.text.html_table import table_in
    >>> a, b = (table_in(f"<table><tr><td>{cell}</td></tr></table>") for cell in ("ab", "ax"))
    >>> table_likeness(a, b), table_likeness(a, b, structure=True)
    (0.75, 1.0)
    """
    sizes = [sum(1 for _ in elements(table)) for table in (reference, other)]
    if not max(sizes):
        return 1.0
    trees = [_tree(table, structure=structure) for table in (reference, other)]
    lengths = [len(tree.nodes) for tree in trees]
    if lengths[0] * lengths[1] > MOST:
        raise ValueError(
            f"tables of {lengths[0]:,} and {lengths[1]:,} nodes are too large to be compared; "
            f"the product must be at most {MOST:,}"
        )
    found = 1 - tree_distance(trees[0], trees[1], _renamed) / max(sizes)
    return max(0.0, found)  # both may lack nodes, and then the root's own edit is more than all


def _tree(table: Element, *, structure: bool) -> Tree[_Node]:
    elements_of = Tree.of(table, lambda one: [] if one.tag in CELLS else one.children)
    nodes = [_node(one, structure=structure) for one in elements_of.nodes]
    return Tree(nodes, elements_of.leftmost)


def _node(element: Element, *, structure: bool) -> _Node:
    if element.tag not in CELLS:
        return _Node(element.tag)
    inside = () if structure else content(element)
    return _Node(element.tag, element.span("colspan"), element.span("rowspan"), inside)


def _renamed(one: _Node, other: _Node) -> float:
    if (one.tag, one.colspan, one.rowspan) != (other.tag, other.colspan, other.rowspan):
        return 1.0
    longest = max(len(one.content), len(other.content))
    return distance(one.content, other.content) / longest if longest else 0.0
