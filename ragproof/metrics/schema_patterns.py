"""Patterns in JSON Schemas, held to a time limit: some never come to an end on some texts."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from ragproof.core import UsageError

SECONDS = 2.0
"""So long may one pattern look at one text. What is not hopeless takes a small part of it."""
_SHOWN = 80


def has(pattern: str, text: str) -> bool:
    """Whether a pattern is found anywhere in a text.

    Raises ValueError for a pattern that is none, or that has not come to an end in time;
    UsageError where regex is not installed.
    """
    compiled = _compiled(pattern)
    try:
        return compiled.search(text, timeout=SECONDS) is not None
    except TimeoutError:
        raise ValueError(
            f"expected_schema: the pattern {pattern[:_SHOWN]!r} has not come to an end after "
            f"{SECONDS:g} seconds on a text of {len(text)} characters; write it without a "
            "repetition inside a repetition"
        ) from None


def is_pattern(pattern: object) -> bool:
    """Whether it can be read as a pattern; what is no text is for others to judge."""
    if isinstance(pattern, str):
        _compiled(pattern)
    return True


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> Any:  # noqa: ANN401 - of regex
    try:
        import regex  # noqa: PLC0415  an extra
    except ImportError:
        raise UsageError(
            "patterns of a JSON Schema need regex. Install it: pip install 'ragproof[ontology]'"
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # how a set may be read some day
            return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError) as fault:
        told = f"expected_schema: {pattern[:_SHOWN]!r} is no pattern: {fault}"
        raise ValueError(told) from None


def keywords(error: type[Exception]) -> Mapping[str, Any]:
    """The keywords of JSON Schema that look for patterns; `error` says what is not as it should."""

    def pattern(validator: Any, told: Any, instance: Any, _: Any) -> Iterator[Exception]:  # noqa: ANN401
        if validator.is_type(instance, "string") and not has(told, instance):
            yield error(f"{instance!r} does not match {told!r}")

    def further(validator: Any, told: Any, instance: Any, schema: Any) -> Iterator[Exception]:  # noqa: ANN401
        extras = _extras(instance, schema) if validator.is_type(instance, "object") else []
        if validator.is_type(told, "object"):
            for name in extras:
                yield from validator.descend(instance[name], told, path=name)
        elif not told and extras:
            yield error(f"properties that are not allowed: {', '.join(map(repr, extras))}")

    return {
        "pattern": pattern,
        "patternProperties": _by_pattern,
        "additionalProperties": further,
    }


def _by_pattern(validator: Any, told: Any, instance: Any, _: Any) -> Iterator[Exception]:  # noqa: ANN401
    if not validator.is_type(instance, "object"):
        return
    for pattern, schema in told.items():
        for name in [one for one in instance if has(pattern, one)]:
            yield from validator.descend(instance[name], schema, path=name, schema_path=pattern)


def _extras(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """The names that neither `properties` nor `patternProperties` has."""
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    return sorted(
        name for name in instance if name not in known and not any(has(p, name) for p in patterns)
    )
