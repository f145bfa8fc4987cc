"""What is wrong with someone's input, one line a fault: where, what was got, what is allowed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ragproof.core import UsageError
from ragproof.text.nearest import nearest
from ragproof.text.shape import Hint, choices, describe, fields, inside, members, plain

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

Path: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the root of the input to a place in it."""
SHOWN = 20
"""Faults of one file that are shown; the others are counted."""
_KEYS_SHOWN = 15
_UNKNOWN = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_SECRET = re.compile(
    r"(api[-_ ]?key|access[-_]?key|private[-_]?key|secret|password|passwd|authorization|cookie"
    r"|credentials?|x-auth|(^|auth|access|api|bearer|refresh|session)[-_]?token)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and where in the input."""

    path: Path
    message: str

    def __str__(self) -> str:
        place = ".".join(map(str, self.path))
        return f"{place}: {self.message}" if place else self.message


def faults(error: ValidationError, root: Hint) -> tuple[Fault, ...]:
    """Turn pydantic's errors into ours: one a place, alternatives of a union put together.

    `root` is the dataclass or model that the input was read into.
    """
    found: dict[Path, list[_Found]] = {}
    for details in error.errors(include_url=False, include_context=False):
        one = _located(details, root)
        found.setdefault(one.union or one.path, []).append(one)
    chosen = {one.path: one for group in found.values() for one in _closest(group)}
    return tuple(Fault(one.path, _message(one)) for one in chosen.values())


def raise_all(lines: Sequence[str], total: int | None = None) -> None:
    """Raise one UsageError of all these lines, if there are any."""
    total = len(lines) if total is None else total
    if not lines:
        return
    shown = list(lines[:SHOWN])
    if total > len(shown):
        shown.append(f"... {total} faults in all")
    raise UsageError("\n".join(shown))


def is_secret(name: object) -> bool:
    """Whether a value under this name is one that must never be shown.

    >>> is_secret("X-API-Key"), is_secret("access_token"), is_secret("max_output_tokens")
    (True, True, False)
    """
    return isinstance(name, str) and _SECRET.search(name) is not None


def shown(value: object, path: Path = ()) -> str:
    """Say in a few words what was got; a secret is not repeated.

    >>> shown("5"), shown(None), shown([1, 2])
    ('"5"', 'null', 'a list of 2')
    """
    if _hidden(path):
        return "a value that is not shown"
    match value:
        case str():
            return json.dumps(value if len(value) <= 60 else f"{value[:57]}...", ensure_ascii=False)
        case Mapping():
            return f"a mapping with {_listed(map(str, value), 5)}" if value else "an empty mapping"
        case list() | tuple():
            return f"a list of {len(value)}" if value else "an empty list"
        case None | bool() | int() | float():
            text = json.dumps(value)
            return text if len(text) <= 60 else f"{text[:57]}..."
        case _:
            return f"a {type(value).__name__}"


def _hidden(path: Path) -> bool:
    return any(step == "headers" or is_secret(step) for step in path)


@dataclass(frozen=True, slots=True)
class _Found:
    """One of pydantic's errors, its place rid of the names of union members."""

    kind: str
    path: Path
    union: Path | None
    """Place of the outermost union on the way."""
    branch: str | int | None
    """Which of that union's members this error is about."""
    around: tuple[Hint, ...]
    """What the value that holds the place may be."""
    allowed: tuple[Hint, ...]
    got: Any


def _located(details: ErrorDetails, root: Hint) -> _Found:
    """Walk the types along the error's location, which names a member at every union."""
    path: Path = ()
    union: Path | None = None
    branch: str | int | None = None
    around: tuple[Hint, ...] = ()
    allowed = members(root)
    steps = iter(details["loc"])
    for step in steps:
        at = step
        if len(allowed) > 1:
            union, branch = (path, step) if union is None else (union, branch)
            if (following := next(steps, None)) is None:
                break
            at = following
        around = allowed
        allowed = tuple(hint for one in allowed for hint in inside(one, at))
        path = (*path, at)
    return _Found(details["type"], path, union, branch, around, allowed, details["input"])


def _closest(group: Sequence[_Found]) -> Iterable[_Found]:
    """Of a union's members, the one that the input came closest to: its fault lies deepest."""
    if group[0].union is None:
        return group
    deepest = max(group, key=lambda one: len(one.path))
    if deepest.path == deepest.union:
        return group[:1]
    return [one for one in group if one.branch == deepest.branch]


def _message(one: _Found) -> str:
    if one.kind in _UNKNOWN:
        return _unknown(str(one.path[-1]), one.around)
    if one.kind == "missing":
        return f"missing; needed: {describe(*one.allowed)}"
    if one.kind == "json_invalid":
        return "nested too deep"
    texts = [text for hint in one.allowed for text in choices(hint)]
    hint = nearest(one.got, texts) if isinstance(one.got, str) else _quoted(one)
    return f"got {shown(one.got, one.path)}; allowed: {describe(*one.allowed)}{_stop(hint)}"


def _stop(hint: str) -> str:
    return f".{hint}" if hint else ""


def _quoted(one: _Found) -> str:
    """A number where a text is wanted was most often meant as one."""
    wanted = any(plain(hint) is str for hint in one.allowed)
    if not wanted or _hidden(one.path) or not isinstance(one.got, bool | int | float):
        return ""
    return f' Put quotes around it: "{json.dumps(one.got)}"'


def _unknown(key: str, around: Sequence[Hint]) -> str:
    known = list(dict.fromkeys(name for hint in around for name in fields(plain(hint))))
    hint = nearest(key, known)
    return f"unknown key.{hint or f' Allowed: {_listed(known, _KEYS_SHOWN)}'}"


def _listed(names: Iterable[str], most: int) -> str:
    given = list(names)
    more = f" and {len(given) - most} more" if len(given) > most else ""
    return ", ".join(given[:most]) + more
