"""From what a model said to what it was asked for, or why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from ragproof.text.embedded_json import objects

T = TypeVar("T")
_TOLD = 5
"""Faults that are told of one reply; a model that made more is told of these first."""

_SHAPES: dict[type[Any], tuple[TypeAdapter[Any], Mapping[str, Any]]] = {}
"""What was asked for so far; to make an adapter takes as long as many replies take to be read."""


def parsed(text: str, shape: type[T], check: Callable[[T], None]) -> T:
    """Read the last object in the reply that is of this shape and passes the check.

    The last, because models that think aloud draft before they decide. Raises ValueError that
    says what is wrong with the last object, in words that a model can act on.
    """
    found = objects(text)
    faults: list[str] = []
    for one in reversed(found):
        try:
            return _checked(one, shape, check)
        except ValueError as fault:
            faults.append(_words(fault))
    if faults:
        raise ValueError(faults[0])
    raise ValueError("there is no JSON object in it" if text.strip() else "it is empty")


def schema(shape: type[Any]) -> Mapping[str, Any]:
    """The JSON Schema of the shape, the same object each time."""
    return _known(shape)[1]


def _checked(one: dict[str, Any] | ValueError, shape: type[T], check: Callable[[T], None]) -> T:
    if isinstance(one, ValueError):
        raise one
    value: T = _known(shape)[0].validate_python(one)
    check(value)
    return value


def _known(shape: type[Any]) -> tuple[TypeAdapter[Any], Mapping[str, Any]]:
    if shape not in _SHAPES:
        adapter = TypeAdapter(shape)
        _SHAPES[shape] = adapter, adapter.json_schema()
    return _SHAPES[shape]


def _words(fault: ValueError) -> str:
    if not isinstance(fault, ValidationError):
        return str(fault)
    told = [
        f"{'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}{_got(one)}"
        for one in fault.errors(include_url=False, include_context=False)[:_TOLD]
    ]
    return "; ".join(told)


def _got(one: Mapping[str, Any]) -> str:
    if one["type"] == "missing":
        return ""
    got = repr(one["input"])
    return f", got {got if len(got) <= 80 else got[:77] + '...'}"
