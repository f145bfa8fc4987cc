"""The configuration: file, then environment, then flags, each winning over the one before."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ragproof.core import UsageError
from ragproof.text.clean import uncarried
from ragproof.text.faults import Fault, faults, raise_all, shown
from ragproof.text.files import at_home
from ragproof.text.strict_yaml import Yaml, read_yaml
from ragproof.wiring.config_checks import check, secrets
from ragproof.wiring.schema import Config

DEFAULT = Path("ragproof.yaml")
_PATHS = frozenset(
    {("store",), ("dataset",), ("corpus",), ("ontology",), ("prices",), ("adapter", "path")}
)


@dataclass(frozen=True, slots=True)
class Override:
    """A value from outside the file. Its paths are relative to the current folder."""

    place: str
    """Dotted key of the config: `run.concurrency`."""
    value: object
    """What JSON can hold, or a path."""

    @property
    def steps(self) -> tuple[str, ...]:
        """The place as keys."""
        return tuple(self.place.split("."))


ENVIRONMENT: Mapping[str, str] = {
    "RAGPROOF_STORE": "store",
    "RAGPROOF_MAX_CONCURRENCY": "run.concurrency",
    "RAGPROOF_MAX_COST_USD": "max_cost_usd",
    "RAGPROOF_JUDGE_MODEL": "judge.model",
    "RAGPROOF_LLM_BASE_URL": "judge.base_url",
    "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "judge.prices.input_per_mtok",
    "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": "judge.prices.output_per_mtok",
    "RAGPROOF_GEN_MODEL": "generation_model",
}
"""Variable to the key that it sets. `RAGPROOF_LLM_API_KEY` is no setting: it is never kept."""
_NUMBERS = frozenset({"RAGPROOF_MAX_CONCURRENCY", "RAGPROOF_MAX_COST_USD"}) | {
    name for name in ENVIRONMENT if name.endswith("_PER_MTOK")
}


def load_config(
    path: Path | None,
    environ: Mapping[str, str],
    flags: Mapping[str, Override] | None = None,
    *,
    default: Path | None = DEFAULT,
) -> Config:
    """Read and check the configuration; raise UsageError with all that is wrong in it.

    Args:
        path: The file; None for the default, if there is one.
        environ: The environment; an empty variable is not set.
        flags: What the command line says, by the name that messages give it: `--concurrency`.
        default: What is read without a path: `ragproof.yaml` in the current folder, or nothing.
    """
    if path is None and default is not None and default.is_file():
        path = default
    source = None if path is None else read_yaml(path)
    written = _mapping(source)
    outside = {**_environment(environ), **(flags or {})}
    value = _merged(written, outside)
    found = [*secrets(written)]
    try:
        config = Config.model_validate_json(json.dumps(value, default=str))
    except ValidationError as error:
        found += faults(error, Config)
    else:
        found += check(config, [one.steps for one in outside.values()])
    if source:
        found.sort(key=lambda fault: source.line(fault.path))
    raise_all([f"{_blamed(fault, source, outside)}{fault}" for fault in found])
    folder = source.path.parent.absolute() if source else Path.cwd()
    return config.read_from(folder, source)


def _mapping(source: Yaml | None) -> dict[str, Any]:
    if source is None or source.value is None:
        return {}
    if isinstance(source.value, dict):  # a section whose lines are all commented out is not there
        known = Config.model_fields
        return {
            key: one for key, one in source.value.items() if one is not None or key not in known
        }
    got = shown(source.value)
    raise UsageError(f"{source.where(())}: got {got}; allowed: a mapping such as `project: faq`")


def _environment(environ: Mapping[str, str]) -> dict[str, Override]:
    return {
        name: Override(place, _number(text) if name in _NUMBERS else text)
        for name, place in ENVIRONMENT.items()
        if (text := environ.get(name, "").strip())
    }


def _number(text: str) -> object:
    """The number that the text is, else the text, which the schema then refuses."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _merged(written: Mapping[str, Any], outside: Mapping[str, Override]) -> Any:  # noqa: ANN401
    """The file's mapping with the values from outside put in."""
    merged: Any = written
    for name, one in outside.items():
        if bad := uncarried(str(one.value)):
            raise UsageError(f"{name}: holds {bad}, half of a character; write UTF-8")
        merged = _with(merged, one.steps, _absolute(one))
    return merged


def _with(section: object, steps: Sequence[str], value: object) -> Any:  # noqa: ANN401 - JSON
    """A copy with the value put in; what should be a section and is none stays as it is."""
    if not steps:
        return value
    if section is not None and not isinstance(section, dict):
        return section
    held = section or {}
    return {**held, steps[0]: _with(held.get(steps[0]), steps[1:], value)}


def _absolute(one: Override) -> object:
    is_path = one.steps in _PATHS and "://" not in str(one.value)
    return os.path.abspath(at_home(str(one.value))) if is_path else one.value  # noqa: PTH100 - takes out `..`


def _blamed(fault: Fault, source: Yaml | None, outside: Mapping[str, Override]) -> str:
    """Who set the value that is wrong: a variable, a flag, or else a line of the file."""
    for name, one in reversed(list(outside.items())):
        if fault.path[: len(one.steps)] == one.steps:
            return f"{name}: "
    return f"{source.where(fault.path)}: " if source else ""
