"""What `ragproof check` says of an ontology: how large it is, and what does not fit."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator

from ragproof.core import Ontology
from ragproof.text.counting import counted
from ragproof.wiring.prepare import Draft


def remarks(ready: Draft) -> Iterator[tuple[str, str]]:
    """Name and text of each step; nothing without an ontology."""
    ontology = ready.ontology
    if ontology is None:
        return
    yield "ontology", f"{ready.config.ontology}: {_size(ontology)}"
    if ontology.left_out:
        gone = _few(ontology.left_out)
        yield "ontology", f"{counted(len(ontology.left_out), 'obsolete id')} left out: {gone}"
    if len(ontology.roots) > 1:
        yield (
            "ontology",
            f"{len(ontology.roots)} roots, which nothing joins: what is below two of them has no "
            f"ancestor in common: {_few(ontology.roots)}",
        )
    if unknown := ontology.unknown_parents:
        named = ", ".join(f"{up} (above {_few(unknown[up], 1)})" for up in sorted(unknown)[:3])
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        yield "warning", f"{counted(len(unknown), 'parent')} not in the ontology: {named}{more}"
    expected = {
        mention.entity_id
        for case in ready.cases
        for mention in getattr(case, "expected_entities", None) or ()
        if mention.entity_id is not None
    }
    if absent := {one for one in expected if one not in ontology}:
        said = counted(len(absent), "expected entity")
        yield "warning", f"{said} of {len(expected)} not in the ontology: {_few(absent)}"


def _size(ontology: Ontology) -> str:
    several = sum(len(ontology.parents(one)) > 1 for one in ontology)
    roots = counted(len(ontology.roots), "root")
    entities = counted(len(ontology), "entity")
    return f"{entities}, {roots}, depth {ontology.deepest}, {several} with several parents"


def _few(names: Collection[str], most: int = 3) -> str:
    """Some of many, the first by id."""
    more = len(names) - most
    listed = ", ".join(heapq.nsmallest(most, names))
    return f"{listed} and {more} more" if more > 0 else listed
