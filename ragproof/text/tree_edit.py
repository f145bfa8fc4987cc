"""The least cost of making one ordered tree of another (Zhang and Shasha 1989)."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=Hashable)
Floats: TypeAlias = NDArray[np.float64]
Flat: TypeAlias = tuple[int, list[int]]
"""Number of leaves, and the roots that have so many."""
FEW = 24
"""Up to this size plain arithmetic is faster than numpy."""


@dataclass(frozen=True)
class Tree(Generic[T]):
    """An ordered tree, its nodes in postorder: children first."""

    nodes: Sequence[T]
    leftmost: Sequence[int]
    """For each node the place of the first leaf below it; a leaf's own."""

    @classmethod
    def of(cls, root: T, children: Callable[[T], Sequence[T]]) -> Tree[T]:
        """Walk a tree, however deep it is."""
        nodes: list[T] = []
        leftmost: list[int] = []
        waiting: list[tuple[T, int]] = [(root, -1)]
        while waiting:
            node, first = waiting.pop()
            below = children(node) if first < 0 else ()
            if below:
                waiting.append((node, len(nodes)))
                waiting += [(child, -1) for child in reversed(below)]
            else:
                leftmost.append(len(nodes) if first < 0 else first)
                nodes.append(node)
        return cls(nodes, leftmost)


def tree_distance(one: Tree[T], other: Tree[T], renamed: Callable[[T, T], float]) -> float:
    """Cost of the cheapest edits: 1 to insert or delete a node, `renamed` (at most 1) to change it.

    >>> a = Tree.of("abc", lambda node: list(node[1:]))  # a root with two leaves
    >>> b = Tree.of("ab", lambda node: list(node[1:]))
    >>> tree_distance(a, b, lambda x, y: float(x[0] != y[0]))
    1.0
    """
    rename = _renames(one.nodes, other.nodes, renamed)
    between = np.zeros(rename.shape)
    mine, theirs = _starts(one), _starts(other)
    between[np.ix_(mine.leaves, theirs.leaves)] = rename[np.ix_(mine.leaves, theirs.leaves)]
    for tree in theirs.trees:
        _leaves(between, rename, mine.single, other, tree)
    for tree in mine.trees:
        _leaves(between.T, rename.T, theirs.single, one, tree)
    for rows in mine.flat.items():
        for columns in theirs.flat.items():
            _flat(between, rename, rows, columns)
    flat = [set(itertools.chain(*starts.flat.values())) for starts in (mine, theirs)]
    for top in mine.trees:
        for tree in theirs.trees:
            if top not in flat[0] or tree not in flat[1]:
                _subtrees(one, other, top, tree, rename, between)
    return float(between[-1, -1])


def _renames(one: Sequence[T], other: Sequence[T], renamed: Callable[[T, T], float]) -> Floats:
    """What it costs to change each node to each; nodes that are equal are asked for once."""
    mine, theirs = ({node: at for at, node in enumerate(dict.fromkeys(n))} for n in (one, other))
    costs = np.array([[renamed(node, to) for to in theirs] for node in mine])
    return costs[np.ix_([mine[node] for node in one], [theirs[node] for node in other])]


@dataclass(frozen=True)
class _Starts:
    """The highest node above each first leaf: where subtrees have to be compared."""

    leaves: list[int]
    trees: list[int]
    flat: Mapping[int, list[int]]
    """Of the trees those that are a root with leaves, by the number of leaves."""

    @property
    def single(self) -> list[int]:
        """The leaves, and the first ones of the flat trees, which nothing else comes by."""
        first = [root - count for count, roots in self.flat.items() for root in roots]
        return self.leaves + first


def _starts(tree: Tree[T]) -> _Starts:
    highest = sorted({leaf: at for at, leaf in enumerate(tree.leftmost)}.values())
    leaves = [at for at in highest if tree.leftmost[at] == at]
    trees = [at for at in highest if tree.leftmost[at] != at]
    flat: dict[int, list[int]] = defaultdict(list)
    for root in trees:
        first = tree.leftmost[root]
        if tree.leftmost[first:root] == list(range(first, root)):
            flat[root - first].append(root)
    return _Starts(leaves, trees, flat)


