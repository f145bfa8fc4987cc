"""The documents that are searched: a folder of files, or a JSONL file of documents.

Ids, and where each text lies, are read at once; texts when they are asked for, so that a large
corpus costs little memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ragproof.core import UsageError
from ragproof.datasets.documents import SUFFIXES, text_of
from ragproof.text.faults import shown
from ragproof.text.files import opened
from ragproof.text.jsonl import read_places
from ragproof.text.strict_json import parse


@dataclass(frozen=True)
class FolderCorpus:
    """The files of a folder and its subfolders; ids are paths relative to it, with `/`."""

    folder: Path
    files: Mapping[str, Path]
    skipped: tuple[str, ...] = ()
    """Files of a kind that is not read."""

    def __contains__(self, document_id: object, /) -> bool:
        return document_id in self.files

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def text(self, document_id: str, /) -> str | None:
        """Read the file; raises UsageError where it cannot be."""
        file = self.files.get(document_id)
        return None if file is None else text_of(file)


@dataclass(frozen=True)
class FileCorpus:
    """The lines of a JSONL file: `{"id", "text", "title"?}`, or `_id` as BEIR has it."""

    path: Path
    places: Mapping[str, tuple[int, int, int]]
    """Id to line number, offset and length in bytes."""

    def __contains__(self, document_id: object, /) -> bool:
        return document_id in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def text(self, document_id: str, /) -> str | None:
        """The title, where there is one, above the text."""
        if (place := self.places.get(document_id)) is None:
            return None
        number, offset, length = place
        with opened(self.path) as file:
            file.seek(offset)
            line = _document(self.path, number, file.read(length))
        title, text = line.get("title"), cast("str", line["text"])
        return f"{title}\n{text}" if isinstance(title, str) and title.strip() else text


def load_corpus(path: Path) -> FolderCorpus | FileCorpus:
    """Find the documents of a folder or a JSONL file.

    Raises UsageError for what is missing, empty or malformed, and for an id that is there twice.
    """
    return _of_folder(path) if path.is_dir() else _of_file(path)


def _of_folder(folder: Path) -> FolderCorpus:
    there = sorted(
        file
        for file in folder.rglob("*")
        if file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )
    names = {file.relative_to(folder).as_posix(): file for file in there}
    files = {name: file for name, file in names.items() if file.suffix.lower() in SUFFIXES}
    if not files:
        kinds = ", ".join(sorted(SUFFIXES))
        raise UsageError(f"{folder}: the folder has no documents. Read are: {kinds}")
    return FolderCorpus(folder, files, tuple(name for name in names if name not in files))


def _of_file(path: Path) -> FileCorpus:
    places: dict[str, tuple[int, int, int]] = {}
    for number, offset, raw in read_places(path):
        found = _document(path, number, raw)
        document_id = str(found.get("id", found.get("_id")))
        if document_id in places:
            first = places[document_id][0]
            raise UsageError(
                f"{path}:{number}: id: {shown(document_id)} is already the id of line {first}"
            )
        places[document_id] = (number, offset, len(raw))
    if not places:
        raise UsageError(f"{path}: the corpus is empty. Write one document a line")
    return FileCorpus(path, places)


def _document(path: Path, number: int, raw: bytes) -> dict[str, Any]:
    try:
        found = parse(raw.decode())
    except ValueError as fault:
        raise UsageError(f"{path}:{number}: {fault}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path}:{number}: got {shown(found)}; allowed: a JSON object")
    document_id = found.get("id", found.get("_id"))
    if not isinstance(document_id, str) or not document_id:
        raise UsageError(
            f"{path}:{number}: id: got {shown(document_id)}; allowed: a text that is not empty"
        )
    if not isinstance(found.get("text"), str):
        raise UsageError(f"{path}:{number}: text: got {shown(found.get('text'))}; allowed: a text")
    return found


def corpus_hash(corpus: FolderCorpus | FileCorpus) -> str:
    """sha256 over the ids and the bytes that hold the documents, whatever their order."""
    lines = _file_digests(corpus) if isinstance(corpus, FolderCorpus) else _line_digests(corpus)
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def _file_digests(corpus: FolderCorpus) -> Iterator[str]:
    for name, file in corpus.files.items():
        with opened(file) as content:
            yield f"{name}\0{hashlib.sha256(content.read()).hexdigest()}"


def _line_digests(corpus: FileCorpus) -> Iterator[str]:
    for number, _, raw in read_places(corpus.path):
        document = _document(corpus.path, number, raw)
        name = document.get("id", document.get("_id"))
        yield f"{name}\0{hashlib.sha256(raw).hexdigest()}"
