"""What stages cost: as they tell it themselves, else by the price list. Unknown is never zero."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragproof.core import CaseRun, DoesNotArise, MissingInput, Tools
from ragproof.core.needs import COSTED, PRICES
from ragproof.core.observation import Stage
from ragproof.core.price_list import Price, PriceList

STORAGE = "storage"
"""What the share of the storage is called beside the stages."""
NO_PRICES = PriceList()
PER_MTOK = 1_000_000
SECONDS_PER_HOUR = 3600
_LONGEST_NAME = 60


class Unpriced(Exception):
    """What of a stage's cost is not known, in words."""


@dataclass(frozen=True)
class Costs:
    """What one query cost, as far as it is known."""

    known: Mapping[str, float]
    """Stage, or storage, to US dollars; a stage is here only where all its calls are priced."""
    unknown: Mapping[str, str]
    """Stage to what is missing."""

    @property
    def why_unknown(self) -> str:
        """The first thing that is missing, for a skip reason."""
        name, why = next(iter(self.unknown.items()))
        short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."
        return f"{COSTED.reason}: {short!r} {why}"


def costs_of(run: CaseRun, tools: Tools) -> Costs:
    """Price each stage of the run, calls of one stage added up.

    Raises DoesNotArise where no stage ran, ValueError for an amount below 0.
    """
    prices = PRICES.of(tools) or NO_PRICES
    known: dict[str, float] = defaultdict(float)
    unknown: dict[str, str] = {}
    if not (stages := run[COSTED]):
        raise DoesNotArise("no stage ran")
    for stage in stages:
        try:
            usd = cost_of(stage, prices)
        except Unpriced as why:
            unknown.setdefault(stage.name, str(why))
        else:
            known[stage.name] += usd
    told = {name: usd for name, usd in known.items() if name not in unknown}
    if prices.storage is not None:
        told[STORAGE] = told.get(STORAGE, 0.0) + prices.storage.usd_per_query
    return Costs(told, unknown)


def known_costs(run: CaseRun, tools: Tools) -> Mapping[str, float]:
    """The costs of all stages; raises MissingInput where one is not known."""
    costs = costs_of(run, tools)
    if costs.unknown:
        raise MissingInput(costs.why_unknown)
    return costs.known


def cost_of(stage: Stage, prices: PriceList) -> float:
    """US dollars of one call; raises Unpriced where that is not known."""
    if stage.usd is not None:
        if stage.usd < 0:
            raise ValueError(f"stage {stage.name!r} tells {stage.usd!r} usd; allowed: 0 and above")
        return stage.usd
    price = _price(stage, prices)
    if stage.cache == "hit" and price.hit is not None:
        price = price.hit
    return sum(_parts(stage, price))


def _price(stage: Stage, prices: PriceList) -> Price:
    own = prices.stages.get(stage.name)
    if own is not None and own.model is None:
        return own
    model = stage.model or (own.model if own else None)
    if model is None:
        raise Unpriced("tells no usd and has no price")
    if (found := prices.models.get(model)) is None:
        raise Unpriced("calls a model that has no price")
    return found


def _parts(stage: Stage, price: Price) -> Iterator[float]:
    """What each part of the price comes to; a price of tokens must cover all tokens told."""
    if price.usd_per_call is not None:
        yield price.usd_per_call
    if price.usd_per_hour is not None:
        yield price.usd_per_hour * stage.seconds / SECONDS_PER_HOUR
    rates: Sequence[tuple[str, float | None, int | None]] = (
        ("input", price.input_per_mtok, stage.input_tokens),
        ("output", price.output_per_mtok, stage.output_tokens),
    )
    if all(rate is None for _, rate, _ in rates):
        return
    for kind, rate, tokens in rates:
        if rate is not None and tokens is None:
            raise Unpriced(f"does not tell its {kind}_tokens")
        if rate is None and tokens:
            raise Unpriced(f"has no price of its {kind}_tokens")
        yield (rate or 0.0) * (tokens or 0) / PER_MTOK