def _flat(between: Floats, rename: Floats, mine: Flat, theirs: Flat) -> None:
    """Distances of many roots with as many leaves each to many such: all at once.

    To change root into root and leaves into leaves is never dearer than anything else, since no
    change costs more than 1; what is left is the distance of two lists.
    """
    (height, rows), (width, columns) = mine, theirs
    ends = np.array(rows), np.array(columns)
    pairs = np.ix_(*ends)
    above = [np.full(rename[pairs].shape, float(at)) for at in range(width + 1)]
    for row in range(height):
        values = [np.full_like(above[0], row + 1.0)]
        for column in range(width):
            cost = rename[np.ix_(ends[0] - height + row, ends[1] - width + column)]
            either = np.minimum(above[column + 1], values[column]) + 1
            values.append(np.minimum(either, above[column] + cost))
        above = values
    between[pairs] = above[-1] + rename[pairs]


def _leaves(between: Floats, rename: Floats, leaves: list[int], tree: Tree[T], root: int) -> None:
    """Distances of leaves to the nodes from a root down to its first leaf.

    All but the node that the leaf becomes is deleted.
    """
    start = tree.leftmost[root]
    cheapest = np.minimum.accumulate(rename[leaves, start : root + 1], axis=1)
    down = [at for at in range(start, root + 1) if tree.leftmost[at] == start]
    steps = np.array(down) - start
    between[np.ix_(leaves, down)] = steps + cheapest[:, steps]


def _subtrees(
    one: Tree[T], other: Tree[T], mine: int, theirs: int, rename: Floats, between: Floats
) -> None:
    """Distances of all pairs of nodes on the two ways down to the first leaves."""
    sizes = mine - one.leftmost[mine], theirs - other.leftmost[theirs]
    if max(sizes) <= FEW:
        _few(one, other, mine, theirs, rename, between)
    elif sizes[0] <= sizes[1]:
        _many(one, other, mine, theirs, rename, between)
    else:
        _many(other, one, theirs, mine, rename.T, between.T)


def _few(
    one: Tree[T], other: Tree[T], mine: int, theirs: int, rename: Floats, between: Floats
) -> None:
    """The same by plain arithmetic."""
    top, left = one.leftmost[mine], other.leftmost[theirs]
    ends = [at - left for at in other.leftmost[left : theirs + 1]]
    costs = rename[top : mine + 1, left : theirs + 1].tolist()
    known = between[top : mine + 1, left : theirs + 1].tolist()
    forest = [[float(at) for at in range(len(ends) + 1)]]
    for row, (cost, distance) in enumerate(zip(costs, known, strict=True)):
        first = one.leftmost[top + row] - top
        above, aside = forest[row], forest[first]
        last = row + 1.0
        values = [last]
        for column, end in enumerate(ends):
            both = not first and not end
            aslant = above[column] + cost[column] if both else aside[end] + distance[column]
            last = min(above[column + 1] + 1, last + 1, aslant)
            values.append(last)
            if both:
                distance[column] = last
        forest.append(values)
    between[top : mine + 1, left : theirs + 1] = known


def _many(
    one: Tree[T], other: Tree[T], mine: int, theirs: int, rename: Floats, between: Floats
) -> None:
    """The same, a row at once."""
    top, left = one.leftmost[mine], other.leftmost[theirs]
    ends = np.array(other.leftmost[left : theirs + 1]) - left
    whole = np.flatnonzero(ends == 0)
    steps = np.arange(len(ends) + 1, dtype=np.float64)
    forest = np.empty((mine - top + 2, len(ends) + 1))
    forest[0] = steps
    best = np.empty(len(ends) + 1)
    for row, at in enumerate(range(top, mine + 1)):
        first = one.leftmost[at] - top
        best[0] = row + 1
        aslant = forest[first][ends] + between[at, left : theirs + 1]
        if first == 0:
            aslant[whole] = forest[row][whole] + rename[at, left + whole]
        np.minimum(forest[row][1:] + 1, aslant, out=best[1:])
        # a step aside costs 1: the least of all before, each with its steps
        forest[row + 1] = np.minimum.accumulate(best - steps) + steps
        if first == 0:
            between[at, left + whole] = forest[row + 1][whole + 1]
