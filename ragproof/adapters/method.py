"""The methods that a pipeline in Python may have, and how each is to be called."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ragproof.core import Case, DocumentCase, QuestionCase, UsageError

METHODS: Mapping[str, tuple[str, ...]] = {
    "retrieve": ("question", "k"),
    "answer": ("question",),
    "parse": ("document",),
    "chunk": ("document",),
    "embed": ("texts",),
    "rerank": ("question", "chunks"),
    "generate": ("question", "context"),
    "add": ("document",),
    "document": ("id",),
    "search": ("vector", "k"),
}
"""Name to parameters. Who asks, and what was said before, is given to whichever takes it."""
_BACKGROUND = ("history", "caller")


@dataclass(frozen=True)
class Method:
    """A method of a pipeline, and how its parameters are to be given."""

    name: str
    call: Callable[..., object]
    is_async: bool
    positional: int
    """How many of the parameters are given by position; the rest by name."""
    background: frozenset[str] = frozenset()
    """Which of `history` and `caller` it names; they are given in every case."""
    is_open: bool = False
    """Whether it takes any name: then they are given where the case has them."""

    def bound(self, case: Case | None, *given: object) -> Callable[[], object]:
        """The call that gives these values, and what the case has of history and caller."""
        named = dict(zip(self._named, given[self.positional :], strict=True))
        if self.background or self.is_open:
            named.update(self._background(case))
        return functools.partial(self.call, *given[: self.positional], **named)

    @functools.cached_property
    def _named(self) -> tuple[str, ...]:
        return METHODS[self.name][self.positional :]

    def _background(self, case: Case | None) -> Mapping[str, object]:
        if not isinstance(case, QuestionCase):
            return {}
        has = {
            "history": [
                {"role": turn.role, "content": turn.content} for turn in case.history or ()
            ],
            "caller": copy.deepcopy(dict(case.caller or {})),  # the pipeline may keep or change it
        }
        return {
            name: value
            for name, value in has.items()
            if name in self.background or (self.is_open and value)
        }


def methods_of(pipeline: object, target: str) -> Mapping[str, Method]:
    """Everything that the pipeline can do; raises UsageError for parameters that are not ours."""
    found = {name: getattr(pipeline, name, None) for name in METHODS}
    return {name: _method(name, call, target) for name, call in found.items() if callable(call)}


def is_capable(pipeline: object) -> bool:
    """Whether an object has any of the methods."""
    return any(callable(getattr(pipeline, name, None)) for name in METHODS)


def document_of(case: DocumentCase) -> dict[str, str]:
    """What `parse` and `chunk` are given: the path or the text, whichever the dataset has."""
    document = case.document
    text = document.text if document.path is None else None  # of a file it is for metrics alone
    parts = {"id": case.id, "path": document.path, "text": text}
    return {name: part for name, part in parts.items() if part is not None}


def is_async(call: Callable[..., object]) -> bool:
    """Whether calling it only makes something to await, so that it needs no thread."""
    return any(
        inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one)
        for one in (call, type(call).__call__)
    )


def _method(name: str, call: Callable[..., object], target: str) -> Method:
    names = METHODS[name]
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):  # some built-in callables do not tell
        return Method(name, call, is_async(call), positional=len(names))
    parameters = signature.parameters.values()
    background = frozenset(
        one.name
        for one in parameters
        if one.name in _BACKGROUND and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    )
    positional = next(_ways(signature, names, background), None)
    if positional is None:
        raise UsageError(
            f"{target}: {name}{signature} cannot be called as {name}({', '.join(names)}); "
            "give it these parameters, and defaults to all others but history and caller"
        )
    is_open = any(one.kind is one.VAR_KEYWORD for one in parameters)
    return Method(name, call, is_async(call), positional, background, is_open)


def _ways(
    signature: inspect.Signature, names: tuple[str, ...], background: frozenset[str]
) -> Iterator[int]:
    """Numbers of positional arguments that suit: one first, since `k` may have company."""
    for positional in dict.fromkeys((1, len(names), 0)):
        try:
            signature.bind(*names[:positional], **dict.fromkeys((*names[positional:], *background)))
        except TypeError:
            continue
        yield positional
