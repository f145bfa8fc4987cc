"""Ontologies of every format, and what is wrong with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ragproof.core import Ontology, UsageError
from ragproof.datasets.ontologies import load_ontology, ontology_hash

OBO = r"""format-version: 1.2
! a comment

[Term]
id: X:1
name: animal

[Term]
id: X:2 ! dog
name: dog: the friend
alt_id: X:20
synonym: "hound \"old\"" EXACT [] {source="y"}
synonym: "domestic dog" RELATED []
is_a: X:1 {source="z"} ! animal
relationship: part_of X:9

[Term]
id: X:3
name: gone
is_obsolete: true
replaced_by: X:2

[Typedef]
id: part_of
is_a: X:77
"""
SKOS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix ex: <http://example.org/cars/> .
ex:vehicle a skos:Concept ; skos:prefLabel "Fahrzeug"@de, "Vehicle"@en ; skos:narrower ex:car .
ex:car a skos:Concept ; skos:prefLabel "Car"@en ; skos:altLabel "Auto"@de ; skos:notation "C1" .
ex:sedan a skos:Concept ; skos:broader ex:car, ex:nowhere .
"""
OWL = """<?xml version="1.0"?>
<!-- made by hand -->
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">
<owl:Ontology rdf:about="http://x"><owl:imports rdf:resource="http://127.0.0.1:9/none"/></owl:Ontology>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/X_1"><rdfs:label>animal</rdfs:label>
  <rdfs:subClassOf rdf:resource="http://www.w3.org/2002/07/owl#Thing"/></owl:Class>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/X_2">
  <rdfs:subClassOf rdf:resource="http://purl.obolibrary.org/obo/X_1"/>
  <rdfs:subClassOf><owl:Restriction>
    <owl:onProperty rdf:resource="http://x/p"/>
    <owl:someValuesFrom rdf:resource="http://purl.obolibrary.org/obo/X_1"/>
  </owl:Restriction></rdfs:subClassOf></owl:Class>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/X_3"><owl:equivalentClass><owl:Class>
  <owl:intersectionOf rdf:parseType="Collection">
    <owl:Class rdf:about="http://purl.obolibrary.org/obo/X_2"/>
    <owl:Restriction><owl:onProperty rdf:resource="http://x/p"/>
      <owl:someValuesFrom rdf:resource="http://purl.obolibrary.org/obo/X_1"/></owl:Restriction>
  </owl:intersectionOf></owl:Class></owl:equivalentClass></owl:Class>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/X_4">
  <owl:deprecated rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated>
</owl:Class>
</rdf:RDF>
"""
TECHNIQUE = {"type": "attack-pattern", "kill_chain_phases": [{"phase_name": "execution"}]}
STIX = {
    "type": "bundle",
    "id": "bundle--1",
    "objects": [
        {"type": "x-mitre-tactic", "id": "x-mitre-tactic--1", "x_mitre_shortname": "execution"}
        | {"name": "Execution", "external_references": [{"external_id": "TA0002"}]},
        {**TECHNIQUE, "id": "attack-pattern--1", "external_references": [{"external_id": "T1"}]},
        {
            **TECHNIQUE,
            "id": "attack-pattern--2",
            "external_references": [{"external_id": "T1.001"}],
        },
        {**TECHNIQUE, "id": "attack-pattern--3", "revoked": True},
        {"type": "malware", "id": "malware--1", "name": "Worm", "x_mitre_aliases": ["W"]},
        {"type": "identity", "id": "identity--1", "name": "nobody"},
        {"type": "relationship", "id": "relationship--1", "relationship_type": "subtechnique-of"}
        | {"source_ref": "attack-pattern--2", "target_ref": "attack-pattern--1"},
    ],
}


def loaded(tmp_path: Path, name: str, content: object) -> Ontology:
    file = tmp_path / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return load_ontology(file)


def test_obo_terms_have_names_synonyms_merged_ids_and_parents(tmp_path: Path) -> None:
    found = loaded(tmp_path, "x.obo", OBO)
    assert list(found) == ["X:1", "X:2"]
    assert found["X:20"].name == "dog: the friend"
    assert found["X:2"].synonyms == ('hound "old"', "domestic dog")
    assert found.parents("X:2") == ("X:1",)
    assert found.left_out == {"X:3": "obsolete, replaced by X:2"}


def test_skos_concepts_are_joined_by_broader_and_narrower(tmp_path: Path) -> None:
    found = loaded(tmp_path, "x.ttl", SKOS)
    assert (found.roots, found.deepest) == (("http://example.org/cars/vehicle",), 3)
    assert found["vehicle"].name == "Vehicle"
    assert found.named("auto") == found.named("car") == ("http://example.org/cars/car",)
    assert found.canonical("ex:sedan") == "http://example.org/cars/sedan"
    assert found.parents("sedan") == (found.canonical("C1"),)
    assert [*found.unknown_parents] == ["http://example.org/cars/nowhere"]


def test_owl_classes_are_below_named_classes_alone(tmp_path: Path) -> None:
    found = loaded(tmp_path, "x.owl", OWL)
    assert [found.depth(one) for one in ("X:1", "X:2", "X:3")] == [1, 2, 3]
    assert found["X:1"].name == "animal"
    assert [*found.left_out] == ["http://purl.obolibrary.org/obo/X_4"]


def test_an_owl_file_may_hold_turtle(tmp_path: Path) -> None:
    turtle = "@prefix o: <http://www.w3.org/2002/07/owl#> .\n<http://x#A> a o:Class ."
    assert "A" in loaded(tmp_path, "x.owl", turtle)


