"""Ontologies in OBO 1.2 and 1.4: the terms and their `is_a`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ragproof.core import Entity, UsageError
from ragproof.datasets.ontology_found import Found
from ragproof.text.faults import shown

HINT = "A [Term] with an `id` is one"
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_BLANKS = {"n": "\n", "W": " ", "t": "\t"}
_Stanza = dict[str, list[str]]


def read(text: str, path: Path) -> Found:
    """Read the terms; raises UsageError that names the line at fault."""
    entities: list[Entity] = []
    left_out: dict[str, str] = {}
    for line, stanza in _terms(text, path):
        if not (ids := stanza.get("id")) or not ids[0]:
            raise UsageError(f"{path}:{line}: id: the [Term] has none; needed: `id: NAME`")
        if stanza.get("is_obsolete") == ["true"]:
            instead = ", ".join(stanza.get("replaced_by", ()))
            left_out[ids[0]] = f"obsolete, replaced by {instead}" if instead else "obsolete"
            continue
        entities.append(
            Entity(
                id=ids[0],
                name=stanza.get("name", [None])[0],
                parents=tuple(stanza.get("is_a", ())),
                synonyms=tuple(stanza.get("synonym", ())),
                aliases=tuple(stanza.get("alt_id", ())),
            )
        )
    return Found(entities, HINT, left_out)


def _terms(text: str, path: Path) -> Iterator[tuple[int, _Stanza]]:
    """Line and content of each [Term]."""
    stanza: _Stanza | None = None
    begun = 0
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("!"):
            continue
        if line.startswith("["):
            if stanza is not None:
                yield begun, stanza
            begun, stanza = number, {} if line.partition("]")[0] == "[Term" else None
        elif stanza is not None:
            tag, colon, value = line.partition(":")
            if not colon:
                raise UsageError(f"{path}:{number}: got {shown(line)}; allowed: `tag: value`")
            stanza.setdefault(tag, []).append(_value(tag, value.strip()))
    if stanza is not None:
        yield begun, stanza


def _value(tag: str, value: str) -> str:
    """The value without what may stand behind it: a name after `!`, modifiers in braces."""
    if tag == "synonym":
        quoted = _QUOTED.match(value)
        return _plain(quoted[1]) if quoted else _plain(value)
    if tag == "name":
        return _plain(value)
    return _plain(re.split(r"\s+[!{]", value, maxsplit=1)[0])


def _plain(value: str) -> str:
    return _ESCAPED.sub(lambda found: _BLANKS.get(found[1], found[1]), value)
