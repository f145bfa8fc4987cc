"""What stands inside a record, refused with its place where it has another shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof.core import UsageError
from ragproof.text.faults import shown


def text_in(record: Mapping[str, Any], name: str, place: str) -> str:
    """A text; raises UsageError for any other value, and for none."""
    if not isinstance(value := record.get(name), str):
        raise UsageError(f"{place}: {name}: got {shown(value)}; allowed: a text")
    return value


def id_in(record: Mapping[str, Any], name: str, place: str) -> str:
    """A name, which may be a number; raises UsageError for any other value, and for none."""
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise UsageError(f"{place}: {name}: got {shown(value)}; allowed: a text or a whole number")
    return str(value)


def list_in(record: Mapping[str, Any], name: str, place: str) -> list[Any]:
    """A list, empty where there is none; raises UsageError for any other value."""
    value = record.get(name)
    if value is not None and not isinstance(value, list):
        raise UsageError(f"{place}: {name}: got {shown(value)}; allowed: a list")
    return value or []


def objects_in(record: Mapping[str, Any], name: str, place: str) -> list[Mapping[str, Any]]:
    """A list of objects, empty where there is none; raises UsageError for any other value."""
    found = list_in(record, name, place)
    for at, one in enumerate(found):
        if not isinstance(one, Mapping):
            raise UsageError(f"{place}: {name}.{at}: got {shown(one)}; allowed: an object")
    return found
