"""The file of an ontology, whatever its format, as entities and what is above them."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath

from ragproof.core import Ontology, UsageError
from ragproof.datasets import (
    ontology_json,
    ontology_obo,
    ontology_rdf,
    ontology_tables,
)
from ragproof.datasets.ontology_found import Found
from ragproof.text.files import as_utf8, opened, without_bom

READERS: Mapping[str, Callable[[str, Path], Found]] = {
    ".obo": ontology_obo.read,
    ".ttl": ontology_rdf.read,
    ".turtle": ontology_rdf.read,
    ".nt": ontology_rdf.read,
    ".jsonld": ontology_rdf.read,
    ".owl": ontology_rdf.read,
    ".owx": ontology_rdf.read,
    ".rdf": ontology_rdf.read,
    ".skos": ontology_rdf.read,
    ".xml": ontology_rdf.read,
    ".csv": ontology_tables.read,
    ".tsv": ontology_tables.read,
    ".json": ontology_json.read,
    ".jsonl": ontology_json.read_lines,
    ".ndjson": ontology_json.read_lines,
    ".stix": ontology_json.read,
}
_GZIP = b"\x1f\x8b"


def load_ontology(path: Path) -> Ontology:
    """Read an ontology; a file ending in `.gz` is unpacked.

    Raises UsageError for a file that is missing or malformed, an id that is there twice, a cycle
    (with its path), and for one that has no entity at all.
    """
    named = PurePath(path.stem if path.suffix.lower() == ".gz" else path.name)
    if (reader := READERS.get(named.suffix.lower())) is None:
        got = named.suffix or "no suffix"
        kinds = ", ".join(sorted(READERS))
        raise UsageError(f"{path}: an ontology with {got} is not read. Read are: {kinds}")
    raw = _unpacked(path)
    found = reader(as_utf8(without_bom(raw, path), path), path)
    if not found.entities:
        raise UsageError(f"{path}: the ontology has no entity. {found.hint}")
    try:
        return Ontology(found.entities, found.left_out)
    except UsageError as fault:
        raise UsageError(f"{path}: {fault}") from None


def ontology_hash(path: Path) -> str:
    """sha256 of what the file holds, packed or not."""
    return hashlib.sha256(_unpacked(path)).hexdigest()


def _unpacked(path: Path) -> bytes:
    with opened(path) as file:
        raw = file.read()
    if not raw.startswith(_GZIP):
        return raw
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as fault:
        raise UsageError(f"{path}: the file cannot be unpacked: {fault}") from None
