"""`ragproof drift --probes`: neighbours of fixed probes in two versions of an index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ragproof.analysis.drift_neighbours import stability
from ragproof.analysis.drift_result import Neighbours
from ragproof.analysis.intervals import Indices
from ragproof.core import UsageError
from ragproof.index.exact import Distance, exact
from ragproof.index.vectors import Vectors, read_vectors, refuse_mismatch
from ragproof.text.counting import counted
from ragproof.text.faults import shown
from ragproof.text.files import as_utf8, opened, without_bom
from ragproof.wiring.drift_samples import archived


@dataclass(frozen=True, kw_only=True)
class ProbeRequest:
    """What was asked."""

    before: Path
    now: Path
    probes: Path
    now_probes: Path | None = None
    """Vectors of the probes in the second version; None for those of the first."""
    k: int = 10
    distance: Distance = Distance.COSINE
    least: float | None = None


@dataclass(frozen=True)
class _Version:
    """Documents and probes of one version; what is not in both is left out."""

    documents: Vectors
    probes: Vectors
    are_documents: bool


def compare_neighbours(request: ProbeRequest) -> Neighbours:
    """Search exactly in both versions and compare what is found. Raises UsageError."""
    documents = [_read(one) for one in (request.before, request.now)]
    places = _shared(documents)
    versions = _versions(request, documents, places)
    total = len(places[0])
    asked = request.k + versions[0].are_documents
    if asked > total:
        raise UsageError(
            f"--k: got {request.k}, but both versions share {counted(total, 'document')}; "
            f"allowed: 1 to {total - versions[0].are_documents}"
        )
    before, now = (_neighbours(one, request, asked) for one in versions)
    return Neighbours(
        before=documents[0].source,
        now=documents[1].source,
        dimensions=(documents[0].dimensions, documents[1].dimensions),
        metric=request.distance,
        documents=total,
        missing=(len(documents[1]) - total, len(documents[0]) - total),
        probes=versions[0].probes.ids,
        stability=stability(before, now, total - versions[0].are_documents),
        least=request.least,
    )


def _read(path: Path) -> Vectors:
    is_archive = ".npz:" in str(path) or path.suffix.casefold() == ".npz"
    return archived(path) if is_archive else read_vectors(path)


def _shared(documents: list[Vectors]) -> list[Indices]:
    """The rows of what both have, in one order."""
    first, second = ({name: row for row, name in enumerate(one.ids)} for one in documents)
    if not all(one.named for one in documents) and len(first) != len(second):
        one, other = documents
        raise UsageError(
            f"{one.source} has {len(one):,} vectors and {other.source} {len(other):,}, and not "
            "both say which documents they are of; allowed: as many of both in one order, or ids"
        )
    both = [name for name in first if name in second]
    if not both:
        raise UsageError(
            f"{documents[0].source} and {documents[1].source} have no document in common, by id"
        )
    return [np.array([rows[name] for name in both]) for rows in (first, second)]


def _versions(
    request: ProbeRequest, documents: list[Vectors], places: list[Indices]
) -> list[_Version]:
    kept = [_only(one, rows) for one, rows in zip(documents, places, strict=True)]
    if request.probes.suffix.casefold() == ".txt":
        if request.now_probes is not None:
            raise UsageError("--current-probes: ids of documents are the same in both versions")
        rows = _named(request.probes, kept[0])
        return [_Version(one, _only(one, rows), are_documents=True) for one in kept]
    probes = [_read(one) for one in (request.probes, request.now_probes or request.probes)]
    for one, other in zip(kept, probes, strict=True):
        if request.now_probes is None and one.dimensions != other.dimensions:
            raise UsageError(
                f"{one.source} has {one.dimensions} dimensions and {other.source} has "
                f"{other.dimensions}: a probe needs a vector of each encoder. Give the vectors by "
                "the new one with --current-probes FILE, or ids of documents as --probes FILE.txt"
            )
        refuse_mismatch(one, other)
    if probes[0].ids != probes[1].ids:
        raise UsageError(
            f"{probes[0].source} and {probes[1].source} are not of the same probes in one order, "
            "by id"
        )
    pairs = zip(kept, probes, strict=True)
    return [_Version(one, other, are_documents=False) for one, other in pairs]


def _only(one: Vectors, rows: Indices) -> Vectors:
    ids = tuple(one.ids[row] for row in rows.tolist())
    return Vectors(ids=ids, values=one.values[rows], source=one.source, named=one.named)


def _named(path: Path, documents: Vectors) -> Indices:
    """The documents that a file names, one id a line."""
    with opened(path) as file:
        text = as_utf8(without_bom(file.read(), path), path)
    rows = {name: row for row, name in enumerate(documents.ids)}
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not (name := line.strip()):
            continue
        if name not in rows:
            raise UsageError(f"{path}:{number}: got {shown(name)}; allowed: ids of both versions")
        found.append(rows[name])
    if not found:
        raise UsageError(f"{path}: the file names no document")
    return np.array(list(dict.fromkeys(found)))


def _neighbours(one: _Version, request: ProbeRequest, asked: int) -> Indices:
    """Rows nearest to each probe, best first; a document is no neighbour of itself."""
    found = exact(one.documents, one.probes, request.distance, asked).places
    if not one.are_documents:
        return found
    rows = {name: row for row, name in enumerate(one.documents.ids)}
    kept = np.empty((len(found), request.k), dtype=np.intp)
    for at, (name, places) in enumerate(zip(one.probes.ids, found, strict=True)):
        kept[at] = places[places != rows[name]][: request.k]
    return kept
