"""Exact search against the plainest way to write it down."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import UsageError
from ragproof.index import exact as exact_module
from ragproof.index.exact import Distance, exact
from ragproof.index.filters import Filters
from ragproof.index.recall import Truth, first_of_its_kind
from ragproof.index.vectors import Vectors


def vectors(values: object) -> Vectors:
    return Vectors.of(np.array(values, dtype=np.float32), "here")


def near(vector: np.ndarray, query: np.ndarray, distance: Distance) -> float:
    if distance is Distance.L2:
        return -float(((vector - query) ** 2).sum())
    product = float(vector @ query)
    if distance is Distance.IP:
        return product
    return product / float(np.linalg.norm(vector) * np.linalg.norm(query))


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**16),
    size=st.integers(1, 40),
    k=st.integers(1, 12),
    distance=st.sampled_from(list(Distance)),
    block=st.sampled_from([3, 8, 100]),
)
def test_the_nearest_are_those_of_a_full_sort(
    seed: int, size: int, k: int, distance: Distance, block: int
) -> None:
    draw = np.random.default_rng(seed)
    some, queries = (vectors(draw.standard_normal((n, 4)) + 3) for n in (size, 5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_module, "VECTORS", block)
        patch.setattr(exact_module, "QUERIES", 2)
        found = exact(some, queries, distance, k)
    wide = some.values.astype(np.float64)
    for at, query in enumerate(queries.values.astype(np.float64)):
        scores = [near(one, query, distance) for one in wide]
        best = sorted(range(size), key=lambda row: (-scores[row], row))[:k]
        assert found.places[at, : len(best)].tolist() == best
        assert (found.places[at, len(best) :] == -1).all()
        np.testing.assert_allclose(found.scores[at, : len(best)], sorted(scores)[::-1][:k])


@settings(max_examples=30)
@given(seed=st.integers(0, 2**16), k=st.integers(1, 6))
def test_exact_search_finds_all_of_itself_and_random_rows_never_more(seed: int, k: int) -> None:
    draw = np.random.default_rng(seed)
    some, queries = vectors(draw.integers(-1, 2, (20, 3)) + 5.0), vectors(np.eye(3) + 1)
    truth = Truth(some, queries, Distance.L2, exact(some, queries, Distance.L2, k))
    assert truth.recall(truth.exact.places).tolist() == [1.0] * 3
    places = draw.integers(-1, 20, (3, k))
    recall = truth.recall(places)
    assert ((recall >= 0) & (recall <= 1)).all()
    assert (truth.recall(places[:, ::-1]) == recall).all()


def test_one_equally_near_as_the_last_counts() -> None:
    some = vectors([[1, 0], [0, 1], [0, -1], [5, 5]])
    truth = Truth(
        some, vectors([[0, 0]]), Distance.L2, exact(some, vectors([[0, 0]]), Distance.L2, 2)
    )
    assert truth.exact.places.tolist() == [[0, 1]]
    assert truth.recall(np.array([[2, 1]])).tolist() == [1.0]
    assert truth.recall(np.array([[2, 3]])).tolist() == [0.5]


def test_vectors_far_from_the_origin_are_told_apart() -> None:
    some = vectors([[10_000.0, 0.02], [10_000.0, 0.01], [10_000.0, 0.03]])
    query = vectors([[10_000.0, 0.0]])
    truth = Truth(some, query, Distance.L2, exact(some, query, Distance.L2, 1))
    assert truth.exact.places.tolist() == [[1]]
    assert truth.recall(np.array([[0]])).tolist() == [0.0]


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e7])
def test_where_all_vectors_lie_makes_no_difference_to_the_euclidean_distance(offset: float) -> None:
    """Squares of 1e7 leave a double no digits for distances of 1."""
    draw = np.random.default_rng(5)
    some, queries = (
        Vectors.of(draw.integers(-99, 99, (n, 3)) / 64 + offset, "here") for n in (50, 20)
    )
    truth = Truth(some, queries, Distance.L2, exact(some, queries, Distance.L2, 3))
    for at, query in enumerate(queries.values):
        near = -((some.values - query) ** 2).sum(axis=1)
        assert truth.exact.places[at].tolist() == np.lexsort((np.arange(50), -near))[:3].tolist()
    worst = exact(some, queries, Distance.L2, 50).places[:, -3:]
    assert truth.recall(worst).tolist() == [0.0] * 20


def test_a_row_that_comes_again_counts_once() -> None:
    places = np.array([[3, 3, 1], [2, -1, -1]])
    assert first_of_its_kind(places).tolist() == [[True, False, True], [True, True, False]]
    some = vectors([[1, 0], [2, 0], [3, 0]])
    truth = Truth(some, vectors([[0, 0]]), Distance.L2, exact(some, some, Distance.L2, 2))
    assert truth.hits(np.array([[0, 0]])).tolist()[:1] == [1]


def test_under_a_filter_only_what_it_allows_is_held_to() -> None:
    some, queries = vectors([[1, 0], [2, 0], [3, 0], [4, 0]]), vectors([[0, 0]] * 3)
    filters = Filters((np.array([1, 3]), np.array([2]), np.array([], dtype=int)), np.arange(3))
    truth = Truth(
        some, queries, Distance.L2, exact(some, queries, Distance.L2, 2, filters), filters
    )
    assert truth.exact.places.tolist() == [[1, 3], [2, -1], [-1, -1]]
    assert truth.wanted.tolist() == [2, 1, 0]
    recall = truth.recall(np.array([[0, 1], [2, 0], [0, 1]]))
    assert recall[:2].tolist() == [0.5, 1.0]
    assert np.isnan(recall[2])


def test_a_vector_of_length_0_has_no_cosine() -> None:
    some = vectors([[1, 0], [0, 0]])
    with pytest.raises(UsageError, match=r"here: row 1 \(from 0\): all its numbers are 0"):
        exact(some, vectors([[1, 0]]), Distance.COSINE, 1)
    assert exact(some, vectors([[1, 0]]), Distance.IP, 1).places.tolist() == [[0]]
