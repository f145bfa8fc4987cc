"""YAML without its traps, remembering the line of everything in it.

What YAML 1.1 turns into something else unasked is an error that says what to write: `on`, `off`,
`yes` and `no` (booleans), `010` and `1:30` (octal and base 60), NaN and infinities. Dates stay
text. A key is text and there once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from ragproof.core import UsageError
from ragproof.text.clean import uncarried
from ragproof.text.faults import Path as Place
from ragproof.text.faults import shown
from ragproof.text.files import as_utf8, opened, without_bom

_MOST_NODES = 100_000
"""Aliases counted each time: a few lines of them can stand for gigabytes."""
_TAG = "tag:yaml.org,2002:"
_NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_PLAIN_TAGS = frozenset({"bool", "int", "float", "null", "timestamp", "str", "value"})


@dataclass(frozen=True, slots=True)
class Yaml:
    """What a YAML file holds: plain values, and the line of each by its place."""

    path: Path
    value: Any
    """Mappings with text keys, lists, texts, finite numbers, booleans, None."""
    lines: Mapping[Place, int]

    def line(self, place: Place) -> int:
        """The line of a place, or of the nearest thing around it that is there."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def where(self, place: Place) -> str:
        """File and line of a place: `ragproof.yaml:7`."""
        return f"{self.path}:{self.line(place)}"


def read_yaml(path: Path) -> Yaml:
    """Read a file; an empty one holds None. Raises UsageError with file, line and place."""
    with opened(path) as file:
        text = as_utf8(without_bom(file.read(), path), path)
    builder = _Builder(path)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        value = None if node is None else builder.build(node, ())
    except yaml.MarkedYAMLError as fault:
        line = fault.problem_mark.line + 1 if fault.problem_mark else 1
        said = " ".join(filter(None, (fault.context, fault.problem)))
        raise UsageError(f"{path}:{line}: not YAML: {said}") from None
    except yaml.reader.ReaderError as fault:
        line = text.count("\n", 0, fault.position) + 1
        raise UsageError(f"{path}:{line}: not YAML: {fault.reason}") from None
    except RecursionError:
        raise UsageError(f"{path}: nested too deep") from None
    return Yaml(path, value, builder.lines)


@dataclass(slots=True)
class _Builder:
    path: Path
    lines: dict[Place, int] = field(default_factory=dict[Place, int])
    nodes: int = 0
    around: list[Node] = field(default_factory=list[Node])
    """The nodes that the present one lies in."""

    def build(self, node: Node, place: Place) -> Any:  # noqa: ANN401 - any YAML value
        self.nodes += 1
        self.lines.setdefault(place, node.start_mark.line + 1)
        if any(node is one for one in self.around) or self.nodes > _MOST_NODES:
            raise self.fault(node, place, "an alias that holds itself, or stands for too much")
        self.around.append(node)
        try:
            return self._value(node, place)
        finally:
            self.around.pop()

    def fault(self, node: Node, place: Place, message: str) -> UsageError:
        name = "".join(f"{step}." for step in place).removesuffix(".")
        at = f"{self.path}:{node.start_mark.line + 1}"
        return UsageError(f"{at}: {name}: {message}" if name else f"{at}: {message}")

    def _value(self, node: Node, place: Place) -> Any:  # noqa: ANN401 - any YAML value
        kind = node.tag.removeprefix(_TAG)
        if isinstance(node, MappingNode) and kind == "map":
            return self._mapping(node, place)
        if isinstance(node, SequenceNode) and kind == "seq":
            return [self.build(item, (*place, index)) for index, item in enumerate(node.value)]
        if isinstance(node, ScalarNode) and kind in _PLAIN_TAGS:
            return self._scalar(node, kind, place)
        raise self.fault(node, place, f"the tag {node.tag} is not supported; write plain values")

    def _mapping(self, node: MappingNode, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        merged: list[Node] = []
        for key_node, value_node in node.value:
            if key_node.tag == f"{_TAG}merge":
                merged += value_node.value if isinstance(value_node, SequenceNode) else [value_node]
                continue
            key = self._key(key_node, place)
            inner = (*place, key)
            if key in found:
                first = self.lines[inner]
                raise self.fault(key_node, inner, f"this key is already at line {first}; keep one")
            self.lines.setdefault(inner, key_node.start_mark.line + 1)
            found[key] = self.build(value_node, inner)
        for other in merged:
            if not isinstance(other, MappingNode):
                raise self.fault(other, place, "<< takes a mapping or a list of mappings")
            found = {**self.build(other, place), **found}
        return found

    def _key(self, node: Node, place: Place) -> str:
        kind = node.tag.removeprefix(_TAG)
        if not isinstance(node, ScalarNode) or kind not in _PLAIN_TAGS:
            raise self.fault(node, place, "a key must be text")
        if kind == "bool":
            self._boolean(node, place)
        return self._text(node, place)

    def _scalar(self, node: ScalarNode, kind: str, place: Place) -> Any:  # noqa: ANN401
        match kind:
            case "null":
                return None
            case "bool":
                return self._boolean(node, place)
            case "int" | "float":
                return self._number(node, place)
            case "str" if node.style is None and _NUMBER.fullmatch(node.value):
                return self._number(node, place)  # 1e-3, which YAML 1.1 takes for text
            case _:
                return self._text(node, place)

    def _boolean(self, node: ScalarNode, place: Place) -> bool:
        if node.value.lower() not in ("true", "false"):
            raise self.fault(
                node,
                place,
                f"got {node.value} without quotes, which YAML reads as true or false. "
                f'Write "{node.value}" for the text, true or false for the other',
            )
        return bool(node.value.lower() == "true")

    def _number(self, node: ScalarNode, place: Place) -> int | float:
        text = node.value
        if not _NUMBER.fullmatch(text):
            raise self.fault(
                node,
                place,
                f"got {text} without quotes, which is no finite decimal number. "
                f'Write a number such as 10 or 0.5, or "{text}" for the text',
            )
        number = int(text) if _WHOLE.fullmatch(text) and len(text) < 300 else float(text)
        if number in (float("inf"), float("-inf")):
            raise self.fault(node, place, f"got {shown(text)}, which is too large for a number")
        return number

    def _text(self, node: ScalarNode, place: Place) -> str:
        if found := uncarried(node.value):
            raise self.fault(node, place, f"holds {found}, half of a character; remove it")
        return str(node.value)
