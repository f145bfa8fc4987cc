"""Which components of a Haystack pipeline take the question, and which come last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ragproof.adapters.plain import shown
from ragproof.core import UsageError
from ragproof.text.nearest import nearest

Sockets: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Component to socket to its description."""

_ALWAYS = ("query", "question")
"""Inputs that take the question even where they may be left out, as a prompt's variables may."""
_IF_NEEDED = ("text", "messages", "prompt")
"""Inputs that take it only where they may not be left out."""


@dataclass(frozen=True)
class Flow:
    """A pipeline, its open inputs and all its outputs."""

    pipeline: Any
    inputs: Sockets
    outputs: Sockets
    asked: Mapping[str, tuple[str, ...]]
    """Component to the inputs that are given the question."""

    @classmethod
    def of(cls, pipeline: Any, chosen: Mapping[str, Any] | None) -> Flow:  # noqa: ANN401  foreign
        """Look at the pipeline; `chosen` overrides what takes the question.

        Raises UsageError where an input that is needed is left open.
        """
        inputs = pipeline.inputs()
        asked = _asked(inputs) if chosen is None else _chosen(inputs, chosen)
        open_ = [
            f"{name}.{socket}"
            for name, sockets in inputs.items()
            for socket, told in sockets.items()
            if told.get("is_mandatory") and socket not in asked.get(name, ())
        ]
        if open_ or not asked:
            raise UsageError(
                f"adapter.params.inputs: the pipeline needs {', '.join(open_) or 'a question'}; "
                "name what takes the question, as {component: input}. "
                f"It has the inputs {', '.join(_listed(inputs))}"
            )
        outputs = pipeline.outputs(include_components_with_connected_outputs=True)
        return cls(pipeline, inputs, outputs, asked)

    def data(
        self, question: str, history: Sequence[Mapping[str, str]] = ()
    ) -> dict[str, dict[str, Any]]:
        """What the pipeline is run with."""
        return {
            name: {
                socket: _messages(question, history) if socket == "messages" else question
                for socket in sockets
            }
            for name, sockets in self.asked.items()
        }

    def last_with(self, socket: str) -> list[str]:
        """Components with this output, of which no other one with it comes after them."""
        having = [name for name, sockets in self.outputs.items() if socket in sockets]
        last = [name for name in having if not self._after(name) & {*having} - {name}]
        return last or having  # in a loop each comes after the other

    def _after(self, name: str) -> set[str]:
        """All that can be reached from a component."""
        reached: set[str] = set()
        ahead = [name]
        while ahead:
            for following in self.pipeline.graph.successors(ahead.pop()):
                if following not in reached:
                    reached.add(following)
                    ahead.append(following)
        return reached


def _asked(inputs: Sockets) -> dict[str, tuple[str, ...]]:
    found = {
        name: tuple(
            socket
            for socket, told in sockets.items()
            if socket in _ALWAYS or (socket in _IF_NEEDED and told.get("is_mandatory"))
        )
        for name, sockets in inputs.items()
    }
    return {name: sockets for name, sockets in found.items() if sockets}


def _chosen(inputs: Sockets, chosen: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """What the user says takes the question: an input of a component, or a list of them."""
    found = {}
    for name, one in chosen.items():
        sockets = (one,) if isinstance(one, str) else one
        if not isinstance(sockets, list | tuple) or not all(isinstance(s, str) for s in sockets):
            raise UsageError(
                f"adapter.params.inputs.{name}: got {shown(one)}; allowed: the name of an input, "
                "or a list of them"
            )
        for socket in sockets:
            if socket not in inputs.get(name, ()):
                known = list(_listed(inputs))
                raise UsageError(
                    f"adapter.params.inputs: the pipeline has no input {name}.{socket}."
                    f"{nearest(f'{name}.{socket}', known)} It has {', '.join(known)}"
                )
        found[name] = tuple(sockets)
    return found


def _listed(inputs: Sockets) -> Iterable[str]:
    return (f"{name}.{socket}" for name, sockets in inputs.items() for socket in sockets)


def _messages(question: str, history: Sequence[Mapping[str, str]]) -> list[Any]:
    from haystack.dataclasses import ChatMessage  # noqa: PLC0415  an extra

    made = {"assistant": ChatMessage.from_assistant, "system": ChatMessage.from_system}
    said = [made.get(one["role"], ChatMessage.from_user)(one["content"]) for one in history]
    return [*said, ChatMessage.from_user(question)]
