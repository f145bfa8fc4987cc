"""Entities and the more general ones above them: what answers, labels and filters may name.

An entity may have several parents. Depth is counted along the longest way from a root, which has
depth 1: then an entity is always deeper than all above it. Where there are several roots, nothing
joins them: entities below different roots have no ancestor in common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ragproof.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing that has an id of its own."""

    id: str
    name: str | None = None
    parents: tuple[str, ...] = ()
    """Ids of the next more general entities."""
    synonyms: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Other ids that mean the same: merged into this one, or a shorter form."""


class Kinship(StrEnum):
    """What an entity is to another, the first that holds."""

    SAME = "same"
    PARENT = "parent"
    ANCESTOR = "ancestor"
    """Further up than a parent."""
    DESCENDANT = "descendant"
    """A child, or further down."""
    SIBLING = "sibling"
    """They have a parent in common."""
    OTHER = "other"
    UNKNOWN = "unknown"
    """It is not in the ontology."""


class Ontology:
    """Entities by id. Raises UsageError for an id that comes twice, and for a cycle, with its path.

    Example:
        >>> cars = [("car", ()), ("sedan", ("car",)), ("hatchback", ("car",))]
        >>> ontology = Ontology(Entity(name, parents=parents) for name, parents in cars)
        >>> sorted(ontology.lineage("sedan")), ontology.depth("sedan"), ontology.roots
        (['car', 'sedan'], 2, ('car',))
        >>> ontology.lowest_above_both("sedan", "hatchback")
        'car'
    """

    def __init__(
        self, entities: Iterable[Entity], left_out: Mapping[str, str] | None = None
    ) -> None:
        self._entities: dict[str, Entity] = {}
        for one in entities:
            if one.id in self._entities:
                raise UsageError(f"{one.id!r} is the id of two entities")
            self._entities[one.id] = one
        self._aliases = self._by_alias()
        self._parents = {
            name: tuple(dict.fromkeys(self.canonical(up) for up in one.parents if up in self))
            for name, one in self._entities.items()
        }
        self._depths = _depths(self._parents)
        self.left_out: Mapping[str, str] = left_out or {}
        """Id of an entity that the file has and that does not count, to why: `obsolete`."""
        self.unknown_parents: Mapping[str, tuple[str, ...]] = self._unknown()
        """Id that is a parent and no entity, to the entities that name it so."""
        self.roots: tuple[str, ...] = tuple(name for name, up in self._parents.items() if not up)
        """Entities without a parent, in the file's order."""
        self._lineages: dict[str, frozenset[str]] = {}
        self._names: dict[str, tuple[str, ...]] | None = None

    def __contains__(self, entity_id: object, /) -> bool:
        return entity_id in self._entities or entity_id in self._aliases

    def __getitem__(self, entity_id: str, /) -> Entity:
        return self._entities[self.canonical(entity_id)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entities)

    def __len__(self) -> int:
        return len(self._entities)

    @property
    def deepest(self) -> int:
        """The greatest depth there is."""
        return max(self._depths.values(), default=0)

    def canonical(self, entity_id: str, /) -> str:
        """The id under which the entity is listed; an unknown id is given back as it is."""
        return self._aliases.get(entity_id, entity_id)

    def parents(self, entity_id: str, /) -> tuple[str, ...]:
        """The parents that are entities. Raises KeyError for an unknown id, as what follows."""
        return self._parents[self.canonical(entity_id)]

    def depth(self, entity_id: str, /) -> int:
        """How many entities the longest way down from a root has: 1 for a root."""
        return self._depths[self.canonical(entity_id)]

    def lineage(self, entity_id: str, /) -> frozenset[str]:
        """The entity and everything above it."""
        name = self.canonical(entity_id)
        if (known := self._lineages.get(name)) is None:
            found, open_ = {name}, [name]
            while open_:
                new = [up for up in self._parents[open_.pop()] if up not in found]
                found.update(new)
                open_ += new
            known = self._lineages[name] = frozenset(found)
        return known

    def lowest_above_both(self, one: str, other: str, /) -> str | None:
        """The deepest entity in both lineages, of several the first by id; None without any."""
        both = self.lineage(one) & self.lineage(other)
        return min(both, key=lambda name: (-self._depths[name], name), default=None)

    def kinship(self, one: str, other: str, /) -> Kinship:
        """What the first is to the second."""
        if one not in self or other not in self:
            return Kinship.UNKNOWN
        one, other = self.canonical(one), self.canonical(other)
        if one == other:
            return Kinship.SAME
        if one in self._parents[other]:
            return Kinship.PARENT
        if one in self.lineage(other):
            return Kinship.ANCESTOR
        if other in self.lineage(one):
            return Kinship.DESCENDANT
        alike = not set(self._parents[one]).isdisjoint(self._parents[other])
        return Kinship.SIBLING if alike else Kinship.OTHER

    def named(self, text: str, /) -> tuple[str, ...]:
        """Ids of the entities that have the text as a name or synonym, whatever its capitals."""
        if self._names is None:
            names: dict[str, dict[str, None]] = defaultdict(dict)
            for one in self._entities.values():
                for said in (one.name, *one.synonyms):
                    if said:
                        names[_folded(said)][one.id] = None
            self._names = {said: tuple(ids) for said, ids in names.items()}
        return self._names.get(_folded(text), ())

    def _unknown(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for one in self._entities.values():
            for up in dict.fromkeys(one.parents):
                if up not in self:
                    found[up].append(one.id)
        return {up: tuple(names) for up, names in found.items()}

    def _by_alias(self) -> dict[str, str]:
        """Aliases that are no id and mean one entity alone."""
        meant: dict[str, set[str]] = defaultdict(set)
        for one in self._entities.values():
            for alias in one.aliases:
                meant[alias].add(one.id)
        return {
            alias: min(names)
            for alias, names in meant.items()
            if len(names) == 1 and alias not in self._entities
        }


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _depths(parents: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Go down from the roots, each entity after its last parent; what is left is in cycles."""
    children: dict[str, list[str]] = defaultdict(list)
    for name, up in parents.items():
        for one in up:
            children[one].append(name)
    missing = {name: len(up) for name, up in parents.items()}
    depths = {name: 1 for name, count in missing.items() if not count}
    ready = list(depths)
    while ready:
        name = ready.pop()
        for child in children[name]:
            depths[child] = max(depths.get(child, 1), depths[name] + 1)
            missing[child] -= 1
            if not missing[child]:
                ready.append(child)
    if caught := [name for name, count in missing.items() if count]:
        raise UsageError(f"entities are above themselves: {_cycle(parents, caught)}")
    return depths


_MOST_SHOWN = 12


def _cycle(parents: Mapping[str, tuple[str, ...]], caught: list[str]) -> str:
    """The path of one cycle, from child to parent and back: those caught are in one or below."""
    inside, way = set(caught), [min(caught)]
    places = {way[0]: 0}
    while (up := min(one for one in parents[way[-1]] if one in inside)) not in places:
        places[up] = len(way)
        way.append(up)
    path = [*way[places[up] :], up]
    shown = path if len(path) <= _MOST_SHOWN else [*path[: _MOST_SHOWN - 2], "...", path[-1]]
    return " -> ".join(shown)
