"""A case on its way: what was asked, what was seen, and who asked next is not known yet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ragproof.datasets.traffic import conventions
from ragproof.datasets.traffic.observed import attribute, citations, observation
from ragproof.datasets.traffic.texts import one_line
from ragproof.datasets.traffic.turns import UNASKED, Turn
from ragproof.text.untrusted import encodable

RELEASE = "release"
TAG, MAP = "--tag", "--map"
VERSION = "service.version"
"""The attribute of a resource by which OpenTelemetry tells the release."""
SPLIT = "monitoring"
WITHOUT_ANSWER = "without an answer (its text was not recorded)"


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A case without truth, and its recorded line but for the feedback."""

    id: str
    place: str
    """Where it is from, for whoever has to mend it."""
    trace: str
    span: str | None
    """Of a trace with several turns: the one that this turn is."""
    question: str
    history: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    group: str | None = None
    tags: dict[str, str] = field(default_factory=dict[str, str])
    observation: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def is_answered(self) -> bool:
        """Whether an answer was recorded, or why there is none."""
        return "answer" in self.observation or "error" in self.observation

    @property
    def asked_at(self) -> float | None:
        """Seconds since 1970."""
        at: float | None = self.observation.get("asked_at")
        return at

    def case(self) -> dict[str, Any]:
        """The line of a dataset."""
        case: dict[str, Any] = {"id": self.id, "question": self.question, "split": SPLIT}
        more = {"history": self.history, "group": self.group, "tags": self.tags}
        return case | {name: value for name, value in more.items() if value}

    def packed(self) -> bytes:
        """All of it in one line; half a character, as is left of a text cut off, is U+FFFD."""
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        return encodable(json.dumps(told, ensure_ascii=False)).encode()


def unpacked(line: bytes) -> Draft:
    """The draft that was put away."""
    return Draft(**json.loads(line))


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What a user said of attributes."""

    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    """Field (question, answer, session, route, ...) to the attribute that tells it."""
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    """Tag to attribute."""
    turn: str | None = None
    """Name of the spans that are turns."""

    def options(self) -> dict[str, tuple[str, str]]:
        """Each option as it was said, to the field or tag and the attribute."""
        return {
            f"{option} {name}={attribute}": (name, attribute)
            for option, said in ((TAG, self.tags), (MAP, self.mapping))
            for name, attribute in said.items()
        }


def drafted(turn: Turn, wanted: Wanted) -> Draft | str:
    """Make a draft of a turn, or say why it makes no case."""
    mapping = wanted.mapping
    question = attribute(turn, mapping["question"]) if "question" in mapping else turn.question
    if question is None or not question.strip():
        return UNASKED
    names = (mapping["session"],) if "session" in mapping else conventions.SESSION
    group = next((found for name in names if (found := attribute(turn, name))), None)
    tags = {tag: found for tag, name in wanted.tags.items() if (found := attribute(turn, name))}
    release = turn.root.resource.get(VERSION)
    if isinstance(release, str) and release.strip():
        tags.setdefault(RELEASE, release)
    return Draft(
        id=turn.trace if turn.alone else f"{turn.trace}-{turn.root.id}",
        place=f"trace {turn.trace}",
        trace=turn.trace,
        span=None if turn.alone else turn.root.id,
        question=question,
        history=[{"role": one.role, "content": one.text} for one in turn.history],
        group=one_line(group) if group else None,
        tags={tag: one_line(value) for tag, value in tags.items()},
        observation=observation(turn, mapping),
    )


def told_by(turn: Turn, wanted: Wanted) -> Iterator[str]:
    """Yield the options whose attribute tells something of a turn."""
    for option, (name, told) in wanted.options().items():
        is_list = option.startswith(MAP) and name == "citations"
        if (citations if is_list else attribute)(turn, told) is not None:
            yield option
