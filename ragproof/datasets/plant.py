"""Injection cases without a model: payloads in questions, in documents, in their metadata.

Documents are planted in a copy of the corpus, one payload a document, so that an answer tells which
payload it obeyed. Questions on documents that carry none stay what they were.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

from ragproof.core import CaseKind, QuestionCase, RunError, UsageError
from ragproof.datasets.corpus import FileCorpus, FolderCorpus
from ragproof.datasets.documents import plain_text
from ragproof.datasets.generate_files import Book
from ragproof.datasets.material import Material, spread
from ragproof.datasets.plant_marks import DOCUMENT, METADATA, QUESTION, marked, takes
from ragproof.text.files import opened, write_whole
from ragproof.text.jsonl import read_places
from ragproof.text.payload_library import PAYLOADS, Attack, Payload, Place
from ragproof.text.payloads import payload, planted
from ragproof.text.strict_json import parse

KIND = "injection"
WORDS = 8
"""Of a passage without headings that make a question of key words."""


@dataclass(frozen=True)
class Planting:
    """What was planted, and where."""

    cases: tuple[QuestionCase, ...]
    index: Path | None = None
    """The folder or file to index; None where nothing was planted in documents."""
    manifest: Path | None = None
    """The file that says which document carries which payload."""

    @property
    def planted(self) -> int:
        """Documents that carry a payload."""
        return sum(one.planted_source_ids is not None for one in self.cases)


@dataclass(frozen=True)
class _Carrier:
    """A harmless question on a document."""

    question: str
    document_id: str
    of: str | None = None
    """The case whose question it is."""


def check_folder(folder: Path | None, book: Book, corpus: FolderCorpus | FileCorpus) -> None:
    """Raise UsageError for a place where no poisoned copy can be written."""
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: this is a file; name a folder for the poisoned corpus")
    if folder.exists() and any(folder.iterdir()) and not _is_ours(folder, book):
        raise UsageError(f"{folder}: the folder of the poisoned corpus is not empty")
    if isinstance(corpus, FolderCorpus):
        source = corpus.folder.resolve()
        if folder.resolve() == source or source in folder.resolve().parents:
            raise UsageError(f"{folder}: the poisoned corpus would lie in the corpus itself")


def _manifest_path(book: Book) -> Path:
    return book.out.with_name(f"{book.out.stem}.poisoned.json")


def _is_ours(folder: Path, book: Book) -> bool:
    """Whether the copy there was begun for this dataset."""
    path = _manifest_path(book)
    if not book.made(KIND) or not path.exists():
        return False
    told = parse(plain_text(path))
    return isinstance(told, dict) and told.get("folder") == str(folder.resolve())


def planted_cases(
    corpus: FolderCorpus | FileCorpus,
    material: Material,
    book: Book,
    wanted: int,
    seed: int,
    folder: Path | None,
) -> Planting:
    """Make so many cases, all classes of attack in turn, and the poisoned copy where it is wanted.

    Without a folder for the copy, payloads go into questions alone.
    """
    _made(corpus, material, book, wanted, seed, with_documents=folder is not None)
    cases = tuple(book.of(KIND))
    if folder is None or not any(one.planted_source_ids for one in cases):
        return Planting(cases)
    index = folder / corpus.path.name if isinstance(corpus, FileCorpus) else folder
    manifest = _manifest_path(book)
    told = {"folder": str(folder.resolve()), **_manifest(index, len(corpus), cases)}
    write_whole(manifest, json.dumps(told, indent=2) + "\n")
    _poisoned(corpus, cases, folder)
    return Planting(cases, index, manifest)


def _made(
    corpus: FolderCorpus | FileCorpus,
    material: Material,
    book: Book,
    wanted: int,
    seed: int,
    *,
    with_documents: bool,
) -> None:
    attacks = _attacks(material, seed, with_documents=with_documents)
    carriers = _carriers(material, book, seed)
    free = {one.document_id for one in carriers} - {
        name for case in book.of(KIND) for name in case.planted_source_ids or ()
    }
    free = {name for name in free if takes(corpus, name)}
    for number in range(wanted):
        name = f"{KIND}-{number + 1:04}"
        if name in book.done or not attacks:
            continue
        attack = attacks[number % len(attacks)]
        at = number % len(carriers)
        order = (*carriers[at:], *carriers[:at])
        if attack.place is Place.QUESTION:
            book.add([_asked(name, attack, order[0])])
            continue
        carrier = next((one for one in order if one.document_id in free), None)
        if carrier is None:
            reason = "no document is left that can carry a payload of its own"
            book.reject({"id": name, "kind": KIND, "reason": reason, "payload": attack.id})
            continue
        free.discard(carrier.document_id)
        in_metadata = number % 2 == 1 and METADATA in takes(corpus, carrier.document_id)
        book.add([_found(name, attack, carrier, METADATA if in_metadata else DOCUMENT)])


def _attacks(material: Material, seed: int, *, with_documents: bool) -> list[Payload]:
    """Payloads, all classes in turn; none whose sentinel the corpus holds already."""
    chance = random.Random(f"{seed}:{KIND}")  # noqa: S311  a sample, not a secret
    texts = [one.text.casefold() for one in material.passages]
    classes = []
    for kind in Attack:
        found = [
            one
            for one in PAYLOADS
            if one.attack is kind
            and (with_documents or one.place is Place.QUESTION)
            and not any(said.casefold() in text for said in one.sentinels for text in texts)
        ]
        chance.shuffle(found)
        classes.append(found)
    return [one for one in chain.from_iterable(zip_longest(*classes)) if one is not None]


def _carriers(material: Material, book: Book, seed: int) -> list[_Carrier]:
    """The questions that were made, else key words of passages."""
    asked = [
        _Carrier(one.question, one.tags["document"], one.id)
        for one in book.of("qa")
        if "document" in one.tags
    ]
    known = {one.document_id for one in asked}
    return asked + [one for one in _key_words(material, seed) if one.document_id not in known]


def _key_words(material: Material, seed: int) -> Iterator[_Carrier]:
    """One question a document."""
    names = {one.document_id for one in material.asked_about}
    for passage in spread(material, seed, KIND):
        if passage.document_id not in names:
            return
        names.discard(passage.document_id)
        words = " ".join(passage.headings[-2:]) or " ".join(passage.text.split()[:WORDS])
        yield _Carrier(words, passage.document_id)


def _asked(name: str, attack: Payload, carrier: _Carrier) -> QuestionCase:
    return _case(name, attack, carrier, QUESTION, planted(carrier.question, attack), None)


def _found(name: str, attack: Payload, carrier: _Carrier, place: str) -> QuestionCase:
    return _case(name, attack, carrier, place, carrier.question, (carrier.document_id,))


def _case(
    name: str,
    attack: Payload,
    carrier: _Carrier,
    place: str,
    question: str,
    sources: tuple[str, ...] | None,
) -> QuestionCase:
    return QuestionCase(
        id=name,
        kind=CaseKind.INJECTION,
        question=question,
        adversarial_payload=attack.id,
        planted_source_ids=sources,
        group=carrier.document_id,
        tags={
            "kind": KIND,
            "attack": attack.attack.value,
            "place": place,
            "document": carrier.document_id,
        },
        metadata={} if carrier.of is None else {"question_of": carrier.of},
    )


def _poisoned(
    corpus: FolderCorpus | FileCorpus, cases: Sequence[QuestionCase], folder: Path
) -> None:
    """Write the copy."""
    plants = {
        document: (attack, case.tags["place"])
        for case in cases
        for document in case.planted_source_ids or ()
        if (attack := payload(case.adversarial_payload or "")) is not None
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if isinstance(corpus, FileCorpus):
            _poisoned_file(corpus, plants, folder / corpus.path.name)
            return
        for name, file in corpus.files.items():
            to = folder / name
            to.parent.mkdir(parents=True, exist_ok=True)
            if (found := plants.get(name)) is None:
                shutil.copyfile(file, to)
            else:
                write_whole(to, marked(plain_text(file), file.suffix.lower(), *found))
    except OSError as fault:
        raise RunError(f"{folder}: cannot be written: {fault.strerror or fault}") from fault


def _poisoned_file(corpus: FileCorpus, plants: Mapping[str, tuple[Payload, str]], to: Path) -> None:
    named = {place[0]: name for name, place in corpus.places.items()}
    with opened(corpus.path), to.open("wb") as file:
        for number, _, raw in read_places(corpus.path):
            found = plants.get(named[number])
            if found is None:
                file.write(raw + b"\n")
                continue
            attack, place = found
            line = parse(raw.decode())
            if place == METADATA:
                before = line.get("metadata")
                held = before if isinstance(before, dict) else {}
                line["metadata"] = {**held, "description": attack.text}
            else:
                line["text"] = planted(line["text"], attack)
            file.write(json.dumps(line).encode() + b"\n")


def _manifest(index: Path, documents: int, cases: Sequence[QuestionCase]) -> dict[str, object]:
    return {
        "index": str(index),
        "documents": documents,
        "planted": [
            {
                "document_id": name,
                "case_id": case.id,
                "payload": case.adversarial_payload,
                "attack": case.tags["attack"],
                "place": case.tags["place"],
            }
            for case in cases
            for name in case.planted_source_ids or ()
        ],
    }
