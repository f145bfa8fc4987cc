"""Foreign values made plain: what JSON can hold, and what a message can show."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from datetime import date, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from ragproof.core import Json

DEEPEST = 12
"""Levels of nesting that are kept."""
TOO_DEEP = "(nested too deep)"
CYCLE = "(contains itself)"
_AS_IT_IS = frozenset({str, int, bool, type(None)})
_NO_LEAF = object()
_SHOWN = 80


def plain(value: object) -> Json:
    """Make a value JSON, whatever it is; nothing raises and nothing recurs for ever.

    Dates become ISO 8601, sets sorted lists, keys strings, numbers that are not finite text.
    Arrays, data frames and models give what they convert themselves to; what no rule knows
    becomes its `repr`, cut short.

    >>> plain({"day": date(2024, 5, 1), 7: {"b", "a"}, "score": float("nan")})
    {'day': '2024-05-01', '7': ['a', 'b'], 'score': 'nan'}
    """
    made: Json = _plain(value, frozenset())
    return made


def plain_mapping(value: Mapping[Any, Any]) -> dict[str, Json]:
    """Make the keys strings and the values JSON."""
    return {
        key if type(key) is str else _key(key): item if type(item) in _AS_IT_IS else plain(item)
        for key, item in value.items()
    }


def shown(value: object) -> str:
    """Write a value for a message: its `repr`, cut short, whatever that `repr` does.

    >>> shown("abc"), shown(None)
    ("'abc'", 'None')
    """
    try:
        text = repr(value)
    except BaseException:  # noqa: BLE001  a broken repr must not hide what is being reported
        text = f"a {type(value).__name__}"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _plain(value: object, above: frozenset[int]) -> Any:  # noqa: ANN401  it is Json
    if type(value) in _AS_IT_IS:
        return value
    if (leaf := _leaf(value)) is not _NO_LEAF:
        return leaf
    if id(value) in above:
        return CYCLE
    if len(above) >= DEEPEST:
        return TOO_DEEP
    try:
        return _parts(value, above | {id(value)})
    except Exception:  # noqa: BLE001  a foreign object may raise anything when looked into
        return shown(value)


def _leaf(value: object) -> object:
    match value:
        case Enum():
            return _leaf(value.value)
        case str():
            return str.__str__(value)
        case bool() | None:
            return value
        case int():
            return int(value)
        case float():
            return float(value) if math.isfinite(value) else str(float(value))
        case date() | time():
            return value.isoformat()
        case bytes() | bytearray():
            return bytes(value).decode("utf-8", "backslashreplace")
        case UUID() | PurePath() | Decimal():
            return str(value)
        case _:
            return _NO_LEAF


def _parts(value: object, above: frozenset[int]) -> object:
    """Look into what holds other values."""
    if isinstance(value, Mapping):
        return {_key(key): _plain(item, above) for key, item in value.items()}
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: _plain(getattr(value, name), above) for name in names}
    for method in ("tolist", "to_dict", "model_dump"):  # numpy, pandas, pydantic
        if callable(convert := getattr(value, method, None)):
            return _plain(convert(), above)
    if isinstance(value, Collection):
        items = [_plain(item, above) for item in value]
        return sorted(items, key=_order) if isinstance(value, AbstractSet) else items
    return shown(value)


def _key(key: object) -> str:
    leaf = key if type(key) is str else _leaf(key)
    return leaf if isinstance(leaf, str) else shown(key)


def _order(item: Json) -> tuple[float, str]:
    """Numbers by size, then all else by how it is written."""
    return (item, "") if isinstance(item, int | float) else (math.inf, repr(item))
