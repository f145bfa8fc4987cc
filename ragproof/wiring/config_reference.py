"""The reference of all config keys, made from the schema."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from enum import Enum
from itertools import pairwise
from textwrap import dedent

from pydantic import BaseModel

from ragproof.text.shape import Hint, describe, fields, inside, members, plain
from ragproof.wiring.config import ENVIRONMENT
from ragproof.wiring.schema import Config
from ragproof.wiring.section import Section


def reference() -> str:
    """Write Markdown tables of all keys, and of the variables that win over them."""
    keys = [" | ".join(row) for row in _rows(Config, "")]
    variables = [f"`{name}` | `{place}`" for name, place in ENVIRONMENT.items()]
    return "\n".join(
        (
            "| key | type | default | meaning |",
            "|---|---|---|---|",
            *(f"| {row} |" for row in keys),
            "",
            "| variable | sets |",
            "|---|---|",
            *(f"| {row} |" for row in variables),
            "",
        )
    )


def _rows(section: type[BaseModel], prefix: str) -> Iterator[tuple[str, str, str, str]]:
    meanings = _meanings(section)
    for name, hint in fields(section).items():
        field = section.model_fields[name]
        default = "required" if field.is_required() else _default(field.get_default())
        yield f"`{prefix}{name}`", describe(hint), default, meanings[name].replace("|", "\\|")
        for suffix, inner in _sections(hint):
            yield from _rows(inner, f"{prefix}{name}{suffix}.")


def _sections(hint: Hint) -> Iterator[tuple[str, type[BaseModel]]]:
    """The sections that a key holds: itself, as items, or under names of the user's choice."""
    seen: set[Hint] = set()
    for suffix, kinds in (
        ("", members(hint)),
        ("[]", inside(hint, 0)),
        (".<name>", inside(hint, "<name>")),
    ):
        for kind in map(plain, kinds):
            if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in seen:
                seen.add(kind)
                yield suffix, kind


def _default(value: object) -> str:
    match value:
        case None | BaseModel():
            return ""
        case Enum():
            return f"`{value.value}`"
        case _:
            return f"`{json.dumps(value)}`" if not isinstance(value, str) else f"`{value}`"


def _meanings(section: type[BaseModel]) -> dict[str, str]:
    """The docstring under each field, those of the sections that it builds on first."""
    lineage = [one for one in reversed(section.__mro__) if issubclass(one, Section)]
    return {name: text for one in lineage for name, text in _own_meanings(one).items()}


def _own_meanings(section: type[BaseModel]) -> dict[str, str]:
    (tree,) = ast.parse(dedent(inspect.getsource(section))).body
    assert isinstance(tree, ast.ClassDef)
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in pairwise(tree.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str)
    }
