"""What can be told of texts without a model: vectors of how they are spelled, and plain figures.

The vectors know words and stretches of three letters, and no meaning: a question asked in other
words is another question to them. They depend on nothing but the text itself.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragproof.analysis.intervals import Bounds, Sample, bounds
from ragproof.core.arrays import Floats
from ragproof.core.spec import Interval, Unit
from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.language import languages

WIDTH = 256
NAME = f"spelling: words and letter trigrams, hashed into {WIDTH} dimensions; no model"
LENGTH = "length"
"""The name of the number of words of a text."""


def spelled(texts: Sequence[str]) -> NDArray[np.float32]:
    """Vectors of length 1. Shape (texts, 256); all 0 for a text without any word.

    Each word, and each stretch of three letters of a word between its borders, adds 1 or -1 to a
    dimension, both as its CRC-32 says (Weinberger and others 2009, ICML: 1113); of the sums the
    signed root is taken.
    """
    found = np.zeros((len(texts), WIDTH), dtype=np.float32)
    known: dict[str, list[tuple[int, int]]] = {}
    for row, text in zip(found, texts, strict=True):
        for word in answer_tokens(text):
            if (places := known.get(word)) is None:
                places = known[word] = [_place(one) for one in _features(word)]
            for at, sign in places:
                row[at] += sign
    found = np.sign(found) * np.sqrt(np.abs(found))
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _features(word: str) -> Iterable[str]:
    yield word
    bordered = f"^{word}$"
    for at in range(len(bordered) - 2):
        yield f"3:{bordered[at : at + 3]}"


def _place(feature: str) -> tuple[int, int]:
    code = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
    return code % WIDTH, 1 if code & 0x80000000 else -1


def word_counts(texts: Sequence[str]) -> Floats:
    """How many words each text has."""
    return np.array([len(answer_tokens(text)) for text in texts], dtype=np.float64)


def language_of(text: str) -> str:
    """The language, where its words tell one of eleven; else that they do not.

    >>> language_of("Was steht in dem Vertrag?"), language_of("X2")
    ('de', '(not told)')
    """
    found = languages(text)
    return found[0] if len(found) == 1 else "(not told)"


@dataclass(frozen=True, slots=True)
class SideFigure:
    """A plain figure of both samples, that no verdict rests on."""

    name: str
    unit: Unit
    reference: tuple[float, Bounds]
    current: tuple[float, Bounds]


def side_figures(
    reference: Sequence[str], current: Sequence[str], draw: np.random.Generator
) -> tuple[SideFigure, ...]:
    """Mean length, and the share of words that the reference does not have.

    For the second, the words are those of a part of the reference, and the rest of it stands beside
    the current sample: a part never has all words of the whole.
    """
    tokens = [[answer_tokens(text) for text in side] for side in (reference, current)]
    order = draw.permutation(len(reference))
    held = min(len(current), len(reference) // 2)
    known = {word for at in order[held:] for word in tokens[0][at]}
    rest = [tokens[0][at] for at in order[:held]]
    lengths = [np.array([len(one) for one in side], dtype=np.float64) for side in tokens]
    return (
        SideFigure(
            "words in a text",
            Unit.COUNT,
            *(_mean(one, np.ones(one.size), Unit.COUNT) for one in lengths),
        ),
        SideFigure(
            "words not in the reference",
            Unit.FRACTION,
            *(_unseen(side, known) for side in (rest, tokens[1])),
        ),
    )


def _unseen(side: Sequence[Sequence[str]], known: set[str]) -> tuple[float, Bounds]:
    unseen = np.array([sum(word not in known for word in one) for one in side], dtype=np.float64)
    sizes = np.array([len(one) for one in side], dtype=np.float64)
    return _mean(unseen, sizes, Unit.FRACTION)


def _mean(numerators: Floats, sizes: Floats, unit: Unit) -> tuple[float, Bounds]:
    sample = Sample(numerators, sizes)
    return sample.figure or 0.0, bounds(sample, Interval.AUTO, unit)
