"""OWL/XML, OWL's own XML syntax, as the triples that RDF would have for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from xml.etree import ElementTree

from ragproof.core import UsageError
from ragproof.text.faults import shown

OWL = "http://www.w3.org/2002/07/owl#"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_KNOWN = {
    "owl": OWL,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
"""Prefixes that need not be declared."""


def read_into(graph: Any, rdflib: Any, text: str, path: Path) -> None:  # noqa: ANN401 - of rdflib
    """Add the classes, what is above them, and what they are called.

    Raises UsageError for what is no XML, with its line, and for a prefix that is not declared.
    """
    try:
        root = ElementTree.fromstring(text)  # noqa: S314  expat limits what entities grow to
    except (ElementTree.ParseError, ValueError) as fault:
        raise UsageError(f"{path}: the file cannot be read as OWL/XML: {fault}") from None
    _Reader(root, graph, rdflib, path).read()


class _Reader:
    def __init__(self, root: ElementTree.Element, graph: Any, rdflib: Any, path: Path) -> None:  # noqa: ANN401
        self._root, self._graph, self._rdflib, self._path = root, graph, rdflib, path
        self._base = root.get(f"{_XML}base") or root.get("ontologyIRI") or path.name
        declared = {
            one.get("name", ""): one.get("IRI", "") for one in root if _tag(one) == "Prefix"
        }
        self._prefixes = {**_KNOWN, **declared}
        for prefix, space in declared.items():
            graph.bind(prefix, space, override=True)

    def read(self) -> None:
        rdf, rdfs, owl = self._rdflib.RDF, self._rdflib.RDFS, self._rdflib.OWL
        for one in self._root.iter(f"{{{OWL}}}Class"):
            self._graph.add((self._node(one), rdf.type, owl.Class))
        for axiom in self._root:
            # annotations of the axiom itself come first and are about no class
            parts = [one for one in axiom if _tag(one) != "Annotation"]
            match _tag(axiom), parts:
                case "SubClassOf", [child, up] if _tag(child) == "Class":
                    for above in self._named(up):
                        self._graph.add((self._node(child), rdfs.subClassOf, above))
                case "EquivalentClasses", _:
                    self._equivalent(parts)
                case "AnnotationAssertion", [kind, subject, value]:
                    self._annotated(kind, subject, value)

    def _equivalent(self, parts: list[ElementTree.Element]) -> None:
        """A class is below the named parts of an intersection that it is equivalent to."""
        for child in parts:
            for other in parts:
                if _tag(child) == "Class" and _tag(other) == "ObjectIntersectionOf":
                    for above in self._named(other):
                        self._graph.add((self._node(child), self._rdflib.RDFS.subClassOf, above))

    def _named(self, expression: ElementTree.Element) -> Iterator[Any]:
        if _tag(expression) == "Class":
            yield self._node(expression)
        elif _tag(expression) == "ObjectIntersectionOf":
            yield from (self._node(one) for one in expression if _tag(one) == "Class")

    def _annotated(
        self, kind: ElementTree.Element, subject: ElementTree.Element, value: ElementTree.Element
    ) -> None:
        told = {"IRI": "IRI", "AbbreviatedIRI": "abbreviatedIRI"}.get(_tag(subject))
        if told is not None and _tag(value) == "Literal":
            about = self._node(ElementTree.Element("about", {told: (subject.text or "").strip()}))
            literal = self._rdflib.Literal(value.text or "", lang=value.get(f"{_XML}lang"))
            self._graph.add((about, self._node(kind), literal))

    def _node(self, one: ElementTree.Element) -> Any:  # noqa: ANN401 - of rdflib
        short = one.get("abbreviatedIRI")
        if short is None:
            return self._rdflib.URIRef(self._whole(one.get("IRI", "")))
        prefix, _, local = short.partition(":")
        if prefix not in self._prefixes:
            got = f"got {shown(short)}; the prefix is not declared"
            raise UsageError(f"{self._path}: abbreviatedIRI: {got}")
        return self._rdflib.URIRef(self._prefixes[prefix] + local)

    def _whole(self, iri: str) -> str:
        try:
            return urljoin(self._base, iri)
        except ValueError as fault:
            got = f"got {shown(iri)} on the base {shown(self._base)}: {fault}"
            raise UsageError(f"{self._path}: IRI: {got}") from None


def _tag(one: ElementTree.Element) -> str:
    """Its name, if it is one of OWL's; else empty."""
    return one.tag.removeprefix(f"{{{OWL}}}") if one.tag.startswith(f"{{{OWL}}}") else ""
