"""From the texts of samples to vectors: by a model, or by how they are spelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from ragproof.adapters import target as targets
from ragproof.adapters.method import is_capable
from ragproof.adapters.python import PythonAdapter
from ragproof.analysis.drift_texts import NAME, spelled
from ragproof.core import UsageError
from ragproof.index.vectors import Values, Vectors
from ragproof.wiring.config import load_config
from ragproof.wiring.drift_samples import Sample
from ragproof.wiring.index_calls import Callee, callee, embedded
from ragproof.wiring.local_models import local_embedder
from ragproof.wiring.loop import carried_out
from ragproof.wiring.schema import Config

SPELLING, LOCAL, ADAPTER = "spelling", "local", "adapter"
_HASH = "sha256:"


@dataclass(frozen=True)
class Embedding:
    """What gives texts their vectors."""

    name: str
    """As a report says it."""
    is_free: bool
    """Whether further texts cost nothing but time on this machine."""
    of: Callable[[Sequence[str]], Values]
    """Vectors of different texts. Shape (texts, dimensions)."""

    def vectors(self, texts: Sequence[str]) -> Values:
        """Vectors of texts; one that is there twice is embedded once."""
        places = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        found: Values = self.of([*places])[np.array([places[text] for text in texts])]
        return found


def embedding(how: str | None, config: Path | None, environ: Mapping[str, str]) -> Embedding:
    """What `--embed` names; where it names nothing, the config's local model, else the spelling.

    Raises UsageError for what is not there or cannot be used, RunError where it fails to load.
    """
    if how == SPELLING:
        return Embedding(NAME, is_free=True, of=spelled)
    loaded = load_config(config, environ)
    if how is None and loaded.local.embeddings is None:
        return Embedding(NAME, is_free=True, of=spelled)
    if how in (None, LOCAL):
        return _local(loaded, environ)
    if how == ADAPTER:
        one = callee(loaded, loaded.run.depth or loaded.run.k, environ)
        return _called(one, f"embed of {one.adapter.name}")
    return _called(_function(how or "", loaded), f"{how}")


def _local(config: Config, environ: Mapping[str, str]) -> Embedding:
    if config.local.embeddings is None:
        raise UsageError("--embed local: `local.embeddings` in ragproof.yaml names no model")
    model = local_embedder(config, environ)
    name = f"local.embeddings {config.local.embeddings}"

    def of(texts: Sequence[str]) -> Values:
        return carried_out(embedded(model, texts, 1, name))

    return Embedding(f"{name} ({model.fingerprint.removeprefix(_HASH)[:12]})", is_free=True, of=of)


def _called(one: Callee, name: str) -> Embedding:
    def of(texts: Sequence[str]) -> Values:
        return one.carry_out(one.embedded(texts))

    return Embedding(name, is_free=False, of=of)


def _function(target: str, config: Config) -> Callee:
    """A function of a list of texts, or an object with a method `embed`."""
    try:
        found = targets.found(target, config.folder)
    except UsageError as fault:
        told = str(fault).removeprefix("adapter.target").removeprefix(":").strip()
        raise UsageError(
            f"--embed {target}: {told}. Allowed: spelling, local, adapter, module:function"
        ) from fault
    if not (callable(found) or is_capable(found)):
        raise UsageError(f"--embed {target}: it is no function of a list of texts")
    is_function = not isinstance(found, type) and not is_capable(found)
    pipeline = SimpleNamespace(embed=found) if is_function else found
    adapter = PythonAdapter.of(pipeline, target, {}, config.run.k)
    return Callee(config, adapter, adapter.further(config.run.case_timeout_seconds))


def embed_samples(samples: Sequence[Sample], how: Embedding) -> list[Sample]:
    """The samples with vectors of their texts, all of one kind; checked as those of files are."""
    every = [text for one in samples for text in one.texts or ()]
    values = how.vectors(every)
    made, start = [], 0
    for one in samples:
        mine = values[start : start + len(one)]
        checked = Vectors.of(mine, f"{one.source}, embedded").values
        made.append(replace(one, vectors=checked))
        start += len(one)
    return made
