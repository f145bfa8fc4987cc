"""What the pipeline's calls, machines and storage cost, as far as somebody wrote it down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Price:
    """What one call costs: the sum of these parts, in US dollars; None is no part of it."""

    input_per_mtok: float | None = None
    """A million tokens sent."""
    output_per_mtok: float | None = None
    """A million tokens answered."""
    usd_per_call: float | None = None
    """Each call, whatever its size; 0 says that it costs nothing."""
    usd_per_hour: float | None = None
    """An hour of the machine that one call has for itself."""
    model: str | None = None
    """Instead of the parts: the model whose price it is, where the stage does not tell one."""
    hit: Price | None = None
    """What a call costs instead that a cache answered."""


@dataclass(frozen=True, kw_only=True)
class StoragePrice:
    """What index and documents cost a month, and among how many queries that is divided."""

    usd_per_month: float
    queries_per_month: float

    @property
    def usd_per_query(self) -> float:
        """The share of one query."""
        return self.usd_per_month / self.queries_per_month


@dataclass(frozen=True, kw_only=True)
class PriceList:
    """All prices that are known."""

    models: Mapping[str, Price] = field(default_factory=dict[str, Price])
    """By the name that a stage tells as its `model`."""
    stages: Mapping[str, Price] = field(default_factory=dict[str, Price])
    """By the name of the stage; this one wins over that of its model."""
    storage: StoragePrice | None = None
