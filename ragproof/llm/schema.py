"""JSON Schemas in the narrow form that providers can hold a model to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KEPT = ("$ref", "type", "enum", "const", "description")
"""Keywords that are passed on as they are. Bounds and patterns are not: many providers refuse
them, and the reply is checked here anyway."""
_MOST_KNOWN = 256
_known: dict[int, tuple[Mapping[str, Any], dict[str, Any], bool]] = {}
"""Schemas by identity, each kept so that its identity stays its own."""


def strict_schema(schema: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Give the schema with every object closed and every property required.

    The second value tells whether that says the same: an object with free keys cannot be closed,
    so it is left open and the schema is not strict. A schema must not be changed afterwards.
    """
    if id(schema) not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[id(schema)] = (schema, *_whole(schema))
    return _known[id(schema)][1:]


def _whole(schema: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    narrowed, is_strict = _narrow(schema)
    definitions: Mapping[str, Any] = schema.get("$defs") or {}
    if definitions:
        inner = {name: _narrow(one) for name, one in definitions.items()}
        narrowed["$defs"] = {name: one for name, (one, _) in inner.items()}
        is_strict = is_strict and all(strict for _, strict in inner.values())
    return narrowed, is_strict


def _narrow(schema: Any) -> tuple[dict[str, Any], bool]:  # noqa: ANN401  any JSON
    if not isinstance(schema, Mapping) or not schema:
        return {}, False  # anything goes
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}, True  # nothing may stand beside it
    found = {name: schema[name] for name in _KEPT if name in schema}
    is_strict = True
    if properties := schema.get("properties"):
        inner = {name: _narrow(one) for name, one in properties.items()}
        found["properties"] = {name: one for name, (one, _) in inner.items()}
        found["required"] = list(properties)
        is_strict = all(strict for _, strict in inner.values())
    if schema.get("type") == "object":
        found["additionalProperties"] = schema.get("additionalProperties", not properties)
        is_strict = is_strict and found["additionalProperties"] is False
    if "items" in schema:
        found["items"], strict = _narrow(schema["items"])
        is_strict = is_strict and strict
    for name in ("anyOf", "oneOf"):
        if options := schema.get(name):
            inner_options = [_narrow(one) for one in options]
            found["anyOf"] = [one for one, _ in inner_options]
            is_strict = is_strict and all(strict for _, strict in inner_options)
    if {"allOf", "prefixItems", "not", "if"} & set(schema):
        return {**schema}, False
    return found, is_strict
