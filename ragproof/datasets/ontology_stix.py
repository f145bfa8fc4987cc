"""Ontologies in STIX 2: techniques below their tactics, sub-techniques below their technique.

An entity's id is the one that people use (`T1059.001`); its STIX id is an alias. Software, groups
and the like are entities too: they may be named, and nothing is above them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from ragproof.core import Entity, UsageError
from ragproof.datasets.ontology_found import Found
from ragproof.text.faults import shown

HINT = "A STIX bundle has `objects` such as attack-pattern and x-mitre-tactic"
TYPES = frozenset(
    {"attack-pattern", "x-mitre-tactic", "course-of-action", "malware", "tool", "campaign"}
    | {"intrusion-set", "threat-actor", "infrastructure", "vulnerability"}
)
"""Those that are entities."""
_ASIDE = frozenset(
    {"relationship", "identity", "marking-definition", "x-mitre-matrix", "x-mitre-collection"}
)


def is_bundle(found: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether this is a whole bundle."""
    return (
        isinstance(found, Mapping)
        and found.get("type") == "bundle"
        and isinstance(found.get("objects"), list)
    )


def is_object(found: object) -> bool:
    """Whether this is an object of a bundle, or a row of one made flat."""
    if not isinstance(found, Mapping):
        return False
    kind, named = found.get("type"), found.get("stix_id", found.get("id"))
    if not isinstance(kind, str):
        return False
    known = kind in TYPES | _ASIDE or kind.startswith("x-mitre-")
    return known and isinstance(named, str) and named.startswith(f"{kind}--")


def read(objects: Sequence[Any], path: Path) -> Found:
    """Read the objects of a bundle, or rows with `id`, `stix_id`, `tactics`, `is_subtechnique`."""
    kept: list[Mapping[str, Any]] = []
    left_out: dict[str, str] = {}
    ids: dict[str, str] = {}
    for at, one in enumerate(objects):
        if not isinstance(one, Mapping) or not isinstance(one.get("id"), str):
            raise UsageError(f"{path}: objects.{at}: got {shown(one)}; allowed: an object with id")
        _refuse_no_texts(one, f"{path}: objects.{at}")
        if one.get("type") not in TYPES:
            continue
        if one.get("revoked") or one.get("x_mitre_deprecated"):
            left_out[_id(one)] = "revoked" if one.get("revoked") else "deprecated"
            continue
        kept.append(one)
        ids[_stix_id(one)] = _id(one)
    tactics: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for one in kept:
        if one["type"] == "x-mitre-tactic":
            tactics[str(one.get("x_mitre_shortname", one.get("shortname")))].append(one)
    above = _above(objects, ids)
    entities = [
        Entity(
            id=_id(one),
            name=one.get("name"),
            parents=_parents(one, above.get(_stix_id(one), ()), tactics),
            synonyms=tuple(dict.fromkeys([*_list(one, "aliases"), *_list(one, "x_mitre_aliases")])),
            aliases=() if _stix_id(one) == _id(one) else (_stix_id(one),),
        )
        for one in kept
    ]
    current = {one.id for one in entities}  # an id that lives on in a newer object is not gone
    return Found(entities, HINT, {k: why for k, why in left_out.items() if k not in current})


def _refuse_no_texts(one: Mapping[str, Any], place: str) -> None:
    """Raise UsageError where a kind, a name or an alias is something else than text."""
    for key in ("type", "name"):
        if not isinstance(one.get(key), str | None):
            raise UsageError(f"{place}: {key}: got {shown(one[key])}; allowed: a text")
    for key in ("aliases", "x_mitre_aliases"):
        for alias in _list(one, key):
            if not isinstance(alias, str):
                raise UsageError(f"{place}: {key}: got {shown(alias)}; allowed: a list of texts")


def _id(one: Mapping[str, Any]) -> str:
    """The first id that another catalogue gives it; without any, its own."""
    for reference in _list(one, "external_references"):
        if isinstance(reference, Mapping) and reference.get("external_id"):
            return str(reference["external_id"])
    return str(one["id"])


def _stix_id(one: Mapping[str, Any]) -> str:
    return str(one.get("stix_id", one["id"]))


def _list(one: Mapping[str, Any], key: str) -> list[Any]:
    found = one.get(key)
    return found if isinstance(found, list) else []


def _above(objects: Sequence[Any], ids: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """STIX id of a sub-technique to the techniques that relationships put above it."""
    found: dict[str, tuple[str, ...]] = {}
    for one in objects:
        if one.get("relationship_type") == "subtechnique-of" and not one.get("revoked"):
            child, up = str(one.get("source_ref")), str(one.get("target_ref"))
            found[child] = (*found.get(child, ()), ids.get(up, up))
    return found


def _parents(
    one: Mapping[str, Any],
    above: tuple[str, ...],
    tactics: Mapping[str, Sequence[Mapping[str, Any]]],
) -> tuple[str, ...]:
    if above:
        return above
    name = _id(one)
    if one.get("x_mitre_is_subtechnique", one.get("is_subtechnique")) and "." in name:
        return (name.rpartition(".")[0],)
    phases = [
        phase.get("phase_name")
        for phase in _list(one, "kill_chain_phases")
        if isinstance(phase, Mapping)
    ]
    named = [str(phase) for phase in (*phases, *_list(one, "tactics"))]
    # what names a tactic that is not there is kept, to be named as an unknown parent
    return tuple(
        up
        for phase in named
        for up in (list(map(_id, _near(one, tactics[phase]))) if phase in tactics else [phase])
    )


def _near(
    one: Mapping[str, Any], called: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, Any]]:
    """Of tactics that share a short name, those of the technique's own domain."""
    if len(called) < 2:
        return called
    mine = set(map(str, _list(one, "x_mitre_domains")))
    near = [up for up in called if mine & set(map(str, _list(up, "x_mitre_domains")))]
    return near or called
