"""From the config to the small models on this machine that a run's metrics ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from ragproof.adapters.python import PythonAdapter
from ragproof.core import (
    LocalModels,
    Metric,
    MissingInput,
    Need,
    Pipeline,
    UsageError,
)
from ragproof.core.needs import CROSS_ENCODER, EMBED, NLI
from ragproof.core.pipeline import Embed, Vector
from ragproof.local.files import find
from ragproof.local.models import Loading, OnnxEmbedder, OnnxPairModel
from ragproof.wiring.schema import Config
from ragproof.wiring.systems import System

ROLES: Mapping[str, Need[Any]] = {"nli": NLI, "cross_encoder": CROSS_ENCODER, "embeddings": EMBED}
"""Key of the config's section `local` to what metrics need of it."""
_MAKERS: Mapping[str, Any] = {
    "nli": OnnxPairModel.nli,
    "cross_encoder": OnnxPairModel.cross_encoder,
    "embeddings": OnnxEmbedder.of,
}
NO_LOCAL_MODELS = LocalModels()
OR_ITS_OWN = ", if not the pipeline's own embed"
_IN_MEMORY: WeakValueDictionary[tuple[object, ...], Any] = WeakValueDictionary()
"""What is loaded, so that several runs of one process share it."""


def lacking(config: Config) -> frozenset[Need[Any]]:
    """The inputs that a local model alone could give, and none is configured for."""
    alone = {"nli": NLI, "cross_encoder": CROSS_ENCODER}
    return frozenset(need for role, need in alone.items() if getattr(config.local, role) is None)


def local_models(
    config: Config, environ: Mapping[str, str], metrics: Mapping[str, Metric[Any]]
) -> LocalModels:
    """Load those that are configured and asked by some metric.

    Raises UsageError, with the place in the config, for one that cannot be used.
    """
    found = {role: _loaded(role, config, environ) for role in _asked(config, metrics)}
    return LocalModels(
        nli=found.get("nli"),
        cross_encoder=found.get("cross_encoder"),
        embed=found.get("embeddings"),
    )


def local_embedder(config: Config, environ: Mapping[str, str]) -> OnnxEmbedder:
    """The model that `local.embeddings` names. Raises UsageError for one that cannot be used."""
    model: OnnxEmbedder = _loaded("embeddings", config, environ)
    return model


def fingerprints(
    metrics: Mapping[str, Metric[Any]], models: LocalModels, system: System
) -> dict[str, str]:
    """Metric key to the fingerprint of the local model that it asks.

    Of a pipeline that only shows what it can do when it is made, in the run, it is said that the
    vectors may be its own.
    """
    held: dict[Need[Any], str | None] = {
        need: None if model is None else model.fingerprint
        for need, model in ((NLI, models.nli), (CROSS_ENCODER, models.cross_encoder))
    }
    if models.embed is not None and not _embeds(system):
        may_embed = system.pipeline is not None and system.pipeline.embed is not None
        held[EMBED] = models.embed.fingerprint + (OR_ITS_OWN if may_embed else "")
    return {
        key: told
        for key, metric in metrics.items()
        for need, told in held.items()
        if told is not None and metric.spec.reads(need)
    }


def _embeds(system: System) -> bool:
    return isinstance(system.adapter, PythonAdapter) and "embed" in system.adapter.capabilities


def with_local_embed(pipeline: Pipeline | None, models: LocalModels) -> Pipeline | None:
    """The pipeline; one that turns out to have no `embed` is helped out by the local model."""
    if pipeline is None or pipeline.embed is None or models.embed is None:
        return pipeline
    return replace(pipeline, embed=_either(pipeline.embed, models.embed))


def _either(own: Embed, local: Embed) -> Embed:
    async def embed(texts: Sequence[str]) -> Sequence[Vector]:
        try:
            return await own(texts)
        except MissingInput:  # an async factory tells late what it made
            return await local(texts)

    return embed


def _asked(config: Config, metrics: Mapping[str, Metric[Any]]) -> Iterator[str]:
    for role, need in ROLES.items():
        is_asked = any(metric.spec.reads(need) for metric in metrics.values())
        if is_asked and getattr(config.local, role) is not None:
            yield role


def _loaded(role: str, config: Config, environ: Mapping[str, str]) -> Any:  # noqa: ANN401
    local = config.local
    with config.blamed("local", role):
        try:
            files = find(getattr(local, role), config.folder, environ)
            key = (role, files.fingerprint, local.batch, local.threads)
            if (model := _IN_MEMORY.get(key)) is None:
                how = Loading(batch=local.batch, threads=local.threads)
                model = _IN_MEMORY[key] = _MAKERS[role](files, how)
        except UsageError as fault:
            raise UsageError(f"local.{role}: {fault}") from fault
    return model
