"""From a record's columns to a case: by the names that a format uses, and those that a user gives.

What no field takes is not lost: it goes under `metadata`, where nothing scores it, and is counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from ragproof.core import DocumentCase, QuestionCase, UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.records import records
from ragproof.text.faults import shown
from ragproof.text.nearest import nearest
from ragproof.text.strict_json import parse

KNOWN = {one.name for cls in (QuestionCase, DocumentCase) for one in fields(cls)}
LISTS = {
    *("expected_source_ids", "planted_source_ids", "distractor_source_ids"),
    *("superseded_source_ids", "eligible_source_ids"),
}
TEXTS = {"id", "kind", "question", "group", "split", "as_of", "variant_of", "expected_relation"} | {
    *("expected_intent", "expected_route", "adversarial_payload", "expected_title"),
    *("expected_text", "document_class", "expected_language", "duplicate_group"),
}
"""Fields whose cell is the text itself; the cell of any other holds JSON, or a plain text."""


def mapped(asked: Asked, usual: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, Fields]]:
    """Read the records of a file; `usual` is field to the columns that may hold it, best first."""
    chosen: dict[str, str] | None = None
    likely: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
    for number, (place, record) in enumerate(records(asked.source), 1):
        if chosen is None:
            chosen = _chosen(asked, record, usual, place)
        names = tuple(record)
        if (here := likely.get(names)) is None:
            here = likely.setdefault(names, _possible(names, usual))
        yield place, _case(asked, record, chosen | _late(record, chosen, here), number, place)


def refuse_fields(mapping: Mapping[str, str]) -> None:
    """Raise UsageError for a name that no case has."""
    for name in mapping:
        if name not in KNOWN and not name.startswith(("tags.", "metadata.")):
            raise UsageError(
                f"--map: got {name!r}; allowed: a field of a case, tags.NAME or "
                f"metadata.NAME.{nearest(name, KNOWN)}"
            )


def within(record: Mapping[str, Any], column: str) -> Any:  # noqa: ANN401  any JSON value
    """The value of a column; a dot leads into a value that is an object, or JSON text of one."""
    if column in record:
        return record[column]
    head, dot, rest = column.partition(".")
    inner = record.get(head)
    if dot and isinstance(inner, str) and inner.startswith("{"):
        try:
            inner = parse(inner)
        except ValueError:
            return None
    return within(inner, rest) if dot and isinstance(inner, Mapping) else None


def _chosen(
    asked: Asked, record: Mapping[str, Any], usual: Mapping[str, tuple[str, ...]], place: str
) -> dict[str, str]:
    """Field to column, as far as the first record tells."""
    refuse_fields(asked.mapping)
    for name, column in asked.mapping.items():
        if column not in record and "." not in column:
            raise UsageError(
                f"{place}: --map {name}={column}: there is no column {column!r}; there are: "
                f"{', '.join(record)}.{nearest(column, record)}"
            )
    found = dict(asked.mapping)
    if "question" not in found and not any(
        within(record, column) is not None for column in usual.get("question", ("question",))
    ):
        raise UsageError(
            f"{place}: no column is known to hold the question; there are: {', '.join(record)}. "
            "Say which: --map question=COLUMN"
        )
    return found


def _possible(
    names: tuple[str, ...], usual: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """What of the usual columns records of these names can have at all."""
    found = {
        field: tuple(one for one in columns if one in names or one.partition(".")[0] in names)
        for field, columns in usual.items()
    }
    return {field: columns for field, columns in found.items() if columns}


def _late(
    record: Mapping[str, Any], chosen: Mapping[str, str], usual: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """What this record has of the usual columns: records of one file may differ."""
    found: dict[str, str] = {}
    taken = {*chosen.values()}
    for name, columns in usual.items():
        if name in chosen:
            continue
        column = next((one for one in columns if within(record, one) is not None), None)
        if column is not None and column not in taken:
            found[name] = column
    return found


def _case(
    asked: Asked, record: Mapping[str, Any], chosen: Mapping[str, str], number: int, place: str
) -> Fields:
    case: Fields = {}
    tags: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    for name, column in chosen.items():
        value = within(record, column)
        if value is None:
            continue
        if name.startswith("tags."):
            tags[name.removeprefix("tags.")] = _as_text(value)
        elif name.startswith("metadata."):
            metadata[name.removeprefix("metadata.")] = value
        else:
            case[name] = _value(name, value, place)
    if isinstance(kept := case.get("metadata"), Mapping):
        metadata = {**kept, **metadata}
    elif kept is not None:
        metadata["metadata"] = kept
    for column, value in _left(record, chosen).items():
        if value is not None and value not in ("", [], {}):
            asked.notes.kept[column] += 1
            metadata[column] = value
    case["tags"] = {**(case.get("tags") or {}), **tags}
    case["metadata"] = metadata
    case.setdefault("id", f"{asked.source.name.partition('.')[0]}-{number}")
    return case


def _left(record: Mapping[str, Any], chosen: Mapping[str, str]) -> dict[str, Any]:
    """The columns that no field took; of a column looked into, the parts that none did."""
    whole = {*chosen.values()}
    left: dict[str, Any] = {}
    for column, value in record.items():
        if column in whole:
            continue
        parts = {one.partition(".")[2] for one in whole if one.startswith(f"{column}.")}
        if parts and isinstance(value, str):
            value = parse(value)
        if parts and isinstance(value, Mapping):
            value = {key: one for key, one in value.items() if key not in parts}
        left[column] = value
    return left


def _value(name: str, value: Any, place: str) -> Any:  # noqa: ANN401  any JSON value
    if name in TEXTS:
        return _as_text(value)
    if name == "expected_answer" and isinstance(value, Mapping | int | float):
        return _as_text(value)
    if not isinstance(value, str):
        return _ids(value) if name in LISTS else _plain(value)
    if value[:1] in ("[", "{", '"'):
        try:
            return parse(value)
        except ValueError as fault:
            if name != "expected_answer":
                raise UsageError(f"{place}: {name}: {shown(value)}: {fault}") from None
            return value
    if name in LISTS:
        return [part.strip() for part in value.split(";") if part.strip()]
    if name == "answerable_from_context" and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return value


def _ids(value: Any) -> Any:  # noqa: ANN401  any JSON value
    """Ids are texts, whatever a table made of them."""
    if isinstance(value, list):
        return [_as_text(one) for one in value]
    return [_as_text(value)] if isinstance(value, int) else value


def _plain(value: Any) -> Any:  # noqa: ANN401  any JSON value
    return [*value] if isinstance(value, tuple) else value


def _as_text(value: object) -> str:
    """A text as it is; a value that stands alone in an object as that; all else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and len(value) == 1:
        return _as_text(next(iter(value.values())))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False, default=str)
