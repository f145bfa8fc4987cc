"""The ids of entities that an output names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragproof.core import CaseRun, DoesNotArise
from ragproof.core.needs import OUTPUT_OR_ENTITIES
from ragproof.text.strict_json import parse


def output_ids(run: CaseRun, key: str) -> list[str]:
    """Every value under `key` in `trace.output`; where it has none, the ids of `trace.entities`.

    An output that is a text is read as JSON. An id is given as often as it is named; null names
    none. Raises MissingInput where there is neither, DoesNotArise where no entity is named.
    """
    output, entities = run[OUTPUT_OR_ENTITIES]
    found = list(_under(key, _read(output)))
    found = found or [one.entity_id for one in entities if one.entity_id is not None]
    if not found:
        raise DoesNotArise("the output names no entity")
    return found


def check_key(key: object) -> None:
    """Raise ValueError for a key that is no text, or empty."""
    if not isinstance(key, str) or not key:
        raise ValueError(f"key: got {key!r}; allowed: a key of the output")


def _read(output: object) -> object:
    if not isinstance(output, str):
        return output
    try:
        return parse(output)
    except ValueError:  # not structured: `ontology.schema_validity` says so
        return None


def _under(key: str, value: object) -> Iterator[str]:
    """Go through objects and lists at every depth, in their order."""
    open_: list[tuple[bool, object]] = [(False, value)]
    while open_:
        is_id, one = open_.pop()
        match one:
            case Mapping():
                open_ += [(name == key, inside) for name, inside in list(one.items())[::-1]]
            case list() | tuple():
                open_ += [(is_id, inside) for inside in one[::-1]]
            case None:
                continue
            case _ if is_id:
                yield str(one)
