"""What an input is: where it lies, what is said without it, how it is read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from ragproof.core.errors import ReadingError
from ragproof.core.outcome import Failed

T = TypeVar("T")
R = TypeVar("R")


def as_it_is(value: T, _root: object, /) -> T:
    """Read a value by taking it."""
    return value


@dataclass(frozen=True, eq=False)
class Need(Generic[T]):
    """An input. `run[NEED]` gives it or raises MissingInput with the reason."""

    paths: tuple[str, ...]
    """Where it lies in a CaseRun or in Tools; the first that is not None wins."""
    reason: str
    """The skip reason, a short lower-case sentence."""
    read: Callable[[Any, Any], T | None] = as_it_is
    """From what lies there, and all it lies in, to what a metric wants; None is missing."""
    version: int = 1
    """Raise it when the same input reads differently: so each metric that reads it is another."""
    _steps: tuple[tuple[str, ...], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_steps", tuple(tuple(path.split(".")) for path in self.paths))

    def of(self, root: object) -> T | None:
        """The input, None when it is missing; raises what made its reading fail."""
        for steps in self._steps:
            value = root
            for name in steps:
                value = getattr(value, name, None)
            if isinstance(value, Failed):
                raise ReadingError(value)
            if value is not None:
                return self.read(value, root)
        return None

    @property
    def is_of_the_case(self) -> bool:
        """Whether the case alone has to bring it, whatever the pipeline does."""
        return all(path.startswith("case.") for path in self.paths)

    def without(self, root: R) -> R:
        """A copy of the root that lacks this input on all its paths."""
        for path in self.paths:
            root = _stripped(root, path)
        return root

    def overlaps(self, other: Need[Any]) -> bool:
        """Whether stripping one may take something from the other."""
        return any(
            f"{mine}.".startswith(f"{theirs}.") or f"{theirs}.".startswith(f"{mine}.")
            for mine in self.paths
            for theirs in other.paths
        )


def _stripped(node: R, path: str) -> R:
    name, _, rest = path.partition(".")
    child = getattr(node, name, None)
    if child is None:
        return node
    changed = {name: _stripped(child, rest) if rest else None}
    return cast("R", dataclasses.replace(cast("Any", node), **changed))