def test_entities_from_outside_the_file_are_not_put_in(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    doctype = f'<!DOCTYPE r [<!ENTITY e SYSTEM "{tmp_path}/secret">]>\n<rdf:RDF'
    content = OWL.replace("<rdf:RDF", doctype, 1).replace("animal", "animal&e;")
    try:
        name = loaded(tmp_path, "x.owl", content)["X:1"].name
    except UsageError:
        return
    assert "secret" not in (name or "")


def test_stix_puts_techniques_below_tactics_and_sub_techniques_below_them(tmp_path: Path) -> None:
    found = loaded(tmp_path, "x.json", STIX)
    assert list(found) == ["TA0002", "T1", "T1.001", "malware--1"]
    assert [found.parents(one) for one in found] == [(), ("TA0002",), ("T1",), ()]
    assert found.canonical("attack-pattern--2") == "T1.001"
    assert found.named("w") == ("malware--1",)
    assert found.left_out == {"attack-pattern--3": "revoked"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", "car,vehicle\nsedan,car\n\nboat,vehicle\nsedan,vehicle\n"),
        ("x.csv", "child,parent,name\ncar,vehicle,Car\nsedan,car,\nboat,vehicle\nsedan,vehicle"),
        ("x.tsv", "child\tparent\ncar\tvehicle\nsedan\tcar\nboat\tvehicle\nsedan\tvehicle\n"),
        ("x.json", {"sedan": ["car", "vehicle"], "car": "vehicle", "boat": ["vehicle"]}),
        (
            "x.json",
            [
                {"id": "vehicle"},
                {"id": "car", "parent": "vehicle"},
                {"id": "boat", "parents": ["vehicle"]},
                {"id": "sedan", "parents": ["car", "vehicle"]},
            ],
        ),
        (
            "x.json",
            {
                "id": "vehicle",
                "children": [
                    {"id": "car", "children": [{"id": "sedan", "parents": ["vehicle"]}]},
                    {"id": "boat"},
                ],
            },
        ),
        (
            "x.jsonl",
            '{"id": "vehicle"}\n{"id": "car", "parent": "vehicle"}\n\n'
            '{"id": "boat", "parent": "vehicle"}\n{"id": "sedan", "parents": ["car", "vehicle"]}',
        ),
    ],
)
def test_tables_and_json_say_the_same(tmp_path: Path, name: str, content: object) -> None:
    found = loaded(tmp_path, name, content)
    assert set(found) == {"vehicle", "car", "boat", "sedan"}
    assert found.lineage("sedan") == {"sedan", "car", "vehicle"}
    assert set(found.parents("sedan")) == {"car", "vehicle"}
    assert found.roots == ("vehicle",)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("x.csv", "a,b\nb,c\nc,a\n", "x.csv: entities are above themselves: a -> b -> c -> a"),
        ("x.csv", "child,parent\na,b,c\n", "x.csv:2: got 3 cells; allowed: child, parent"),
        ("x.csv", "child,parent,colour\na,b,c\n", "x.csv:1: got columns child, parent, colour"),
        ("x.csv", "a;b\nb;c\n", 'x.csv:1: got one column with ";" in it; allowed: columns parted'),
        ("x.csv", ",b\n", 'x.csv:1: child: got ""'),
        ("x.csv", "child,parent,name\na,,A\na,,B\n", 'x.csv:3: name: got "B" for'),
        ("x.csv", '"a\n', "x.csv:1: not CSV"),
        ("x.csv", "\n", "has no entity"),
        ("x.obo", "[Term]\nname: x\n", "x.obo:1: id: the [Term] has none"),
        ("x.obo", "[Term]\nid: a\nrubbish\n", 'x.obo:3: got "rubbish"'),
        ("x.obo", "[Term]\nid: a\n\n[Term]\nid: a\n", "x.obo: 'a' is the id of two entities"),
        ("x.ttl", "<a> <b>", "x.ttl: the file cannot be read as RDF"),
        ("x.owl", "Prefix(:=<http://x>)", "x.owl: the file is OWL functional syntax"),
        ("x.ttl", "", "has no entity. A skos:Concept or an owl:Class is one"),
        ("x.json", "[1]", "x.json: entities.0: got 1"),
        ("x.json", "5", "x.json: got 5; allowed: a list or mapping"),
        ("x.json", '[{"id": ""}]', 'x.json: entities.0: id: got ""'),
        ("x.json", '[{"id": "a", "parnets": []}]', "x.json: entities.0: parnets: unknown key"),
        ("x.json", '[{"id": "a", "parents": [5]}]', "x.json: entities.0: parents: got 5"),
        ("x.json", '{"a": {"b": "c"}}', "x.json: a: got a mapping"),
        ("x.json", "{", "x.json: not JSON"),
        ("x.jsonl", '{"id": "a"}\n{', "x.jsonl:2: not JSON"),
        ("x.json", {"type": "bundle", "objects": [5]}, "x.json: objects.0: got 5"),
        ("x.txt", "a", "an ontology with .txt is not read. Read are: .csv, .json"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, name: str, content: object, told: str
) -> None:
    with pytest.raises(UsageError) as fault:
        loaded(tmp_path, name, content)
    assert told in str(fault.value)


def test_packed_files_are_unpacked_and_hash_alike(tmp_path: Path) -> None:
    plain, packed = tmp_path / "x.obo", tmp_path / "y.obo.gz"
    plain.write_text(OBO)
    packed.write_bytes(gzip.compress(OBO.encode()))
    assert len(load_ontology(packed)) == 2
    assert ontology_hash(plain) == ontology_hash(packed)
    packed.write_bytes(packed.read_bytes()[:30])
    with pytest.raises(UsageError, match="cannot be unpacked"):
        load_ontology(packed)
