"""Local models that say what a fixture has them say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from ragproof.core import LocalModels, PairScore

Values = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class ScriptedPairs:
    """Stands for a model of two texts; its logit is the value, to be known by."""

    values: Values
    fingerprint: str = "scripted"

    async def scores(self, pairs: Sequence[tuple[str, str]], /) -> list[PairScore]:
        told = [self.values.get(one, {}).get(other, 0.0) for one, other in pairs]
        return [PairScore(one, one) for one in told]


@dataclass(frozen=True)
class ScriptedEmbedder:
    """Stands for a model of sentences."""

    vectors: Mapping[str, Sequence[float]]
    fingerprint: str = "scripted"

    async def __call__(self, texts: Sequence[str], /) -> list[Sequence[float]]:
        return [self.vectors[one] for one in texts]


class ScriptedModels(BaseModel):
    """What they say; what is not told of two texts is 0."""

    model_config = ConfigDict(extra="forbid")

    nli: dict[str, dict[str, float]] | None = None
    """Premise to hypothesis to the probability that it is entailed."""
    cross_encoder: dict[str, dict[str, float]] | None = None
    """Question to passage to its score."""
    embeddings: dict[str, list[float]] | None = None
    """Text to vector."""

    def to_models(self) -> LocalModels:
        return LocalModels(
            nli=None if self.nli is None else ScriptedPairs(self.nli),
            cross_encoder=None if self.cross_encoder is None else ScriptedPairs(self.cross_encoder),
            embed=None if self.embeddings is None else ScriptedEmbedder(self.embeddings),
        )
