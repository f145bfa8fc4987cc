"""What the command line says of a run, beside the config."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.beir import CORPUS, dataset_path
from ragproof.text.files import at_home
from ragproof.wiring.config import DEFAULT, Override, load_config
from ragproof.wiring.schema import Config

FLAGS = {
    "project": ("project", "project"),
    "adapter": ("adapter", "adapter"),
    "store": ("--store", "store"),
    "dataset": ("--dataset", "dataset"),
    "concurrency": ("--concurrency", "run.concurrency"),
    "k": ("--k", "run.k"),
    "source_match": ("--source-match", "run.source_match"),
}
"""Field to the flag that sets it and the key of the config that it wins over."""
NOT_TAKEN_OVER = frozenset({"store", "label", "resume", "retry_errors", "no_cache", "concurrency"})


@dataclass(frozen=True, kw_only=True)
class Wish:
    """Flags of `ragproof run`; None is "not said"."""

    config: Path | None = None
    ignore_config: bool | None = None
    """Read no config file even if there is one."""
    project: str | None = None
    adapter: Mapping[str, Any] | None = None
    store: str | None = None
    dataset: Path | None = None
    beir: Path | None = None
    """Folder of a benchmark in BEIR's layout; `split` then names its judgments."""
    recorded: Path | None = None
    label: str | None = None
    resume: str | None = None
    retry_errors: bool = False
    no_cache: bool = False
    """Ask the judge anew even what it was asked before."""
    split: str | None = None
    limit: int | None = None
    sample: int | None = None
    seed: int | None = None
    repeats: int | None = None
    metrics: tuple[str, ...] | None = None
    concurrency: int | None = None
    k: int | None = None
    source_match: str | None = None
    mode: str | None = None
    settings: Mapping[str, Any] | None = None
    """Keys of the config by their dotted place, for callers from code: `run.case_timeout_seconds`.
    """
    sweep: Mapping[str, Any] | None = None
    """Of which sweep the run is a point: `id` and `name`, and the point's `params`."""

    def load_config(self, environ: Mapping[str, str]) -> Config:
        """The configuration with what the command line says on top."""
        default = None if self.ignore_config else DEFAULT
        said = {**self.overrides, **self._benchmark()}
        return load_config(self.config, environ, said, default=default)

    def _benchmark(self) -> dict[str, Override]:
        """What follows from `--beir`: the cases, the corpus, and that sources are documents."""
        if self.beir is None:
            return {}
        if self.dataset is not None:
            raise UsageError("--beir and --dataset both name the cases; give one of them")
        found = {
            "--beir": Override("dataset", dataset_path(at_home(self.beir), self.split)),
            "--beir (corpus)": Override("corpus", self.beir / CORPUS),
        }
        if self.source_match is None:
            found["--beir (ids)"] = Override("run.source_match", "document")
        return found

    @property
    def overrides(self) -> dict[str, Override]:
        """What wins over the config, under the name of the flag."""
        said = {flag: (place, getattr(self, name)) for name, (flag, place) in FLAGS.items()}
        found = {
            flag: Override(at, value) for flag, (at, value) in said.items() if value is not None
        }
        if self.recorded is not None:
            path = str(at_home(self.recorded).absolute())
            found["--recorded"] = Override("adapter", {"type": "recorded", "path": path})
        for place, value in (self.settings or {}).items():
            found[f"argument {place.rpartition('.')[2]}"] = Override(place, value)
        return found

    @property
    def names_metrics(self) -> bool:
        """Whether it says itself which metrics are meant."""
        return self.metrics is not None or "metrics" in (self.settings or {})

    @property
    def of_split(self) -> str | None:
        """Which cases are chosen by their split; a benchmark's is chosen by its judgments."""
        return None if self.beir is not None else self.split

    @property
    def selection(self) -> dict[str, Any]:
        """How cases are chosen, as a header says it."""
        chosen = {"split": self.of_split, "limit": self.limit, "sample": self.sample}
        said: dict[str, Any] = {name: one for name, one in chosen.items() if one is not None}
        return {**said, "seed": self.seed or 0} if self.sample is not None else said

    @property
    def asked(self) -> dict[str, Any]:
        """What shaped the run and a resume takes over, in plain values; paths are absolute."""
        said = {name: value for name, value in vars(self).items() if value is not None}
        return {
            name: str(at_home(value).absolute()) if isinstance(value, Path) else value
            for name, value in said.items()
            if name not in NOT_TAKEN_OVER
        }

    def after(self, asked: Mapping[str, Any]) -> Wish:
        """This wish, with what an earlier one asked for wherever this one says nothing."""
        earlier: dict[str, Any] = {
            name: Path(value) if name in ("config", "dataset", "recorded", "beir") else value
            for name, value in asked.items()
            if name in vars(self) and getattr(self, name) is None
        }
        if "metrics" in earlier:
            earlier["metrics"] = tuple(earlier["metrics"])
        return dataclasses.replace(self, **earlier)
