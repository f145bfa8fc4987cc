"""From a record's columns to a case: by the names that a format uses, and those that a user gives.

What no field takes is not lost: it goes under `metadata`, where nothing scores it, and is counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ragproof.core import DocumentCase, QuestionCase, UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.literals import literal
from ragproof.datasets.imports.records import records
from ragproof.text.faults import shown
from ragproof.text.nearest import nearest

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
    routes: _Routes | None = None
    for number, (place, record) in enumerate(records(asked.source), 1):
        if routes is None:
            routes = _Routes(_chosen(asked, record, usual, place), usual)
        yield place, _case(asked, record, routes.of(record), number, place)


@dataclass(frozen=True, slots=True)
class _Route:
    """Where the values of a record go."""

    fields: Mapping[str, str]
    """Field to column."""
    left: tuple[tuple[str, frozenset[str]], ...]
    """Columns that no field takes whole, each with the keys in it that fields take."""


@dataclass
class _Routes:
    """The routes of a file: one for all records that have values in the same columns."""

    chosen: Mapping[str, str]
    usual: Mapping[str, tuple[str, ...]]
    known: dict[tuple[str, ...], _Route | None] = field(default_factory=dict)
    """None where what is inside a value decides, too."""

    def of(self, record: Mapping[str, Any]) -> _Route:
        """The route of this record: records of one file may differ."""
        filled = tuple([name for name, value in record.items() if value is not None])
        if filled not in self.known:
            self.known[filled] = None if self._looks_inside({*filled}) else self._made(record)
        return self.known[filled] or self._made(record)

    def _looks_inside(self, filled: set[str]) -> bool:
        """Whether a usual column leads into the value of another."""
        wanted = {one for columns in self.usual.values() for one in columns if "." in one}
        return any(one.partition(".")[0] in filled for one in wanted - filled)

    def _made(self, record: Mapping[str, Any]) -> _Route:
        fields = {**self.chosen, **_late(record, self.chosen, self.usual)}
        whole = {*fields.values()}
        left = tuple(
            (column, _parts(column, whole))
            for column, value in record.items()
            if column not in whole and value is not None
        )
        return _Route(fields, left)


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
    inner = _object(record.get(head)) if dot else None
    return None if inner is None else within(inner, rest)


def _object(value: object) -> Mapping[str, Any] | None:
    """The object that a value is, or that its text writes; None for any other."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = literal(value)
        except ValueError:
            return None
    return value if isinstance(value, Mapping) else None


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
    asked: Asked, record: Mapping[str, Any], route: _Route, number: int, place: str
) -> Fields:
    case: Fields = {}
    tags: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    for name, column in route.fields.items():
        value = within(record, column)
        if value is None or (name in TEXTS and value in ([], {})):  # an empty box holds no text
            continue
        if name in KNOWN:
            case[name] = _value(name, value, place)
        elif name.startswith("tags."):
            tags[name.removeprefix("tags.")] = _as_text(value)
        else:
            metadata[name.removeprefix("metadata.")] = value
    if isinstance(kept := case.get("metadata"), Mapping):
        metadata = {**kept, **metadata}
    elif kept is not None:
        metadata["metadata"] = kept
    for column, parts in route.left:
        value = _without(record[column], parts)
        if value is not None and value not in ("", [], {}):
            asked.notes.kept[column] += 1
            metadata[column] = value
    if isinstance(had := case.get("tags") or {}, Mapping):  # what reads the case refuses others
        case["tags"] = {**had, **tags}
    case["metadata"] = metadata
    case.setdefault("id", f"{asked.source.name.partition('.')[0]}-{number}")
    return case


def _parts(column: str, whole: set[str]) -> frozenset[str]:
    """The keys of a column's value that fields take."""
    begin = f"{column}."
    return frozenset(one[len(begin) :] for one in whole if one.startswith(begin))


def _without(value: Any, parts: frozenset[str]) -> Any:  # noqa: ANN401  any JSON value
    """A value, or of one that was looked into the parts that no field took."""
    inner = _object(value) if parts else None
    return value if inner is None else {key: inner[key] for key in inner if key not in parts}


def _value(name: str, value: Any, place: str) -> Any:  # noqa: ANN401  any JSON value
    if name in TEXTS:
        return _as_text(value)
    if name == "expected_answer" and isinstance(value, Mapping | int | float):
        return _as_text(value)
    if not isinstance(value, str):
        return _ids(value) if name in LISTS else _plain(value)
    if value[:1] in ("[", "{", '"'):
        try:
            found = literal(value)
        except ValueError as fault:
            if name != "expected_answer":
                raise UsageError(f"{place}: {name}: {shown(value)}: {fault}") from None
            return value
        return found if isinstance(found, str) else _value(name, found, place)
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
