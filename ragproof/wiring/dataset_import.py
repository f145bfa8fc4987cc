"""Import a test set: read, pin, check as any other dataset, and write.

Beside the cases lies `<name>.import.json`: where they come from, the sha256 of what was read, the
revision and date that were given, how columns became fields, and what no case holds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from ragproof.core import Case, UsageError
from ragproof.core.garbage import uncollected
from ragproof.datasets.checks import check
from ragproof.datasets.imports.asked import Asked, Fields, Notes
from ragproof.datasets.imports.formats import reader, refuse_mapping
from ragproof.datasets.parse import Malformed, read_fields
from ragproof.datasets.validate import UNJUDGED
from ragproof.datasets.writing import refuse_name, refuse_source, write_and_hash
from ragproof.text.faults import SHOWN, Fault, raise_all
from ragproof.text.files import opened, whole, write_whole

LABELS = ("annotations", "box", "key")
"""Folders of labels beside pictures; a name may be in two of them."""
PINNED = "imported"
"""Under a case's metadata: format, revision and date."""


@dataclass(frozen=True, kw_only=True)
class ImportRequest:
    """What is imported, and where it goes."""

    form: str
    source: Path
    out: Path
    mapping: dict[str, str] = field(default_factory=dict[str, str])
    qrels: Path | None = None
    corpus_out: Path | None = None
    revision: str | None = None
    day: str | None = None
    task: str | None = None
    split: str | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of it."""

    cases: int
    hash: str
    unjudged: int
    notes: Notes
    sidecar: Path
    documents: int
    """Written by `corpus_out`."""


@uncollected()
def imported(request: ImportRequest) -> Imported:
    """Read, check and write; raises UsageError with up to 20 faults, each with its place."""
    read = reader(request.form)
    refuse_mapping(request.form, request.mapping)
    refuse_name(request.out)
    for out in (request.out, request.corpus_out):
        if out is not None:
            refuse_source(out, request.source, request.qrels)
    _refuse_date(request.day)
    if request.qrels is not None and request.form != "trec":
        raise UsageError("--qrels goes with --from trec; other formats bring their judgments")
    asked = Asked(source=request.source, mapping=request.mapping, qrels=request.qrels)
    cases = _checked(read(asked), request)
    digest = write_and_hash(request.out, cases)
    if request.corpus_out is not None:
        _write_corpus(request.corpus_out, asked.notes)
    name, value = UNJUDGED
    found = Imported(
        cases=len(cases),
        hash=digest,
        unjudged=sum(case.tags.get(name) == value for case in cases),
        notes=asked.notes,
        sidecar=request.out.with_name(f"{request.out.stem}.import.json"),
        documents=len(asked.notes.documents) if request.corpus_out is not None else 0,
    )
    write_whole(found.sidecar, json.dumps(_pinned(request, found), indent=2) + "\n")
    return found


def _refuse_date(day: str | None) -> None:
    try:
        date.fromisoformat(day or "2000-01-01")
    except ValueError:
        raise UsageError(f"--date: got {day!r}; allowed: a date such as 2026-01-31") from None


def _checked(rows: Iterator[tuple[str, Fields]], request: ImportRequest) -> list[Case]:
    """The cases, checked as those of a dataset are; ids once."""
    cases: list[Case] = []
    faults: list[str] = []
    places: dict[str, str] = {}
    for place, fields in rows:
        try:
            case = read_fields(_complete(fields, request))
            wrong = tuple(check(case, request.source.parent))
        except Malformed as malformed:
            faults += [f"{place}: {fault}" for fault in malformed.faults]
            continue
        if (first := places.setdefault(case.id, place)) is not place:
            wrong += (Fault(("id",), f"already the id of the record at {first}"),)
        faults += [f"{place}: {fault}" for fault in wrong]
        cases.append(case)
        if len(faults) > 50 * SHOWN:
            break
    raise_all(faults)
    if not cases:
        raise UsageError(f"{request.source}: there is nothing to import in it")
    return cases


def _complete(fields: Fields, request: ImportRequest) -> Fields:
    """The case without what is not known, and with what the user said of all cases."""
    case = {name: value for name, value in fields.items() if value is not None}
    case = {name: one for name, one in case.items() if one or name not in ("tags", "metadata")}
    if request.task is not None:
        case["tags"] = {**case.get("tags", {}), "task": request.task}
    if request.split is not None:
        case.setdefault("split", request.split)
    pin = {"format": request.form, "revision": request.revision, "date": request.day}
    if request.revision is not None or request.day is not None:
        said = {name: value for name, value in pin.items() if value is not None}
        case["metadata"] = {**case.get("metadata", {}), PINNED: said}
    return case


def _write_corpus(path: Path, notes: Notes) -> None:
    if not notes.documents:
        raise UsageError("--corpus-out: the source brings no documents along")
    with whole(path) as file:
        for name, (title, text) in notes.documents.items():
            line = {"id": name, "text": text} | ({"title": title} if title else {})
            file.write(f"{json.dumps(line)}\n".encode())


def _pinned(request: ImportRequest, found: Imported) -> Mapping[str, Any]:
    notes = found.notes
    return {
        "format": request.form,
        "source": str(request.source),
        "files": _digests(request),
        "revision": request.revision,
        "date": request.day,
        "mapping": request.mapping,
        "task": request.task,
        "cases": found.cases,
        "hash": found.hash,
        "unjudged": found.unjudged,
        "lost": dict(sorted(notes.lost.items())),
        "kept_as_metadata": dict(sorted(notes.kept.items())),
        "left_out": dict(sorted(notes.left_out.items())),
    }


def _digests(request: ImportRequest) -> dict[str, str]:
    """sha256 of every file that was read."""
    source = request.source
    if source.is_dir():
        labels = [one for name in LABELS for one in (source / name).glob("*") if one.is_file()]
        files = sorted([*source.glob("*.jsonl"), *(source / "qrels").glob("*.tsv"), *labels])
    else:
        files = [source, *([] if request.qrels is None else [request.qrels])]
    found = {}
    for path in files:
        with opened(path) as file:
            name = f"{path.parent.name}/{path.name}" if path.parent.name in LABELS else path.name
            found[name] = hashlib.sha256(file.read()).hexdigest()
    return found
