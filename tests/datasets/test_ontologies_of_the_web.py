"""Ontologies as JSON-LD and OWL/XML: the same entities, and what is not read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import rdflib

from ragproof.core import Ontology, UsageError
from ragproof.datasets.ontologies import load_ontology

CARS = "http://example.org/cars#"
OWL_XML = """<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<Ontology xmlns="http://www.w3.org/2002/07/owl#" xml:base="http://example.org/cars"
    ontologyIRI="http://example.org/cars">
  <Prefix name="skos" IRI="http://www.w3.org/2004/02/skos/core#"/>
  <Prefix name="c" IRI="http://example.org/cars#"/>
  <Import>http://127.0.0.1:9/none</Import>
  <Declaration><Class IRI="#Vehicle"/></Declaration>
  <Declaration><NamedIndividual IRI="#mine"/></Declaration>
  <SubClassOf><Annotation><AnnotationProperty abbreviatedIRI="rdfs:comment"/>
    <Literal>sure</Literal></Annotation><Class IRI="#Car"/><Class IRI="#Vehicle"/></SubClassOf>
  <SubClassOf><Class abbreviatedIRI="c:Sedan"/><Class IRI="#Car"/></SubClassOf>
  <SubClassOf><Class abbreviatedIRI="c:Sedan"/><ObjectSomeValuesFrom>
    <ObjectProperty IRI="#has"/><Class IRI="#Vehicle"/></ObjectSomeValuesFrom></SubClassOf>
  <SubClassOf><Class IRI="#Vehicle"/><Class abbreviatedIRI="owl:Thing"/></SubClassOf>
  <EquivalentClasses><Class IRI="#Taxi"/><ObjectIntersectionOf><Class IRI="#Car"/>
    <ObjectSomeValuesFrom><ObjectProperty IRI="#has"/><Class IRI="#Vehicle"/>
    </ObjectSomeValuesFrom></ObjectIntersectionOf></EquivalentClasses>
  <AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/>
    <IRI>#Sedan</IRI><Literal xml:lang="de">Limousine</Literal></AnnotationAssertion>
  <AnnotationAssertion><AnnotationProperty abbreviatedIRI="skos:altLabel"/>
    <AbbreviatedIRI>c:Sedan</AbbreviatedIRI><Literal>Saloon</Literal></AnnotationAssertion>
  <AnnotationAssertion><AnnotationProperty abbreviatedIRI="owl:deprecated"/>
    <IRI>#Cart</IRI><Literal>true</Literal></AnnotationAssertion>
  <Declaration><Class IRI="#Cart"/></Declaration>
</Ontology>
"""
CONTEXT: dict[str, Any] = {
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "c": CARS,
    "broader": {"@id": "skos:broader", "@type": "@id"},
}
GRAPH: list[dict[str, Any]] = [
    {"@id": "c:Vehicle", "@type": "skos:Concept", "skos:prefLabel": "Vehicle"},
    {"@id": "c:Car", "@type": "skos:Concept", "broader": "c:Vehicle"},
    {"@id": "c:Sedan", "@type": "skos:Concept", "broader": ["c:Car", "c:Nowhere"]},
]


def loaded(tmp_path: Path, name: str, content: object) -> Ontology:
    file = tmp_path / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return load_ontology(file)


@pytest.mark.parametrize("name", ["x.owx", "x.owl", "x.xml"])
def test_classes_of_owl_xml_are_below_named_classes_alone(tmp_path: Path, name: str) -> None:
    found = loaded(tmp_path, name, OWL_XML)
    assert set(found) == {CARS + one for one in ("Vehicle", "Car", "Sedan", "Taxi")}
    assert [found.depth(one) for one in ("Vehicle", "c:Car", "Sedan", "Taxi")] == [1, 2, 3, 3]
    assert found.parents("Sedan") == (f"{CARS}Car",)
    assert (found["Sedan"].name, found["Sedan"].synonyms) == ("Limousine", ("Saloon",))
    assert found.left_out == {f"{CARS}Cart": "deprecated"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.jsonld", {"@context": CONTEXT, "@graph": GRAPH}),
        ("x.json", {"@context": CONTEXT, "@graph": GRAPH}),
        ("x.owl", {"@context": CONTEXT, "@graph": GRAPH}),
        ("x.json", {"@context": CONTEXT, "@id": f"{CARS}all", "@graph": GRAPH}),
        ("x.json", [{"@context": CONTEXT, **one} for one in GRAPH]),
    ],
)
def test_concepts_of_json_ld_are_joined(tmp_path: Path, name: str, content: object) -> None:
    found = loaded(tmp_path, name, content)
    assert set(found) == {CARS + one for one in ("Vehicle", "Car", "Sedan")}
    assert found.lineage("Sedan") == {CARS + one for one in ("Vehicle", "Car", "Sedan")}
    assert found["Vehicle"].name == "Vehicle"
    assert [*found.unknown_parents] == [f"{CARS}Nowhere"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib, of how it writes JSON-LD
def test_every_syntax_of_rdf_says_the_same(tmp_path: Path) -> None:
    graph = rdflib.Graph().parse(
        data=json.dumps({"@context": CONTEXT, "@graph": GRAPH}), format="json-ld"
    )
    kinds = {"ttl": "turtle", "nt": "nt", "rdf": "xml", "jsonld": "json-ld"}
    read = [
        {one: found.parents(one) for one in found}
        for suffix, kind in kinds.items()
        for found in [loaded(tmp_path, f"x.{suffix}", graph.serialize(format=kind))]
    ]
    assert all(one == read[0] and len(one) == 3 for one in read)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("x.owl", "Prefix: c: <http://x#>", "x.owl: the file is Manchester syntax, which is not "),
        ("x.owl", OWL_XML[:500], "x.owl: the file cannot be read as OWL/XML"),
        ("x.owl", OWL_XML.replace('"c:Sedan', '"q:Sedan'), 'abbreviatedIRI: got "q:Sedan"'),
        ("x.owl", OWL_XML.replace("//example.org", "//[x"), "x.owl: IRI: got"),
        (
            "x.owl",
            OWL_XML.replace('abbreviatedIRI="owl:Thing"', 'IRI="#Car"'),
            f"x.owl: entities are above themselves: {CARS}Car -> {CARS}Vehicle -> {CARS}Car",
        ),
        ("x.jsonld", '{"@context": {', "x.jsonld: not JSON"),
        ("x.jsonld", {"@context": CONTEXT, "@graph": []}, "the ontology has no entity"),
        (
            "x.jsonld",
            {"@context": [CONTEXT, "http://127.0.0.1:9/context"], "@graph": GRAPH},
            'x.jsonld: @context: got "http://127.0.0.1:9/context"; nothing is fetched',
        ),
        (
            "x.json",
            {"@context": {**CONTEXT, "@import": "secret.json"}, "@graph": GRAPH},
            'x.json: @context: got "secret.json"; nothing is fetched',
        ),
    ],
)
def test_what_is_not_read_is_named(tmp_path: Path, name: str, content: object, told: str) -> None:
    with pytest.raises(UsageError) as fault:
        loaded(tmp_path, name, content)
    assert told in str(fault.value)
