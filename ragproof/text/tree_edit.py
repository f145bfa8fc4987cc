"""The least cost of making one ordered tree of another (Zhang and Shasha 1989)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Floats: TypeAlias = NDArray[np.float64]
FEW = 24
"""Up to this many columns a row is filled by plain arithmetic, above it by numpy."""


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

    @property
    def starts(self) -> list[int]:
        """The highest node above each first leaf, in order: where subtrees have to be compared."""
        return sorted({leaf: at for at, leaf in enumerate(self.leftmost)}.values())


def tree_distance(one: Tree[T], other: Tree[T], renamed: Callable[[T, T], float]) -> float:
    """Cost of the cheapest edits: 1 to insert or delete a node, `renamed` (at most 1) to change it.

    >>> a = Tree.of("abc", lambda node: list(node[1:]))  # a root with two leaves
    >>> b = Tree.of("ab", lambda node: list(node[1:]))
    >>> tree_distance(a, b, lambda x, y: float(x[0] != y[0]))
    1.0
    """
    rename = np.array([[renamed(mine, theirs) for theirs in other.nodes] for mine in one.nodes])
    between = np.zeros((len(one.nodes), len(other.nodes)))
    theirs = other.starts
    leaves = [at for at in theirs if other.leftmost[at] == at]
    trees = [at for at in theirs if other.leftmost[at] != at]
    for mine in one.starts:
        size = mine - one.leftmost[mine] + 1
        if size == 1:
            between[mine, leaves] = rename[mine, leaves]
        else:  # all but the node that the leaf becomes is deleted
            for leaf in leaves:
                _leaf(between[:, leaf], rename[:, leaf], one, mine)
        for tree in trees:
            if size == 1:
                _leaf(between[mine], rename[mine], other, tree)
            else:
                _subtrees(one, other, mine, tree, rename, between)
    return float(between[-1, -1])


def _leaf(between: Floats, rename: Floats, tree: Tree[T], root: int) -> None:
    """Distances of a leaf to the nodes from a root down to its first leaf."""
    start = tree.leftmost[root]
    cheapest = np.minimum.accumulate(rename[start : root + 1])
    for at in range(start, root + 1):
        if tree.leftmost[at] == start:
            between[at] = at - start + cheapest[at - start]


def _subtrees(
    one: Tree[T], other: Tree[T], mine: int, theirs: int, rename: Floats, between: Floats
) -> None:
    """Distances of all pairs of nodes on the two ways down to the first leaves."""
    top, left = one.leftmost[mine], other.leftmost[theirs]
    width = theirs - left + 1
    ends = np.array(other.leftmost[left : theirs + 1]) - left
    whole = ends == 0
    steps = np.arange(width + 1, dtype=np.float64)
    forest = np.zeros((mine - top + 2, width + 1))
    forest[0] = steps
    fill = _fill_few if width <= FEW else _fill
    for row in range(1, mine - top + 2):
        at = top + row - 1
        first = one.leftmost[at] - top
        aslant = forest[first][ends] + between[at, left : theirs + 1]
        if first == 0:
            changed = forest[row - 1][:-1] + rename[at, left : theirs + 1]
            aslant = np.where(whole, changed, aslant)
        fill(forest, row, aslant, steps)
        if first == 0:
            found = np.flatnonzero(whole)
            between[at, left + found] = forest[row][found + 1]


def _fill_few(forest: Floats, row: int, aslant: Floats, _steps: Floats) -> None:
    values = [float(row)]
    for above, other in zip(forest[row - 1].tolist()[1:], aslant.tolist(), strict=True):
        values.append(min(above + 1, values[-1] + 1, other))
    forest[row] = values


def _fill(forest: Floats, row: int, aslant: Floats, steps: Floats) -> None:
    best = np.empty(len(steps))
    best[0] = row
    np.minimum(forest[row - 1][1:] + 1, aslant, out=best[1:])
    forest[row] = np.minimum.accumulate(best - steps) + steps
