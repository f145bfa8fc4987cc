"""Real ontologies, whole; ancestors, depths and common ancestors as networkx finds them."""

from __future__ import annotations

import random
from pathlib import Path

import networkx as nx
import pytest

from ragproof.datasets.ontologies import load_ontology

DATA = Path(__file__).parents[3] / "shared/data"
DISEASES = DATA / "ontology_do/DO_cancer_slim.obo"
TECHNIQUES = DATA / "ontology_attack/attack_enterprise.jsonl.gz"
pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not DISEASES.is_file(), reason=f"there is no {DISEASES}"),
]


def test_the_diseases_are_all_there() -> None:
    found = load_ontology(DISEASES)
    terms = DISEASES.read_text(encoding="utf-8").split("\n[Term]\n")[1:]
    kept = [one for one in terms if "\nis_obsolete: true" not in one]
    assert (len(terms), len(found), len(found.left_out)) == (730, len(kept), 1)
    assert (len(found.roots), found.deepest, found.unknown_parents) == (75, 9, {})
    assert sum(one.count("\nis_a: ") for one in kept) == sum(len(found.parents(o)) for o in found)
    assert found.canonical("DOID:267") == "DOID:0001816"
    assert found.named("Hemangiosarcoma") == ("DOID:0001816",)
    assert found["DOID:162"].name == "cancer"


def test_the_techniques_are_all_there() -> None:
    found = load_ontology(TECHNIQUES)
    assert (len(found), found.deepest, found.unknown_parents) == (705, 3, {})
    assert len(found.roots) == 14
    assert all(one.startswith("TA") for one in found.roots)
    below = [one for one in found if "." in one]
    assert len(below) == 475
    assert all(found.parents(one) == (one.partition(".")[0],) for one in below)
    assert found.parents("T1001") == ("TA0011",)


@pytest.mark.parametrize("path", [DISEASES, TECHNIQUES], ids=["diseases", "techniques"])
def test_lineages_depths_and_common_ancestors_are_those_of_networkx(path: Path) -> None:
    found = load_ontology(path)
    graph = nx.DiGraph()
    graph.add_nodes_from(found)
    graph.add_edges_from((up, one) for one in found for up in found.parents(one))
    above = {one: nx.ancestors(graph, one) | {one} for one in found}
    assert {one: found.lineage(one) for one in found} == above
    depths = {
        at: level for level, ats in enumerate(nx.topological_generations(graph), 1) for at in ats
    }
    assert {one: found.depth(one) for one in found} == depths
    chosen = random.Random(7).sample(sorted(found), 40)
    pairs = [(one, other) for one in chosen for other in chosen if one <= other]
    lowest = dict(nx.all_pairs_lowest_common_ancestor(graph, pairs))
    for one, other in pairs:
        mine = found.lowest_above_both(one, other)
        theirs = lowest.get((one, other))
        assert (mine is None) == (theirs is None)
        if mine is not None:  # of several that are lowest networkx gives any, we the deepest
            both = above[one] & above[other]
            assert not both & nx.descendants(graph, mine)
            assert found.depth(mine) == max(depths[at] for at in both) >= depths[theirs]
