"""How a Runnable is asked: with the question alone, or a mapping that holds it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragproof.core import UsageError

_QUESTION = ("question", "input", "query", "user_input", "messages")
"""Keys under which chains take a question, the most telling first."""
_HISTORY = ("chat_history", "history")
_MESSAGES = "messages"
"""Under this key the whole conversation goes, the question last."""


@dataclass(frozen=True)
class Asking:
    """The keys of a Runnable's input; without one for the question, it is the input."""

    question: str | None
    history: str | None = None

    @classmethod
    def of(cls, runnable: Any, settings: Mapping[str, Any]) -> Asking:  # noqa: ANN401  foreign
        """Read the keys off its input schema, where the settings do not name them.

        Raises UsageError where the schema has keys, but none that is known for a question.
        """
        keys, required = _keys(runnable)
        history = settings.get("history_key") or next(
            (one for one in _HISTORY if one in keys), None
        )
        if (question := settings.get("input_key")) or not keys:
            return cls(question, history)
        others = [key for key in required or keys if key != history]
        known = [key for key in _QUESTION if key in keys] or (others if len(others) == 1 else [])
        if not known:
            raise UsageError(
                "adapter.params.input_key: name the key that takes the question; the input has "
                f"the keys {', '.join(sorted(keys))}"
            )
        return cls(known[0], history)

    def input(self, question: str, history: Sequence[Mapping[str, str]] = ()) -> object:
        """What the Runnable is given."""
        if self.question is None:
            return question
        if self.question == _MESSAGES:
            return {_MESSAGES: _messages([*history, {"role": "user", "content": question}])}
        earlier = {} if self.history is None else {self.history: _messages(history)}
        return {self.question: question, **earlier}


def _keys(runnable: Any) -> tuple[frozenset[str], list[str]]:  # noqa: ANN401  foreign
    """The keys of the input, and those of them that are required; none for other inputs."""
    schema: Mapping[str, Any] = {}
    with contextlib.suppress(Exception):  # some inputs have types that no schema can say
        schema = runnable.get_input_jsonschema()
    if schema.get("type") != "object":
        return frozenset(), []
    return frozenset(schema.get("properties", ())), list(schema.get("required", ()))


def _messages(turns: Sequence[Mapping[str, str]]) -> list[Any]:
    if not turns:
        return []
    from langchain_core.messages import convert_to_messages  # noqa: PLC0415  an extra

    return list(convert_to_messages([(turn["role"], turn["content"]) for turn in turns]))
