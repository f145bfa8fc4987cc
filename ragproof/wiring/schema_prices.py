"""What a price file may hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from ragproof.wiring.section import NotNegative, Section, Text

Positive = Annotated[float, Field(gt=0)]


class Amounts(Section):
    """What one call costs, in US dollars: the sum of what is given."""

    input_per_mtok: NotNegative | None = None
    """A million tokens sent."""
    output_per_mtok: NotNegative | None = None
    """A million tokens answered."""
    usd_per_call: NotNegative | None = None
    """Each call; 0 where it costs nothing."""
    usd_per_hour: NotNegative | None = None
    """An hour of the machine that one call has for itself."""


class CallPrice(Amounts):
    """The same, and what it costs where a cache answered."""

    hit: Amounts | None = None
    """What a call costs instead whose `cache` is `hit`."""


class StagePriceConfig(CallPrice):
    """The price of a stage, or the model by whose price it goes."""

    model: Text | None = None
    """Its model, where its trace tells none."""


class StorageConfig(Section):
    """What index and documents cost, and how many queries share that."""

    usd_per_month: NotNegative
    """US dollars a month."""
    queries_per_month: Positive
    """Queries a month."""


class PricesConfig(Section):
    """The whole file."""

    models: Mapping[Text, CallPrice] = {}
    """By the name that stages tell as their `model`."""
    stages: Mapping[Text, StagePriceConfig] = {}
    """By the name of the stage; this wins over the price of its model."""
    storage: StorageConfig | None = None
    """What each query has to bear of it."""
