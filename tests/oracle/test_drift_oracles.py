"""The statistics of drift against scikit-learn, scipy and statsmodels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import entropy, fisher_exact
from sklearn.decomposition import PCA
from sklearn.linear_model import Ridge
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GroupKFold
from statsmodels.stats.proportion import confint_proportions_2indep

from ragproof.analysis.drift_classifier import SHRINKAGE, separation
from ragproof.analysis.drift_kl import divergences, principal
from ragproof.analysis.drift_mmd import discrepancy
from ragproof.analysis.drift_pool import Points, Pool
from ragproof.analysis.drift_slices import fisher, slices


def samples(n: int, m: int, shift: float, seed: int, groups: int | None = None) -> Pool:
    """Two normal samples; with `groups`, so many kinds of rows that are in both."""
    draw = np.random.default_rng(seed)
    values = [draw.normal(size=(n, 7)), draw.normal(size=(m, 7)) + shift]
    numbers = [np.arange(n), np.arange(n, n + m)]
    kin = numbers if groups is None else [one % groups for one in numbers]
    both = zip(values, numbers, kin, strict=True)
    return Pool(*(Points(value, {}, unit, each) for value, unit, each in both))


@pytest.mark.parametrize("seed", range(5))
def test_the_discrepancy_is_that_of_sklearns_kernel(seed: int) -> None:
    pool = samples(30, 45, 0.4, seed)
    found = discrepancy(pool, 1, np.random.default_rng(0))
    x, y = pool.reference.values, pool.current.values
    gamma = 1 / (2 * found.width**2)
    xx, yy, xy = rbf_kernel(x, x, gamma), rbf_kernel(y, y, gamma), rbf_kernel(x, y, gamma)
    n, m = len(x), len(y)
    expected = (xx.sum() - n) / (n * (n - 1)) + (yy.sum() - m) / (m * (m - 1)) - 2 * xy.mean()
    assert found.values[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_scores_and_area_are_those_of_sklearns_ridge_on_the_same_folds(seed: int) -> None:
    pool = samples(40, 60, 0.5, seed, groups=5)
    found = separation(pool, 1, np.random.default_rng(seed))
    rows, labels = pool.rows(np.arange(100)), pool.labels
    centred = rows - rows.mean(axis=0)
    won = pairs = 0.0
    for train, held in GroupKFold(5).split(rows, labels, pool.kin):
        alpha = SHRINKAGE * np.trace(centred[train].T @ centred[train]) / rows.shape[1]
        plain = Ridge(alpha=alpha, fit_intercept=False)
        scores = plain.fit(centred[train], labels[train] - labels.mean()).predict(centred[held])
        assert found.scores[held] == pytest.approx(scores, abs=1e-5)
        mine = labels[held].sum() * (~labels[held]).sum()
        won += roc_auc_score(labels[held], scores) * mine
        pairs += mine
    assert found.areas[0] == pytest.approx(won / pairs, abs=1e-9)


def test_the_divergence_is_scipys_entropy_of_the_smoothed_shares() -> None:
    pool = samples(80, 50, 0.6, 3)
    numbers = pool.rows(np.arange(130))[:, 0]
    found = divergences(pool, {"": numbers}, 1, np.random.default_rng(0))[""]
    edges = [-np.inf, *found.edges, np.inf]
    before, now = numbers[:80], numbers[80:]
    counts = [
        np.array([((low < side) & (side <= high)).sum() for low, high in pairwise(edges)])
        for side in (before, now)
    ]
    assert counts[0].tolist() == [8] * 10
    q, p = ((one + 0.5) / (one.sum() + 5) for one in counts)
    assert found.values[0] == pytest.approx(entropy(p, q), abs=1e-12)
    assert found.index == pytest.approx(entropy(p, q) + entropy(q, p), abs=1e-12)


def test_axes_are_the_components_of_sklearn() -> None:
    rows = samples(60, 1, 0.0, 1).reference.values * np.arange(1.0, 8.0)
    found, known = principal(rows, 3), PCA(3).fit(rows).components_
    assert np.abs((found * known).sum(axis=1)) == pytest.approx(np.ones(3), abs=1e-9)


def test_fishers_test_is_scipys() -> None:
    draw = np.random.default_rng(0)
    for _ in range(300):
        n, m = draw.integers(1, 80, 2).tolist()
        a, b = int(draw.integers(0, n + 1)), int(draw.integers(0, m + 1))
        expected = fisher_exact([[a, n - a], [b, m - b]])[1]
        assert fisher((a, b), (n, m)) == pytest.approx(expected, abs=1e-9)


def test_intervals_of_differences_are_newcombes() -> None:
    before = [{"t": "x"}] * 7 + [{"t": "y"}] * 43
    now = [{"t": "x"}] * 20 + [{"t": "y"}] * 40
    found = next(one for one in slices(before, now) if one.value == "x")
    expected = confint_proportions_2indep(20, 60, 7, 50, method="newcomb")
    assert found.ends == pytest.approx(expected, abs=1e-9)
