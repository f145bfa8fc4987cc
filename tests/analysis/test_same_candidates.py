"""Whether two rerankers were given the same."""

from __future__ import annotations

from ragproof.analysis.same_candidates import same_candidates

AB, BA, AC = frozenset("ab"), frozenset("ba"), frozenset("ac")


def test_a_set_is_the_same_whatever_its_order() -> None:
    found = same_candidates({("q1", 0): AB, ("q2", 0): AB}, {("q1", 0): BA, ("q3", 0): AC})
    assert (found.same, found.differ, found.not_told, found.told) == (1, 0, 0, None)


def test_what_differs_is_counted_and_named() -> None:
    found = same_candidates(
        {("q1", 0): AB, ("q1", 1): AB, ("q2", 0): AB}, {("q1", 0): AC, ("q1", 1): AC, ("q2", 0): AB}
    )
    assert (found.same, found.differ, found.named) == (1, 2, ("q1",))
    assert found.told == (
        "the candidates before reranking differ in 2 of 3 cases (q1): "
        "the change is not the reranker's alone"
    )


def test_what_is_not_told_is_not_taken_for_the_same() -> None:
    found = same_candidates({("q1", 0): AB, ("q2", 0): None}, {("q1", 0): AB, ("q2", 0): AB})
    assert found.not_told == 1
    assert found.told is not None
    assert "that they are the same is not known" in found.told


def test_empty_sets_are_sets() -> None:
    assert same_candidates({("q", 0): frozenset()}, {("q", 0): frozenset()}).same == 1
