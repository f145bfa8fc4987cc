"""What a run says of itself, written down before its first case.

It must suffice, years later and without the code, to tell what was measured, on what, how, and
whether two runs may be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ragproof.core.case import CaseKind
from ragproof.core.spec import Better, Interval, Layer, Pool, Unit
from ragproof.core.subject import Level, SourceMatch


@dataclass(frozen=True, kw_only=True)
class Declared:
    """A metric as it was declared when the run was made."""

    id: str
    params: Mapping[str, Any]
    """All of them, those at their defaults included."""
    version: int
    unit: Unit
    better: Better
    pool: Pool
    interval: Interval
    level: Level
    kinds: tuple[CaseKind, ...]
    each: str | None
    layer: Layer
    headline: bool
    """An end-to-end figure, as opposed to one of a component."""
    blames: bool = True
    """Whether a case that falls short of the best has a fault."""


@dataclass(frozen=True, kw_only=True)
class DatasetInfo:
    """Which cases were put to the system."""

    name: str
    path: str
    """Absolute, so that a run can be resumed without a config."""
    hash: str
    """sha256 over the canonical cases of the whole file, sorted by id."""
    total: int
    """Cases in the file."""
    cases: int
    """Cases selected."""
    selection: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """`split`, `limit`, `sample` and `seed`, where given."""


@dataclass(frozen=True, kw_only=True)
class AdapterInfo:
    """Which system was under test. It is the same when type, target, parameters and version are."""

    type: str
    target: str
    """Import path, endpoints, or path of the recorded file."""
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    version: str | None = None
    content: str | None = None
    """sha256 of what is replayed or asked, where the target's name does not pin it."""


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How it was put to the system, and what was counted."""

    k: int = 5
    depth: int = 5
    """How many chunks were asked for: the supplied-context budget."""
    source_match: SourceMatch = SourceMatch.CHUNK
    """The unit of k."""
    concurrency: int = 8
    case_timeout_seconds: float = 60.0
    repeats: int = 1


class Mode(StrEnum):
    """What the cases of a run are."""

    OFFLINE = "offline"
    """Fixed ones with known truth: for choosing components, comparing, and blocking in CI."""
    ONLINE = "online"
    """A sample of live traffic: noisier, and without most of the truth."""


@dataclass(frozen=True, kw_only=True)
class RunHeader:
    """Everything about a run except what came of it."""

    id: str
    project: str
    label: str | None = None
    started_at: str
    """ISO 8601, UTC, with microseconds: it sorts as text."""
    mode: Mode = Mode.OFFLINE
    dataset: DatasetInfo
    adapter: AdapterInfo
    settings: RunSettings = field(default_factory=RunSettings)
    metrics: Mapping[str, Declared]
    """Metric key to its declaration."""
    judge: str | None = None
    """The judge's fingerprint."""
    judge_model: str | None = None
    """What reports call the judge."""
    prompt_hashes: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Metric key or reading to the sha256 of each of its prompts."""
    local_models: Mapping[str, str] = field(default_factory=dict[str, str])
    """Metric key to the fingerprint of the local model that it asks."""
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    """Of `corpus`, `labels` and `policy`, as the config declares them."""
    rules: Mapping[str, str] = field(default_factory=dict[str, str])
    """sha256 of the `gate` section and of each decision rule: what was fixed before the run."""
    decisions: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Those decision rules, plans of experiments included, in their general form."""
    asked: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the command line asked for beside the config; a resume takes it over."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    """Versions of ragproof, Python and the platform."""
    left_open: bool = False
    """Whether a judge that broke down left trials open, with which every resume goes on."""

    @property
    def trials(self) -> int:
        """How often a case is put to the system: once for each repeat of each selected case."""
        return self.dataset.cases * self.settings.repeats

    @property
    def by_local_model(self) -> Mapping[str, tuple[str, ...]]:
        """Fingerprint of each local model to the keys of the metrics that ask it."""
        told = self.local_models
        models = sorted({*told.values()})
        return {one: tuple(key for key, by in told.items() if by == one) for one in models}


class RunState(StrEnum):
    """How a run stands."""

    RUNNING = "running"
    COMPLETED = "completed"
    """Every case was tried."""
    PARTIAL = "partial"
    """Cases are missing."""
    OVER_BUDGET = "aborted:budget"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    """Every case was tried and none succeeded."""
