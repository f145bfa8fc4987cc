"""A damaged file of an ontology is read, or refused in one sentence that names it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_ontologies import OBO, OWL, SKOS, STIX
from test_ontologies_of_the_web import CONTEXT, GRAPH, OWL_XML

from ragproof.core import Ontology, UsageError
from ragproof.datasets.ontologies import READERS, load_ontology

TREE = [{"id": "vehicle", "children": [{"id": "car", "synonyms": ["auto"]}]}, {"id": "boat"}]
SAMPLES = {
    ".obo": OBO,
    ".ttl": SKOS,
    ".owl": OWL,
    ".owx": OWL_XML,
    ".jsonld": json.dumps({"@context": CONTEXT, "@graph": GRAPH}),
    ".stix": json.dumps(STIX),
    ".json": json.dumps(TREE),
    ".jsonl": "\n".join(map(json.dumps, TREE)),
    ".csv": 'child,parent,name\ncar,vehicle,"A, B"\nsedan,car,\n',
    ".tsv": "child\tparent\ncar\tvehicle\n",
    ".nt": "<http://x/a> <http://www.w3.org/2004/02/skos/core#broader> <http://x/b> .\n",
}
ODD = st.sampled_from(
    [
        "",
        "\0",
        "\ufeff",
        "\u202e",
        '"',
        "<",
        ">",
        "&a;",
        "{",
        "]",
        ",",
        "\t",
        "\n",
        "a",
        "null",
        "5",
    ]
) | st.text(max_size=3)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
@pytest.mark.parametrize("suffix", sorted(SAMPLES))
@pytest.mark.filterwarnings("ignore")  # rdflib, of IRIs that are none
def test_a_damaged_file_is_read_or_refused(
    tmp_path: Path, suffix: str, data: st.DataObject
) -> None:
    text = SAMPLES[suffix]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 40)))
        text = text[:start] + data.draw(ODD) + text[end:]
    file = tmp_path / f"x{data.draw(st.sampled_from([suffix, suffix, *sorted(READERS)]))}"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    told = loaded(file)
    if isinstance(told, UsageError):
        assert str(file) in str(told)
        assert "\n" not in str(told)
    else:
        assert told.roots
        assert all(told.depth(one) >= 1 for one in told)


def loaded(file: Path) -> Ontology | UsageError:
    try:
        return load_ontology(file)
    except UsageError as fault:
        return fault


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("type", [], "objects.0: type: got an empty list; allowed: a text"),
        ("name", 5, "objects.0: name: got 5; allowed: a text"),
        ("aliases", [{}], "objects.0: aliases: got an empty mapping; allowed: a list of texts"),
        ("x_mitre_aliases", [None], "objects.0: x_mitre_aliases: got null; allowed: a list"),
    ],
)
@pytest.mark.parametrize("form", ["bundle", "lines"])
def test_what_is_no_text_in_stix_is_named(
    key: str, value: object, told: str, form: str, tmp_path: Path
) -> None:
    tool = {"type": "tool", "id": "tool--1", "name": "T", key: value}
    path = tmp_path / ("o.json" if form == "bundle" else "o.jsonl")
    found = {"type": "bundle", "objects": [tool]} if form == "bundle" else tool
    path.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load_ontology(path)
    if form == "bundle" or key != "type":  # a line of another type is an entity, and no STIX
        assert told in str(caught.value)
