"""Small models on this machine, as metrics know them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ragproof.core.pipeline import Vector


@dataclass(frozen=True, slots=True)
class PairScore:
    """What a model makes of two texts."""

    value: float
    """0 to 1: how likely the first entails the second, or how much the second answers the first."""
    logit: float
    """The same before it was brought between 0 and 1, as the model gave it."""
    windows: int = 1
    """Into how many the longer text had to be cut to fit the model; the best one counts."""


class PairModel(Protocol):
    """A model that reads two texts together and says one thing of them."""

    @property
    def fingerprint(self) -> str:
        """Identifies the model by its content; stored with every run."""
        ...

    async def scores(self, pairs: Sequence[tuple[str, str]], /) -> Sequence[PairScore]:
        """Score each pair, in the order given.

        Nothing is left out of a text that is too long for the model: it is read window by
        window. Raises ModelError for a pair that the model cannot take, or where it gives no
        number.
        """
        ...


class Embedder(Protocol):
    """A model that gives texts their vectors."""

    @property
    def fingerprint(self) -> str:
        """Identifies the model by its content."""
        ...

    async def __call__(self, texts: Sequence[str], /) -> Sequence[Vector]:
        """Embed each text, in the order given; raises ModelError where that fails."""
        ...


@dataclass(frozen=True, kw_only=True)
class LocalModels:
    """Those that a run is equipped with."""

    nli: PairModel | None = None
    """Does a premise, the first text, entail a hypothesis, the second?"""
    cross_encoder: PairModel | None = None
    """Does a passage, the second text, answer a question, the first?"""
    embed: Embedder | None = None
    """Gives each text its vector, where the pipeline gives none."""
