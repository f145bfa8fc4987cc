"""What a pipeline would answer if a metric called it, as a labelled answer brings it along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ragproof.core import Case, Chunk, MissingInput, Pipeline, Tools
from ragproof.core.case import STRICT
from ragproof.core.needs import EMBED
from ragproof.core.pipeline import Embed, Vector
from ragproof.text.bm25 import Bm25


@dataclass(frozen=True, kw_only=True, slots=True)
class Foreseen:
    """The calls that can be answered; None is a capability that the item does not bring."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    retrieve: tuple[Chunk | str, ...] | None = None
    """All that there is to be found, whatever is asked: the best by words first. Texts alone have
    the ids s1, s2, ..."""
    embed: Mapping[str, tuple[float, ...]] | None = None
    """Text to vector: for what is said in these words, and nothing else."""

    @property
    def whatever_is_asked(self) -> frozenset[str]:
        """The calls that are answered in whatever words they come."""
        return frozenset() if self.retrieve is None else frozenset({"retrieve"})

    def before(self, tools: Tools) -> Pipeline:
        """A pipeline that answers what is foreseen, and has what is there answer the rest."""
        calls: dict[str, Any] = {}
        if self.retrieve is not None:
            calls["retrieve"] = self._retrieve
        if self.embed is not None:
            calls["embed"] = _embedding(self.embed, EMBED.of(tools))
        return replace(tools.pipeline or Pipeline(), **calls)

    async def _retrieve(self, _case: Case, question: str, k: int) -> tuple[Chunk, ...]:
        chunks = [
            Chunk(id=f"s{number}", text=one) if isinstance(one, str) else one
            for number, one in enumerate(self.retrieve or (), 1)
        ]
        best = [at for at, _ in Bm25([one.text for one in chunks]).best(question, k)]
        rest = (at for at in range(len(chunks)) if at not in best)  # a search always finds k
        return tuple(chunks[at] for at in [*best, *rest][:k])


def _embedding(known: Mapping[str, Vector], other: Embed | None) -> Embed:
    """Vectors of one call are of one space: all that are known, or all from elsewhere."""

    async def embed(texts: Sequence[str]) -> Sequence[Vector]:
        if (unknown := next((one for one in texts if one not in known), None)) is None:
            return [known[one] for one in texts]
        if other is None:
            raise MissingInput(f"{EMBED.reason}, and the item has no vector of {unknown!r}")
        return await other(texts)

    return embed
