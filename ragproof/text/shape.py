"""What a place in someone's input may hold, read off the types that it is read into."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from datetime import date
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

Hint: TypeAlias = Any
"""A type annotation."""
_ONE_AND_MANY: Mapping[Hint, tuple[str, str]] = {
    str: ("a string", "strings"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    bool: ("true or false", "true or false"),
    date: ("a date (YYYY-MM-DD)", "dates (YYYY-MM-DD)"),
    Path: ("a path", "paths"),
    Any: ("any value", "values"),
}


def _origin(hint: Hint) -> Hint:
    return get_origin(hint)


def members(hint: Hint) -> tuple[Hint, ...]:
    """The alternatives of a union, None left out; else the hint itself."""
    if _origin(hint) in (Union, types.UnionType):
        return tuple(one for arg in get_args(hint) for one in members(arg))
    return () if hint is types.NoneType else (hint,)


def plain(hint: Hint) -> Hint:
    """The type without what `Annotated` says of it."""
    return plain(get_args(hint)[0]) if _origin(hint) is Annotated else hint


@lru_cache(maxsize=256)
def fields(kind: Hint) -> Mapping[str, Hint]:
    """Name to type of the fields of a dataclass or pydantic model; empty for all else."""
    if not isinstance(kind, type):
        return {}
    if is_dataclass(kind):
        names = [field.name for field in dataclass_fields(kind)]
    else:
        names = list(getattr(kind, "model_fields", ()))
    hints = typing.get_type_hints(kind, include_extras=True) if names else {}
    return {name: hints[name] for name in names}


def inside(hint: Hint, step: str | int) -> tuple[Hint, ...]:
    """The types that an item, or the value of a key, may have; empty where there can be none."""
    return tuple(found for one in members(hint) for found in _step(plain(one), step))


def choices(hint: Hint) -> tuple[str, ...]:
    """The texts that are allowed, where only some are."""
    return tuple(text for one in members(hint) for text in _texts(plain(one)))


def describe(*hints: Hint, many: bool = False) -> str:
    """Say what is allowed, in words.

    >>> describe(str | tuple[str, ...] | None)
    'a string or a list of strings'
    >>> describe(Mapping[str, int])
    'a mapping of names to whole numbers'
    """
    said = dict.fromkeys(_said(one, many) for hint in hints for one in members(hint))
    return " or ".join(said)


def _step(kind: Hint, step: str | int) -> tuple[Hint, ...]:
    args, origin = get_args(kind), _origin(kind)
    if origin in (tuple, list):
        if isinstance(step, str):
            return ()
        open_ended = origin is list or args[-1] is Ellipsis
        return members(args[0] if open_ended else args[min(step, len(args) - 1)])
    if isinstance(step, int):
        return ()
    if args and isinstance(origin, type) and issubclass(origin, Mapping):
        return members(args[1])
    return members(fields(kind).get(step, types.NoneType))


def _texts(kind: Hint) -> tuple[str, ...]:
    if _origin(kind) is Literal:
        return tuple(str(getattr(one, "value", one)) for one in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(str(one.value) for one in kind)
    return ()


def _said(hint: Hint, many: bool) -> str:  # noqa: FBT001 - private
    if _origin(hint) is Annotated:
        kind, *bounds = get_args(hint)
        return describe(kind, many=many) + _bounded(bounds)
    if texts := _texts(hint):
        return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))
    if hint in _ONE_AND_MANY:
        return _ONE_AND_MANY[hint][many]
    return _of_parts(hint, many)


def _of_parts(hint: Hint, many: bool) -> str:  # noqa: FBT001 - private
    args = get_args(hint)
    if _origin(hint) not in (tuple, list):
        named = "mappings" if many else "a mapping"
        return f"{named} of names to {describe(args[1], many=True)}" if _typed(args) else named
    listed = "lists of" if many else "a list of"
    if args[-1] is Ellipsis or _origin(hint) is list:
        return f"{listed} {describe(args[0], many=True)}"
    return f"{listed} {len(args)} {describe(*args, many=True)}"


def _typed(args: Sequence[Hint]) -> bool:
    return len(args) == 2 and args[1] is not Any


def _bounded(bounds: Sequence[Any]) -> str:
    """What `Field(ge=1)` and its like add."""
    limits = [limit for bound in bounds for limit in getattr(bound, "metadata", [bound])]
    words = {"gt": "above {}", "ge": "at least {}", "lt": "below {}", "le": "at most {}"}
    said = [
        text.format(value)
        for limit in limits
        for name, text in words.items()
        if (value := getattr(limit, name, None)) is not None
    ]
    if any(getattr(limit, "min_length", 0) for limit in limits):
        said.append("not empty")
    return f" ({', '.join(said)})" if said else ""
