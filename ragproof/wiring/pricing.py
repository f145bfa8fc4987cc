"""From a price file to the prices that metrics are handed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from ragproof.core import UsageError
from ragproof.core.price_list import Price, PriceList, StoragePrice
from ragproof.text.faults import Fault, faults, raise_all, shown
from ragproof.text.strict_yaml import read_yaml
from ragproof.wiring.schema_prices import Amounts, PricesConfig, StagePriceConfig


def load_prices(path: Path) -> PriceList:
    """Read a price file; raises UsageError with file, line and field of all that is wrong."""
    read = _read(path)
    storage = read.storage
    return PriceList(
        models={name: _price(one) for name, one in read.models.items()},
        stages={name: _price(one) for name, one in read.stages.items()},
        storage=None if storage is None else StoragePrice(**storage.model_dump()),
    )


def prices_hash(path: Path) -> str:
    """sha256 of what the file says, however it is written."""
    said = _read(path).model_dump(exclude_none=True)
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _read(path: Path) -> PricesConfig:
    source = read_yaml(path)
    value = source.value
    if not isinstance(value, dict) or not value:
        allowed = "a mapping with models, stages or storage"
        raise UsageError(f"{source.where(())}: got {shown(value)}; allowed: {allowed}")
    found: list[Fault] = []
    try:
        read = PricesConfig.model_validate_json(json.dumps(value))
    except ValidationError as error:
        found += faults(error, PricesConfig)
    else:
        found += _senseless(read)
        if not found:
            return read
    found.sort(key=lambda one: source.line(one.path))
    raise_all([f"{source.where(one.path)}: {one}" for one in found])
    raise AssertionError("unreachable: there was a fault")


def _senseless(read: PricesConfig) -> Iterator[Fault]:
    """Prices that say nothing, or two things."""
    for name, one in read.models.items():
        yield from _empty(one, ("models", name))
    for name, stage in read.stages.items():
        if stage.model is None:
            yield from _empty(stage, ("stages", name))
        elif stage.model_dump(exclude={"model"}, exclude_none=True):
            why = "a stage has a price of its own or a model, not both; take one away"
            yield Fault(("stages", name), why)
        elif stage.model not in read.models:
            known = ", ".join(read.models) or "none"
            why = f"got {shown(stage.model)}; allowed: a name under models ({known})"
            yield Fault(("stages", name, "model"), why)


def _empty(one: Amounts, place: tuple[str, ...]) -> Iterator[Fault]:
    amounts = [name for name in Amounts.model_fields if getattr(one, name) is not None]
    if not amounts:
        yield Fault(place, f"no price is given; allowed: {', '.join(Amounts.model_fields)}")
    if (hit := getattr(one, "hit", None)) is not None:
        yield from _empty(hit, (*place, "hit"))


def _price(one: Amounts) -> Price:
    given = one.model_dump(exclude={"hit", "model"})
    hit = getattr(one, "hit", None)
    model = one.model if isinstance(one, StagePriceConfig) else None
    return Price(**given, model=model, hit=None if hit is None else _price(hit))
