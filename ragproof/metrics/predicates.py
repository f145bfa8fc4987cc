"""A filter taken apart into the predicates that are right or wrong one by one."""

from __future__ import annotations

import json
from collections.abc import Mapping


def predicates(filter_: Mapping[str, object]) -> frozenset[tuple[str, str]]:
    """Field and value of each predicate, the value written as JSON.

    A list of values is a predicate a value; null is none. Numbers are equal by value, 1 and 1.0
    alike, and true is no number; text is taken as it is, capitals and all.

    Example:
        >>> sorted(predicates({"locale": ["en", "de"], "year": 2024.0, "draft": None}))
        [('locale', '"de"'), ('locale', '"en"'), ('year', '2024')]
    """
    found: set[tuple[str, str]] = set()
    for field, value in filter_.items():
        values = value if isinstance(value, list | tuple | set | frozenset) else [value]
        found |= {(field, _written(one)) for one in values if one is not None}
    return frozenset(found)


def shown(pairs: frozenset[tuple[str, str]]) -> list[str]:
    """The predicates for a reader, in order."""
    return sorted(f"{field} = {value}" for field, value in pairs)


def _written(value: object) -> str:
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, default=str)


def _plain(value: object) -> object:
    """The value with whole numbers as integers, at every depth."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case Mapping():
            return {str(name): _plain(one) for name, one in value.items()}
        case list() | tuple():
            return [_plain(one) for one in value]
        case _:
            return value
