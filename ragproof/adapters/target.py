"""From `module:attribute` to the object that it names."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

from ragproof.core import RagproofError, RunError, UsageError
from ragproof.text.nearest import nearest
from ragproof.text.raised import described

_folders: set[str] = set()
"""Where targets were loaded from so far."""


@contextlib.contextmanager
def loading(target: str) -> Iterator[None]:
    """Make a RunError of what the user's code raises while it is imported and set up."""
    try:
        yield
    except (RagproofError, KeyboardInterrupt):  # Ctrl-C while something large is imported
        raise
    except BaseException as error:
        raise RunError(f"{target} could not be loaded: {described(error)}") from error


def found(target: str, folder: Path) -> object:
    """Import the module, looked for in the folder first, and return its attribute.

    Raises UsageError where there is no such module or attribute, and RunError with the place
    in the user's code where importing it fails.
    """
    name, colon, attribute = target.partition(":")
    if not (colon and all(_is_dotted(part) for part in (name, attribute))):
        raise UsageError(
            f"adapter.target is {target!r}; write it as module:attribute, "
            "for example my_package.pipeline:build"
        )
    with loading(target):
        _look_in(folder.resolve(), name.partition(".")[0])
        one: object = _imported(name, folder)
        for part in attribute.split("."):
            if not hasattr(one, part):
                raise UsageError(f"adapter.target: {_lacks(one, part)}")
            one = getattr(one, part)
    return one


def made(factory: Any, target: str, params: Mapping[str, Any]) -> object:  # noqa: ANN401  foreign
    """Call a class or factory; raises UsageError where it does not take the parameters."""
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):  # some built-in callables do not tell
        signature = None
    if signature is not None:
        try:
            signature.bind(**params)
        except TypeError as error:
            raise UsageError(_ill_suited(target, params, signature, error)) from None
    with loading(target):
        result: object = factory(**params)
    return result


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _look_in(folder: Path, top: str) -> None:
    """Put the folder first on the path, so that its module `top` is the one imported."""
    place = str(folder)
    importlib.invalidate_caches()
    loaded = sys.modules.get(top)
    here = PathFinder.find_spec(top, [place])
    if loaded is not None and here is not None and top != "ragproof":
        there = _places(getattr(loaded, "__spec__", None))
        if not there & _places(here):
            _forget(top, there, folder)
    if place not in sys.path[:1]:
        sys.path.insert(0, place)
    _folders.add(place)


def _forget(top: str, there: Iterable[str], folder: Path) -> None:
    """Unload what an earlier target brought in under this name; nobody else's module."""
    if not all(any(Path(one).is_relative_to(known) for known in _folders) for one in there):
        raise UsageError(
            f"adapter.target: the module {top!r} in {folder} is hidden by one of the same name in "
            f"{', '.join(sorted(there))}, which is loaded already. Rename yours"
        )
    for name in [name for name in sys.modules if name == top or name.startswith(f"{top}.")]:
        del sys.modules[name]


def _places(spec: ModuleSpec | None) -> set[str]:
    if spec is None:
        return set()
    return {spec.origin} if spec.origin else set(spec.submodule_search_locations or ())


def _imported(name: str, folder: Path) -> object:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the module is there, and lacks something itself
        raise UsageError(f"adapter.target: {_absent(error.name, folder)}") from None


def _absent(name: str, folder: Path) -> str:
    parent = name.rpartition(".")[0]
    if parent and not hasattr(sys.modules[parent], "__path__"):
        return f"{parent} is a module, not a package, so there is no {name}"
    paths = list(sys.modules[parent].__path__) if parent else [str(folder)]
    beside = [f"{parent}.{one.name}".lstrip(".") for one in pkgutil.iter_modules(paths)]
    where = f"looked for in {folder} first, then where Python looks"
    return f"there is no module {name} ({where}).{nearest(name, beside)}"


def _lacks(one: object, part: str) -> str:
    name = getattr(one, "__name__", type(one).__name__)
    return f"{name} has no attribute {part!r}.{nearest(part, dir(one))}"


def _ill_suited(
    target: str, params: Mapping[str, Any], signature: inspect.Signature, error: TypeError
) -> str:
    takes = list(signature.parameters)
    unknown = [name for name in params if name not in takes]
    meant = nearest(unknown[0], takes) if unknown else ""
    return f"adapter.params do not suit {target}: {error}.{meant} It takes {signature}"
