"""Where a model's files lie: in a folder, or in the cache of the Hugging Face hub."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.text.files import at_home

GRAPHS = ("model.onnx", "onnx/model.onnx")
NEEDED = ("config.json", "tokenizer.json")
SETTINGS = (
    "config.json",
    "tokenizer_config.json",
    "sentence_bert_config.json",
    "modules.json",
    "1_Pooling/config.json",
)
"""Files that say how the model is to be used; those that are there."""
_HUB_NAME = re.compile(r"(?P<name>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w.-]+))?")


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model at rest."""

    name: str
    """As the config has it."""
    folder: Path
    graph: Path
    """The ONNX file."""
    settings: Mapping[str, Any]
    """File name to the JSON in it."""
    fingerprint: str
    """`sha256:` and the hash over all files that decide what the model says."""

    @property
    def config(self) -> Mapping[str, Any]:
        """What `config.json` says."""
        told: Mapping[str, Any] = self.settings["config.json"]
        return told

    def told(self, file: str, key: str) -> Any:  # noqa: ANN401  what JSON holds
        """A value of a settings file; None where file or key is not there."""
        held = self.settings.get(file)
        return held.get(key) if isinstance(held, dict) else None


def find(name: str, folder: Path, environ: Mapping[str, str]) -> ModelFiles:
    """Find a model by the path of its folder or ONNX file, or by its name on the hub.

    A name of the hub (`org/model`, or `org/model@revision`) is looked up in the cache of this
    machine and never fetched. Raises UsageError for what is missing or cannot be read.
    """
    path = folder / at_home(name)
    if path.is_file():
        homes = [one for one in (path.parent, path.parent.parent) if (one / NEEDED[0]).is_file()]
        return _read(name, homes[0] if homes else path.parent, path)
    home = path if path.is_dir() else _cached(name, path, environ)
    graphs = [home / one for one in GRAPHS if (home / one).is_file()]
    if not graphs:
        raise UsageError(
            f"{home} holds no ONNX file; looked for {' and '.join(GRAPHS)}. Name the file itself, "
            f"or export one: optimum-cli export onnx --model {name} FOLDER"
        )
    return _read(name, home, graphs[0])


def _cached(name: str, path: Path, environ: Mapping[str, str]) -> Path:
    """The folder of a hub name in the cache."""
    asked = _HUB_NAME.fullmatch(name)
    if asked is None:
        raise UsageError(f"there is no file or folder {path}")
    cache = _cache(environ)
    kept = cache / f"models--{asked['name'].replace('/', '--')}"
    revision = asked["revision"] or "main"
    ref = kept / "refs" / revision
    commit = ref.read_text(encoding="utf-8").strip() if ref.is_file() else revision
    home = kept / "snapshots" / commit
    if not home.is_dir():
        at = f" --revision {asked['revision']}" if asked["revision"] else ""
        raise UsageError(
            f"there is no folder {path}, and no model {name} in the cache {cache}. Nothing is "
            f"fetched here; get it first: hf download {asked['name']}{at}"
        )
    return home


def _cache(environ: Mapping[str, str]) -> Path:
    """Where the hub's own client keeps what it fetched."""
    if told := environ.get("HF_HUB_CACHE"):
        return at_home(told)
    if told := environ.get("HF_HOME"):
        return at_home(told) / "hub"
    cache = environ.get("XDG_CACHE_HOME") or "~/.cache"
    return at_home(cache) / "huggingface" / "hub"


def _read(name: str, home: Path, graph: Path) -> ModelFiles:
    if lacking := [one for one in NEEDED if not (home / one).is_file()]:
        raise UsageError(f"{home} has no {' and no '.join(lacking)}, which the model needs")
    settings = {one: _json(home / one) for one in SETTINGS if (home / one).is_file()}
    if not isinstance(settings["config.json"], dict):
        raise UsageError(f"{home / 'config.json'}: it must hold a JSON object")
    weights = [one for one in sorted(graph.parent.iterdir()) if one.name.startswith(graph.name)]
    used = [*weights, home / "tokenizer.json", *(home / one for one in settings)]
    return ModelFiles(name, home, graph, settings, _hash([one for one in used if one.is_file()]))


def _json(path: Path) -> Any:  # noqa: ANN401  what JSON holds
    try:
        return json.loads(path.read_bytes())
    except ValueError as fault:
        raise UsageError(f"{path}: it is no JSON: {fault}") from fault
    except RecursionError:
        raise UsageError(f"{path}: it nests too deep to be read") from None
    except OSError as fault:
        raise UsageError(f"{path} cannot be read: {fault.strerror}") from fault


def _hash(files: list[Path]) -> str:
    """The hash of what the files hold, wherever they lie."""
    whole = hashlib.sha256()
    for path in files:
        try:
            with path.open("rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as fault:
            raise UsageError(f"{path} cannot be read: {fault.strerror}") from fault
    return f"sha256:{whole.hexdigest()}"
