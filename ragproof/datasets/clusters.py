"""Sort questions that nobody labelled by their wording, so that a sample has some of each sort."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragproof.text.answer_tokens import answer_tokens

WIDTH = 512
"""Words are hashed into so many columns."""
ROUNDS = 25
LEARNT = 20_000
"""Centres are found on so many questions; the others join the nearest."""

Matrix = NDArray[np.float32]


def clusters(texts: Sequence[str], number: int, seed: int = 0) -> list[int]:
    """Give each text the number of its cluster: k-means on words weighted by their rarity.

    Equal texts and seed give equal clusters; there are at most `number`, some may stay empty.
    """
    rows = _weighted(texts)
    draw = np.random.default_rng(seed)
    some = rows[draw.permutation(len(rows))[:LEARNT]]
    centres = _started(some, min(number, len(some)), draw)
    for _ in range(ROUNDS):
        nearest = _nearest(some, centres)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, some)
        moved = np.where(np.abs(sums).sum(axis=1)[:, None] > 0, _unit(sums), centres)
        if np.allclose(moved, centres, atol=1e-6):
            break
        centres = moved
    return [int(one) for one in _nearest(rows, centres)]


def _weighted(texts: Sequence[str]) -> Matrix:
    rows = np.zeros((len(texts), WIDTH), dtype=np.float32)
    for at, text in enumerate(texts):
        for word in answer_tokens(text):
            rows[at, zlib.crc32(word.encode()) % WIDTH] += 1
    seen = (rows > 0).sum(axis=0)
    return _unit(np.sqrt(rows) * np.log((1 + len(texts)) / (1 + seen)).astype(np.float32))


def _unit(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-12), dtype=np.float32)


def _started(rows: Matrix, number: int, draw: np.random.Generator) -> Matrix:
    """Centres far from each other (k-means++): Arthur, Vassilvitskii 2007, SODA: 1027."""
    chosen = [int(draw.integers(len(rows)))]
    apart = 1 - rows @ rows[chosen[0]]
    for _ in range(number - 1):
        chance = np.maximum(apart, 0).astype(np.float64)
        if chance.sum() <= 1e-9:
            break
        chosen.append(int(draw.choice(len(rows), p=chance / chance.sum())))
        apart = np.minimum(apart, 1 - rows @ rows[chosen[-1]])
    return rows[chosen]


def _nearest(rows: Matrix, centres: Matrix) -> NDArray[np.intp]:
    return np.asarray(np.argmax(rows @ centres.T, axis=1), dtype=np.intp)
