"""From the JSON of one case to the case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ragproof.core import Case, CaseKind, DocumentCase, QuestionCase
from ragproof.text.clean import uncarried
from ragproof.text.faults import Fault, faults, shown
from ragproof.text.strict_json import parse


@cache
def _reader(*, of_document: bool) -> TypeAdapter[Case]:
    """Made when it is first needed: it costs some milliseconds."""
    return TypeAdapter(DocumentCase if of_document else QuestionCase)


class Malformed(Exception):
    """A case that cannot be read: what is wrong with it, and its id where it has one."""

    def __init__(self, faults: tuple[Fault, ...], case_id: str = "") -> None:
        super().__init__(faults)
        self.faults = faults
        self.case_id = case_id


def read_case(text: str) -> Case:
    """Read a case from its JSON, or raise Malformed with all that is wrong.

    Types are taken at their word: 1 is no string, 1.0 no whole number, "yes" no boolean.
    """
    try:
        raw = parse(text)
    except ValueError as fault:
        raise Malformed((Fault((), str(fault)),)) from None
    if not isinstance(raw, dict):
        raise Malformed((Fault((), f"got {shown(raw)}; allowed: a JSON object"),))
    of_document = raw.get("kind") == CaseKind.DOCUMENT
    try:
        return _reader(of_document=of_document).validate_json(text, strict=True)
    except ValidationError as error:
        cls = DocumentCase if of_document else QuestionCase
        raise Malformed(_unread(raw, error, cls), _id(raw)) from None


def read_fields(fields: Mapping[str, Any]) -> Case:
    """Read a case from its fields, plain JSON values, as `read_case` does from their JSON.

    What an object in hand cannot have, a key twice, is not looked for: half the time of reading.
    """
    of_document = fields.get("kind") == CaseKind.DOCUMENT
    try:
        text = json.dumps(fields, allow_nan=False)
        return _reader(of_document=of_document).validate_json(text, strict=True)
    except (ValueError, RecursionError):
        return read_case(json.dumps(fields))  # says all that is wrong


def _unread(raw: dict[str, Any], error: ValidationError, cls: type[Case]) -> tuple[Fault, ...]:
    """The faults; where pydantic read nothing at all, the text has what no encoding can carry."""
    if error.errors(include_url=False)[0]["type"] != "json_invalid":
        return faults(error, cls)
    for name, value in raw.items():
        if found := _anywhere(value) or uncarried(name):
            return (Fault((name,), f"holds {found}, half of a character; remove it"),)
    return (Fault((), "nested too deep"),)


def _anywhere(value: object) -> str:
    match value:
        case str():
            return uncarried(value)
        case list():
            return next(filter(None, map(_anywhere, value)), "")
        case dict():
            return _anywhere([*value, *value.values()])
        case _:
            return ""


def _id(raw: dict[str, Any]) -> str:
    found = raw.get("id")
    return found if isinstance(found, str) else ""
