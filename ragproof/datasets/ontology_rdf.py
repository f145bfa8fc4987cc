"""Ontologies in RDF: SKOS concepts and OWL classes.

As Turtle, N-Triples, RDF/XML, JSON-LD or OWL/XML, told apart by contents.

An entity's id is its IRI; its aliases are the forms in which people write it, where they are not
those of another: `DOID:162`, `ex:Sedan`, `Sedan`, its notation. Nothing is fetched, whatever the
file imports or refers to.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

from ragproof.core import Entity, UsageError
from ragproof.datasets import ontology_owl_xml
from ragproof.datasets.ontology_found import Found
from ragproof.text.faults import shown
from ragproof.text.strict_json import parse

HINT = "A skos:Concept or an owl:Class is one"
_OBO = re.compile(r"^http://purl\.obolibrary\.org/obo/([A-Za-z]\w*)_(\w+)$")
_OTHER_SYNTAX = {
    "Prefix(": "OWL functional syntax",
    "Ontology(": "OWL functional syntax",
    "Prefix:": "Manchester syntax",
    "Ontology:": "Manchester syntax",
}
OWL_XML, JSON_LD = "OWL/XML", "json-ld"
_IN_OWL_XML = re.compile(r"<(?:[\w.-]+:)?Ontology[\s>]")
_IN_JSON = re.compile(r"\{|\[\s*\{")
_SYNONYMS = ("hasExactSynonym", "hasRelatedSynonym", "hasNarrowSynonym", "hasBroadSynonym")


def read(text: str, path: Path) -> Found:
    """Read the concepts, or else classes, and what is above them; raises UsageError."""
    rdflib = _rdflib()
    graph = rdflib.Graph(bind_namespaces="none")
    if (syntax := _syntax(text, path)) == OWL_XML:
        ontology_owl_xml.read_into(graph, rdflib, text, path)
        return _Reader(graph, rdflib).found()
    if syntax == JSON_LD:
        _check_contexts(text, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of rdflib, about what it does itself
            if syntax == JSON_LD:
                _read_json_ld(graph, rdflib, text, path)
            else:
                graph.parse(data=text, format=syntax, publicID=path.name)
    except Exception as fault:  # noqa: BLE001  each of its parsers has errors of its own
        told = " ".join(str(fault).split())
        raise UsageError(f"{path}: the file cannot be read as RDF: {told[:300]}") from None
    return _Reader(graph, rdflib).found()


def _read_json_ld(graph: Any, rdflib: Any, text: str, path: Path) -> None:  # noqa: ANN401
    """Add what it says, in named graphs, too."""
    whole = rdflib.Dataset()
    whole.parse(data=text, format=JSON_LD, publicID=path.name)
    for subject, predicate, value, _ in whole.quads():
        graph.add((subject, predicate, value))
    for prefix, space in whole.namespaces():
        graph.bind(prefix, space)


def _rdflib() -> Any:  # noqa: ANN401 - a module
    try:
        import rdflib  # noqa: PLC0415  an extra, and heavy
    except ImportError:
        raise UsageError("RDF needs rdflib. Install it: pip install 'ragproof[ontology]'") from None
    return rdflib


def _syntax(text: str, path: Path) -> str:
    """By what the file holds: files ending in .owl hold any syntax."""
    start = re.sub(
        r"^(\s|<\?xml.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(\[.*?\])?\s*>)*",
        "",
        text[:100_000],
        flags=re.DOTALL,
    )
    for begin, name in _OTHER_SYNTAX.items():
        if start.startswith(begin):
            can = "Turtle, N-Triples, RDF/XML, OWL/XML or JSON-LD"
            raise UsageError(f"{path}: the file is {name}, which is not read. Save it as {can}")
    if _IN_OWL_XML.match(start):
        return OWL_XML
    if _IN_JSON.match(start):
        return JSON_LD
    if start.startswith(("<rdf:", "<RDF")) or text.lstrip().startswith("<?xml"):
        return "xml"
    return "nt" if PurePath(path.name.removesuffix(".gz")).suffix == ".nt" else "turtle"


def _check_contexts(text: str, path: Path) -> None:
    """Raise UsageError for a context that would have to be fetched, and for what is no JSON."""
    try:
        open_: list[Any] = [parse(text)]
    except ValueError as fault:
        raise UsageError(f"{path}: {fault}") from None
    while open_:
        match open_.pop():
            case Mapping() as one:
                told = one.get("@context")
                contexts = told if isinstance(told, list) else [told]
                imported = [each.get("@import") for each in contexts if isinstance(each, Mapping)]
                for each in (*contexts, *imported):
                    if isinstance(each, str):
                        got = f"got {shown(each)}; nothing is fetched"
                        can = "write the context itself into the file, or save it as Turtle"
                        raise UsageError(f"{path}: @context: {got}: {can}")
                open_ += one.values()
            case list() as several:
                open_ += several


class _Reader:
    """The graph of one file."""

    def __init__(self, graph: Any, rdflib: Any) -> None:  # noqa: ANN401 - of rdflib
        self._graph, self._iri = graph, rdflib.URIRef
        self._owl, self._rdf, self._rdfs = rdflib.OWL, rdflib.RDF, rdflib.RDFS
        self._skos = rdflib.SKOS
        self._oio = rdflib.Namespace("http://www.geneontology.org/formats/oboInOwl#")
        known = {str(space): prefix for prefix, space in graph.namespaces()}
        self._prefixes = sorted(known.items(), key=lambda pair: -len(pair[0]))

    def found(self) -> Found:
        parents = self._concepts() or self._classes()
        entities, left_out = [], {}
        for one, up in parents.items():
            if self._is_gone(one):
                left_out[str(one)] = "deprecated"
                continue
            names = self._labels(one, [self._skos.prefLabel, self._rdfs.label])
            more = [self._skos.altLabel, self._skos.hiddenLabel]
            synonyms = self._labels(one, [*more, *(self._oio[name] for name in _SYNONYMS)])
            entities.append(
                Entity(
                    id=str(one),
                    name=names[0] if names else None,
                    parents=tuple(sorted(map(str, up))),
                    synonyms=tuple(dict.fromkeys([*names[1:], *synonyms])),
                    aliases=tuple(self._aliases(one)),
                )
            )
        return Found(sorted(entities, key=lambda one: one.id), HINT, left_out)

    def _concepts(self) -> dict[Any, set[Any]]:
        """SKOS: from `broader`, and from `narrower` the other way round."""
        parents: dict[Any, set[Any]] = defaultdict(set)
        for one in self._graph.subjects(self._rdf.type, self._skos.Concept):
            parents[one] = set()
        for child, up in self._graph.subject_objects(self._skos.broader):
            parents[child].add(up)
        for up, child in self._graph.subject_objects(self._skos.narrower):
            parents[child].add(up)
            parents[up]  # one that has something below it is a concept
        return self._of_iris(parents)

    def _classes(self) -> dict[Any, set[Any]]:
        """OWL: named superclasses, also where they are part of an intersection."""
        parents: dict[Any, set[Any]] = defaultdict(set)
        for kind in (self._owl.Class, self._rdfs.Class):
            for one in self._graph.subjects(self._rdf.type, kind):
                parents[one] = set()
        for child, up in self._graph.subject_objects(self._rdfs.subClassOf):
            parents[child].update({up} if isinstance(up, self._iri) else self._parts(up))
        for child, same in self._graph.subject_objects(self._owl.equivalentClass):
            if not isinstance(same, self._iri):
                parents[child].update(self._parts(same))
        tops = {self._owl.Thing, self._rdfs.Resource}
        named = {one: up - tops - {one} for one, up in parents.items() if one not in tops}
        return self._of_iris(named)

    def _parts(self, node: Any) -> Iterator[Any]:  # noqa: ANN401
        for listed in self._graph.objects(node, self._owl.intersectionOf):
            yield from self._graph.items(listed)

    def _of_iris(self, parents: dict[Any, set[Any]]) -> dict[Any, set[Any]]:
        return {
            one: {other for other in up if isinstance(other, self._iri)}
            for one, up in parents.items()
            if isinstance(one, self._iri)
        }

    def _is_gone(self, one: Any) -> bool:  # noqa: ANN401
        told = self._graph.objects(one, self._owl.deprecated)
        return any(str(value).casefold() in ("true", "1") for value in told)

    def _labels(self, one: Any, kinds: Iterable[Any]) -> list[str]:  # noqa: ANN401
        """Kind by kind, those without a language or in English first."""
        found: list[str] = []
        for kind in kinds:
            told = list(self._graph.objects(one, kind))
            told.sort(key=lambda text: (_foreign(text), str(text)))
            found += map(str, told)
        return list(dict.fromkeys(found))

    def _aliases(self, one: Any) -> Iterator[str]:  # noqa: ANN401
        iri = str(one)
        if known := _OBO.match(iri):
            yield f"{known[1]}:{known[2]}"
        for space, prefix in self._prefixes:
            if iri.startswith(space) and len(iri) > len(space):
                yield f"{prefix}:{iri[len(space) :]}"
                break
        if local := re.split(r"[#/]", iri)[-1]:
            yield local
        for kind in (self._skos.notation, self._oio.hasAlternativeId, self._oio.id):
            yield from map(str, self._graph.objects(one, kind))


def _foreign(text: Any) -> tuple[bool, str]:  # noqa: ANN401
    language = str(getattr(text, "language", None) or "")
    return (not (language == "" or language.casefold().startswith("en")), language)
