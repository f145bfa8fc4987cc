"""What is declared about a metric besides its arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ragproof.core.case import QUESTIONS, CaseKind
from ragproof.core.direction import Better as Better
from ragproof.core.need import Need
from ragproof.core.subject import CaseRun


class Unit(StrEnum):
    """What a value counts."""

    FRACTION = "fraction"
    RATIO = "ratio"
    DIFFERENCE = "difference"
    COSINES = "cosine_difference"
    SECONDS = "seconds"
    USD = "usd"
    COUNT = "count"

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value there can be."""
        match self:
            case Unit.FRACTION:
                return (0.0, 1.0)
            case Unit.DIFFERENCE:
                return (-1.0, 1.0)
            case Unit.COSINES:
                return (-2.0, 2.0)
            case _:
                return (0.0, float("inf"))


class Pool(StrEnum):
    """How the scores of a run become one figure."""

    MEAN = "mean"
    """Macro: every subject weighs the same."""
    RATIO = "ratio"
    """Micro: sum of numerators over sum of denominators."""


class Interval(StrEnum):
    """How the figure's confidence interval is found."""

    AUTO = "auto"
    """Wilson where all values are 0 or 1; else Student's t below 50 subjects, bootstrap above."""
    WILSON = "wilson"
    """For shares of yes and no."""
    EFFECTIVE = "effective"
    """For a figure of a set: Wilson's, of as many cases as its weight says that it is worth."""
    NONE = "none"
    """One value for the whole set has no spread."""


class Gather(StrEnum):
    """Which runs form a group, for a metric of groups."""

    REPEATS = "repeats"
    """Those of one case."""
    VARIANTS = "variants"
    """A case and those that vary it."""
    GROUP = "group"
    """Cases of one source document or session; a case without `group` is one by itself."""


class Layer(StrEnum):
    """Which part of the system a metric looks at; figures of two layers are never merged."""

    INGESTION = "ingestion"
    QUERY = "query"
    ANSWER = "answer"
    SYSTEM = "system"

    @classmethod
    def of(cls, family: str) -> Layer:
        """The layer of a family; a user's own metric is of the answer."""
        return _LAYERS.get(family, cls.ANSWER)


_LAYERS = {
    **dict.fromkeys(("ingestion", "chunking", "index"), Layer.INGESTION),
    **dict.fromkeys(("query", "retrieval", "filter", "reranking", "context"), Layer.QUERY),
    **dict.fromkeys(("system", "monitoring"), Layer.SYSTEM),
}
BLAMELESS = frozenset({"echo"})
"""Families of which no figure says that a case went wrong: they only repeat what is known."""
HEADLINES = frozenset({"generation", "robustness"})
"""Families whose figures say whether the whole works; the others say where it does not."""


@dataclass(frozen=True, kw_only=True)
class Spec:
    """The declared part of a metric. Raise `version` when the same input scores differently."""

    unit: Unit
    better: Better
    needs: tuple[Need[Any], ...]
    """Without any one of these it is skipped, with the reason of the first that is missing."""
    uses: tuple[Need[Any], ...] = ()
    """Taken into account where there."""
    kinds: frozenset[CaseKind] = QUESTIONS
    pool: Pool = Pool.MEAN
    interval: Interval = Interval.AUTO
    each: str | None = None
    """What the labels name, where one subject gives several figures: `stage`."""
    version: int = 1
    gather: Gather = Gather.REPEATS
    """For a metric of groups: what is put together."""
    on_request: bool = False
    """Whether it is left out unless asked for by its own name, not by a glob: it calls the pipeline
    again, or costs, or says nothing of a pipeline whose words it was not told."""

    blames: bool = True
    """Whether a case that falls short of the best has a fault. Not so where none can reach it, as
    precision at k where fewer than k are right."""

    @property
    def of_the_case(self) -> tuple[Need[Any], ...]:
        """The needs that the case alone has to meet."""
        return tuple(need for need in self.needs if need.is_of_the_case)

    def suits(self, run: CaseRun) -> bool:
        """Whether the case is of a kind that is covered and brings what only it can bring."""
        covered = run.case.kind in self.kinds
        return covered and all(need.of(run) is not None for need in self.of_the_case)

    def reads(self, need: Need[Any]) -> bool:
        """Whether the metric needs or uses this input."""
        return need in self.needs or need in self.uses
