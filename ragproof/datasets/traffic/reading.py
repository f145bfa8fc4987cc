"""Files of traffic, whatever holds it: told by the keys of what is in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import SEEK_END
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.imports.records import lines, whole_text
from ragproof.datasets.traffic import exported, langfuse, otlp, plain
from ragproof.datasets.traffic.draft import Draft
from ragproof.datasets.traffic.spans import Span
from ragproof.text.faults import SHOWN, raise_all, shown
from ragproof.text.files import opened
from ragproof.text.strict_json import parse, parse_each

FORMATS = ("auto", "otlp", "spans", "langfuse", "lines")
_WRAPPERS = ("data", "spans", "traces")
"""Keys under which an export keeps its objects."""
CUT_OFF = "; cut off at the end of the file: still being written?"


def read(path: Path, form: str = "auto") -> Iterator[Span | Draft]:
    """Yield spans, or drafts of plain lines; raises UsageError with up to 20 faults."""
    faults: list[str] = []
    for place, value in _objects(path):
        try:
            yield from _read(value, place, form)
        except UsageError as fault:
            faults.append(str(fault))
            if len(faults) > SHOWN:
                break
    raise_all(faults)


def _read(value: object, place: str, form: str) -> Iterator[Span | Draft]:
    if not isinstance(value, Mapping):
        raise UsageError(f"{place}: got {shown(value)}; allowed: an object")
    match _form(value) if form == "auto" else form:
        case "otlp":
            yield from otlp.read(value, place)
        case "spans":
            yield exported.read(value, place)
        case "langfuse":
            yield from langfuse.read(value, place)
        case "lines":
            yield plain.read(value, place)
        case _:
            raise UsageError(
                f"{place}: got {shown(value)}, which is neither OTLP (resourceSpans), nor a span "
                "(context), nor a trace of Langfuse (observations), nor a plain line (question)"
            )


def _form(value: Mapping[str, Any]) -> str | None:
    if any(key in value for key in otlp.KEYS):
        return "otlp"
    if any(key in value for key in exported.MARKS):
        return "spans"
    if value.keys() >= langfuse.MARKS:
        return "langfuse"
    return "lines" if "question" in value else None


def _objects(path: Path) -> Iterator[tuple[str, Any]]:
    """Each object with its place: a line each, or those of one document.

    Lines are read one at a time; a document that goes over several lines is read whole.
    """
    first = next(iter(lines(path)), None)
    if first is None:
        raise UsageError(f"{path}: the file is empty")
    if not _is_json(first[1]):
        yield from _written_out(path)
        return
    rows = lines(path)
    for number, text in rows:
        place = f"{path}:{number}"
        try:
            value = parse(text)
        except ValueError as fault:
            why = CUT_OFF if next(rows, None) is None and not _ends_a_line(path) else ""
            raise UsageError(f"{place}: {fault}{why}") from None
        yield from _of_document(value, place)


def _written_out(path: Path) -> Iterator[tuple[str, Any]]:
    """Documents of several lines each, one after the other, as SDKs print spans."""
    number, text = 0, whole_text(path)
    try:
        for number, value in enumerate(parse_each(text), 1):
            yield from _of_document(value, f"{path}: value {number}")
    except ValueError as fault:
        why = "" if text.endswith("\n") else CUT_OFF
        raise UsageError(f"{path}: {fault}{why}") from None


def _ends_a_line(path: Path) -> bool:
    if path.suffix.lower() == ".gz":
        return True  # one that is cut off is no gzip
    with opened(path) as file:
        file.seek(-1, SEEK_END)
        return file.read() == b"\n"


def _is_json(text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


def _of_document(value: object, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and _form(value) is None:
        held = next((value[key] for key in _WRAPPERS if isinstance(value.get(key), list)), None)
        value = value if held is None else held
    if isinstance(value, list):
        for number, one in enumerate(value, 1):
            yield f"{place}: record {number}", one
    else:
        yield place, value
