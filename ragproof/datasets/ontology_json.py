"""Ontologies in JSON: a list or lines of entities, a tree, child to parents, STIX or JSON-LD."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragproof.core import Entity, UsageError
from ragproof.datasets import ontology_rdf, ontology_stix
from ragproof.datasets.ontology_found import Found
from ragproof.text.faults import shown
from ragproof.text.strict_json import parse

HINT = 'Write {"entities": [{"id": ..., "parents": [...]}]}'
KEYS = ("id", "name", "parents", "parent", "synonyms", "aliases", "children")
_OF_JSON_LD = frozenset({"@context", "@graph", "@id", "@type"})
_Placed = tuple[str, Any, tuple[str, ...]]
"""Where a value stands, the value, and what it stands below."""


def read(text: str, path: Path) -> Found:
    """Read a whole file; raises UsageError that names the place at fault."""
    try:
        found = parse(text)
    except ValueError as fault:
        raise UsageError(f"{path}: {fault}") from None
    if ontology_stix.is_bundle(found):
        return ontology_stix.read(found["objects"], path)
    if is_json_ld(found):
        return ontology_rdf.read(text, path)
    match found:
        case {"entities": list(listed)} if len(found) == 1:
            pass
        case list(listed):
            pass
        case Mapping() if found.keys() & {"id", "children"}:
            listed = [found]
        case Mapping():
            return Found(_of_mapping(found, path), HINT)
        case _:
            raise UsageError(f"{path}: got {shown(found)}; allowed: a list or mapping of entities")
    return _of_list([(f"{path}: entities.{at}", one) for at, one in enumerate(listed)], path)


def is_json_ld(found: object) -> bool:
    """Whether the outermost object, or the first of a list, has a key of JSON-LD."""
    first = found[0] if isinstance(found, list) and found else found
    return isinstance(first, Mapping) and any(str(key) in _OF_JSON_LD for key in first)


def read_lines(text: str, path: Path) -> Found:
    """The same from a file with an entity, or a STIX object, a line."""
    listed: list[tuple[str, Any]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                listed.append((f"{path}:{number}", parse(line)))
            except ValueError as fault:
                raise UsageError(f"{path}:{number}: {fault}") from None
    return _of_list(listed, path)


def _of_list(listed: list[tuple[str, Any]], path: Path) -> Found:
    if listed and all(ontology_stix.is_object(one) for _, one in listed):
        return ontology_stix.read([one for _, one in listed], path)
    return Found(list(_entities([(place, one, ()) for place, one in listed])), HINT)


def _entities(placed: list[_Placed]) -> Iterator[Entity]:
    """Each entity and those that stand in its `children`, at any depth."""
    open_ = placed[::-1]
    while open_:
        place, one, above = open_.pop()
        if not isinstance(one, Mapping):
            raise UsageError(f"{place}: got {shown(one)}; allowed: a mapping with an id")
        if unknown := [key for key in one if key not in KEYS]:
            raise UsageError(f"{place}: {unknown[0]}: unknown key. Allowed: {', '.join(KEYS)}")
        name = one.get("id")
        if not isinstance(name, str) or not name:
            raise UsageError(f"{place}: id: got {shown(name)}; allowed: a text that is not empty")
        called = one.get("name")
        if called is not None and not isinstance(called, str):
            raise UsageError(f"{place}: name: got {shown(called)}; allowed: a text")
        up = {key: _texts(one.get(key), f"{place}: {key}") for key in ("parents", "parent")}
        yield Entity(
            id=name,
            name=called,
            parents=tuple(dict.fromkeys((*above, *up["parents"], *up["parent"]))),
            synonyms=_texts(one.get("synonyms"), f"{place}: synonyms"),
            aliases=_texts(one.get("aliases"), f"{place}: aliases"),
        )
        below = one.get("children") or []
        if not isinstance(below, list):
            raise UsageError(f"{place}: children: got {shown(below)}; allowed: a list of entities")
        inside = [(f"{place}: children.{at}", child, (name,)) for at, child in enumerate(below)]
        open_ += inside[::-1]


def _of_mapping(found: Mapping[str, Any], path: Path) -> list[Entity]:
    """Child to its parent or parents; a parent that is no key is a root."""
    parents = {child: _texts(up, f"{path}: {child}") for child, up in found.items()}
    for up in [up for known in parents.values() for up in known]:
        parents.setdefault(up, ())
    return [Entity(child, parents=up) for child, up in parents.items()]


def _texts(value: object, place: str) -> tuple[str, ...]:
    listed = [] if value is None else value if isinstance(value, list) else [value]
    if bad := [one for one in listed if not isinstance(one, str) or not one]:
        raise UsageError(f"{place}: got {shown(bad[0])}; allowed: a text, or a list of them")
    return tuple(listed)
