"""A pipeline of a framework: given the methods of one in Python, then called like any other."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from ragproof.adapters import target as targets
from ragproof.adapters.plain import plain_mapping, shown
from ragproof.adapters.python import PythonAdapter
from ragproof.core import AdapterInfo, Case, Observation, RunError, UsageError
from ragproof.text.nearest import nearest

T = TypeVar("T")

_SAID = {str: "a string", bool: "true or false", Mapping: "a mapping"}


@dataclass(frozen=True, kw_only=True)
class Framework:
    """What an adapter must know of a framework. Nothing of it is imported to know this."""

    name: str
    """The adapter's type, and the extra that installs the framework."""
    module: str
    """The top of its core, as imported."""
    allowed: str
    """In words, what a target may be, or make."""
    settings: Mapping[str, type]
    """Parameters that are the adapter's own, and their types; factories never see them."""
    wrapped: Callable[[object, Mapping[str, Any]], object | None]
    """Give `retrieve` or `answer` to an object of the framework; None for any other object."""
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    """Variables to be set before it is imported, unless the user has set them."""


class FrameworkAdapter:
    """Calls what the target names, each call in a thread of its own.

    Where the pipeline has no search of its own to call, what its answer was given is what was
    retrieved.
    """

    def __init__(
        self, framework: Framework, python: PythonAdapter, params: Mapping[str, Any]
    ) -> None:
        """Take the pipeline, wrapped, and the parameters of the config."""
        self._framework = framework
        self._python = python
        self._params = params

    @classmethod
    def load(
        cls,
        framework: Framework,
        target: str,
        params: Mapping[str, Any],
        folder: Path,
        depth: int,
    ) -> FrameworkAdapter:
        """Import `module:attribute`: an object of the framework, or what makes one.

        Raises UsageError for a target that is missing or something else, and where the framework
        is not installed; RunError where the user's code fails.
        """
        for name, value in framework.environ.items():
            os.environ.setdefault(name, value)
        settings = _settings(framework, params)
        others = {name: value for name, value in params.items() if name not in settings}
        with _equipped(framework):
            found = targets.found(target, folder)
            with targets.loading(target):
                pipeline, is_made = _pipeline(framework, found, target, settings, others)
        python = PythonAdapter(
            target,
            pipeline,
            depth=depth,
            params=params,
            version=_version(found),
            is_made=is_made,
        )
        return cls(framework, python, params)

    @property
    def name(self) -> str:
        """The import path."""
        return self._python.name

    @property
    def capabilities(self) -> frozenset[str]:
        """Whether the pipeline is asked to `retrieve` or to `answer`."""
        return self._python.capabilities

    def info(self, version: str | None = None) -> AdapterInfo:
        """What a run's header says; without a version, the target's `version` attribute."""
        info = self._python.info(version)
        return dataclasses.replace(
            info, type=self._framework.name, params=plain_mapping(self._params)
        )

    async def observe(self, case: Case, /) -> Observation:
        """Ask the pipeline about a question; of a document nothing is exposed."""
        seen = await self._python.observe(case)
        if seen.retrieved is None and seen.answer is not None:
            return dataclasses.replace(seen, retrieved=seen.answer.retrieved_chunks)
        return seen

    async def close(self) -> None:
        """Close the pipeline, if it was made for this run and can be closed."""
        await self._python.close()


def finished(result: object, read: Callable[[Any], T]) -> T | Awaitable[T]:
    """Read what a call gave, or what it gives when awaited."""
    if not inspect.isawaitable(result):
        return read(result)

    async def awaited() -> T:
        return read(await cast("Awaitable[object]", result))

    return awaited()


def has(one: object, *methods: str) -> bool:
    """Whether an object, not a class, has all the methods."""
    return not isinstance(one, type) and all(callable(getattr(one, name, None)) for name in methods)


def _settings(framework: Framework, params: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: params[name] for name in framework.settings if name in params}
    for name, value in found.items():
        kind = framework.settings[name]
        if not isinstance(value, kind):
            raise UsageError(f"adapter.params.{name}: got {shown(value)}; allowed: {_SAID[kind]}")
    return found


def _pipeline(
    framework: Framework,
    found: object,
    target: str,
    settings: Mapping[str, Any],
    params: Mapping[str, Any],
) -> tuple[object, bool]:
    """The wrapped pipeline, or an awaitable of it, and whether it was made just now."""
    if (one := framework.wrapped(found, settings)) is not None:
        if params:
            raise UsageError(_needless(framework, target, params))
        return one, False
    if not callable(found):
        raise UsageError(_neither(framework, target, "is", found))

    def made(result: object) -> object:
        if (pipeline := framework.wrapped(result, settings)) is None:
            raise UsageError(_neither(framework, target, "gives", result))
        return pipeline

    return finished(targets.made(found, target, params), made), True


@contextlib.contextmanager
def _equipped(framework: Framework) -> Iterator[None]:
    """Say how the framework is installed where it is the framework that is missing."""
    try:
        yield
    except RunError as error:
        lacking = error.__cause__
        if isinstance(lacking, ModuleNotFoundError) and lacking.name == framework.module:
            raise UsageError(
                f"adapter type {framework.name}: {framework.module} is not installed; "
                f"pip install 'ragproof[{framework.name}]'"
            ) from None
        raise


def _needless(framework: Framework, target: str, params: Mapping[str, Any]) -> str:
    name = next(iter(params))
    return (
        f"adapter.params.{name}: {target} is an object and takes no parameters.{{}} For such a "
        f"target there are only {', '.join(framework.settings)}; name a factory to give it others"
    ).format(nearest(name, framework.settings))


def _neither(framework: Framework, target: str, verb: str, one: object) -> str:
    return (
        f"{target} {verb} {shown(one)}, a {type(one).__name__}; for adapter type {framework.name} "
        f"it must be {framework.allowed}, or a factory of one. Use type python for an object with "
        "methods retrieve(question, k) and answer(question)"
    )


def _version(found: object) -> str | None:
    version = getattr(found, "version", None)
    return version if isinstance(version, str) else None
