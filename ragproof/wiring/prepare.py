"""From a wish to a run that only has to be carried out. All that can be wrong shows here."""

from __future__ import annotations

import dataclasses
import platform
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragproof import __version__
from ragproof.core import (
    Case,
    Corpus,
    DatasetInfo,
    Declared,
    LocalModels,
    Metric,
    Mode,
    Need,
    Ontology,
    RunHeader,
    RunSettings,
    RunState,
    Trial,
    UsageError,
)
from ragproof.core.garbage import uncollected
from ragproof.core.price_list import PriceList
from ragproof.datasets import Dataset, load, select
from ragproof.datasets.corpus import load_corpus
from ragproof.store.listing import RunInfo
from ragproof.store.open import RunStore, open_store
from ragproof.wiring.document_files import placed, text_is_read
from ragproof.wiring.fixed_rules import fixed_decisions, fixed_rules
from ragproof.wiring.given import NOTHING_GIVEN, Given
from ragproof.wiring.identity import refuse_other
from ragproof.wiring.judging import Equipment, JudgePlan, equipped, planned
from ragproof.wiring.local_models import (
    NO_LOCAL_MODELS,
    fingerprints,
    lacking,
    local_models,
)
from ragproof.wiring.plan import declarations, depth, every, importable, plan, prompt_hashes
from ragproof.wiring.schema import Config
from ragproof.wiring.systems import System, system
from ragproof.wiring.wish import Wish


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A run as it would be: all that was read, checked and loaded, and no store touched."""

    config: Config
    header: RunHeader
    cases: tuple[Case, ...]
    folder: Path
    """The dataset's, to which paths of documents are relative."""
    system: System
    metrics: Mapping[str, Metric[Any]]
    judge: JudgePlan | None
    corpus: Corpus | None = None
    ontology: Ontology | None = None
    prices: PriceList | None = None
    local: LocalModels = NO_LOCAL_MODELS

    def open_store(self) -> RunStore:
        """Open the store that the config names, making it if need be."""
        return open_store(self.config.store)

    def trials(self) -> Iterator[Trial]:
        """Every case once, then all again for each repeat."""
        with_text = text_is_read(self.metrics.values())
        for repeat in range(self.header.settings.repeats):
            for case in self.cases:
                yield Trial(placed(case, self.folder, with_text=with_text), repeat)


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A run about to begin or to go on, its store open and ours to write."""

    draft: Draft
    store: RunStore
    equipment: Equipment
    again: AbstractSet[tuple[str, int]] = frozenset()
    """Trials that failed before and are to be made anew."""

    @property
    def header(self) -> RunHeader:
        """Of the run."""
        return self.draft.header


@dataclass(frozen=True)
class Nothing:
    """A resume that finds all done."""

    info: RunInfo
    store: RunStore


def draft(wish: Wish, environ: Mapping[str, str], given: Given = NOTHING_GIVEN) -> Draft:
    """Read, check and load everything that a run needs.

    Raises UsageError for whatever the caller can mend, RunError for a pipeline that does not
    load.
    """
    config = wish.load_config(environ)
    if (dataset := given.dataset) is None and config.dataset is None:
        raise UsageError(
            "no dataset is named. Start with `ragproof init`, give --dataset FILE, or write "
            f"`dataset: FILE` in {config.source_path or 'ragproof.yaml'}"
        )
    with uncollected():
        dataset = dataset or load(config.dataset or Path())
    cases = selected(dataset, wish)
    importable(config.folder)
    with config.blamed("metrics", unless=wish.names_metrics):
        metrics = _metrics(wish, config, cases)
    _refuse_rules(config, declarations(metrics))
    needed = config.run.depth or depth(metrics, config.run.k)
    with config.blamed("adapter", unless=wish.recorded is not None or wish.adapter is not None):
        under_test = system(config, (case.id for case in dataset.cases), needed, environ, given)
    if wish.metrics is None and config.asked is None:
        metrics = _without(metrics, under_test.lacks)
    judge = planned(config, environ)
    local = local_models(config, environ, metrics)
    header = _header(wish, config, dataset, cases, metrics, under_test, needed, judge)
    return Draft(
        config=config,
        header=dataclasses.replace(header, local_models=fingerprints(metrics, local, under_test)),
        cases=cases,
        folder=dataset.path.parent,
        system=under_test,
        metrics=metrics,
        judge=judge,
        corpus=_corpus(config),
        ontology=_ontology(config),
        prices=_prices(config),
        local=local,
    )


def _refuse_rules(config: Config, metrics: Mapping[str, Declared]) -> None:
    """Raise UsageError for rules of the config that make no sense for these metrics."""
    if config.gate.thresholds:
        from ragproof.wiring.gating import refuse_senseless  # noqa: PLC0415  most have no rules

        refuse_senseless(config, metrics)
    if config.decisions:
        from ragproof.wiring.deciding import refuse_nonsense  # noqa: PLC0415  as above

        refuse_nonsense(config, metrics)


def prepare(
    wish: Wish,
    environ: Mapping[str, str],
    given: Given = NOTHING_GIVEN,
    check: Callable[[RunHeader], None] = lambda _: None,
) -> Prepared | Nothing:
    """Draft the run, open the store and become the run's writer.

    `check` may refuse a new run by what its header says, before anything of it is stored. Raises
    as `draft` does, and StoreError for a store that does not open.
    """
    if wish.resume is not None:
        return _prepare_again(wish, environ, given)
    if wish.retry_errors:
        raise UsageError("--retry-errors goes with --resume RUN, whose failed cases it tries again")
    drafted = draft(wish, environ, given)
    check(drafted.header)
    store = drafted.open_store()
    store.begin(drafted.header)
    return Prepared(draft=drafted, store=store, equipment=_equipment(drafted, store, wish, environ))


def _prepare_again(wish: Wish, environ: Mapping[str, str], given: Given) -> Prepared | Nothing:
    config = wish.load_config(environ)
    store = open_store(config.store, create=False)
    before = _resumed(store, wish, config)
    if _is_done(before, store, wish):
        return Nothing(before, store)
    drafted = draft(wish.after(before.header.asked), environ, given)
    refuse_other(before.header, drafted.header)
    settings = dataclasses.replace(
        before.header.settings,
        concurrency=drafted.header.settings.concurrency,
        case_timeout_seconds=drafted.header.settings.case_timeout_seconds,
    )
    left_open = before.header.left_open or before.state is RunState.PARTIAL
    header = dataclasses.replace(before.header, settings=settings, left_open=left_open)
    store.begin(header)
    drafted = dataclasses.replace(drafted, header=header)
    again = _again(header, store, wish)
    return Prepared(
        draft=drafted,
        store=store,
        equipment=_equipment(drafted, store, wish, environ, retries=bool(again)),
        again=again,
    )


def _again(header: RunHeader, store: RunStore, wish: Wish) -> AbstractSet[tuple[str, int]]:
    """Trials to be scored again: those that failed, or that a judge which broke down left open."""
    if wish.retry_errors:
        return store.failed(header.id)
    return store.unjudged(header.id) if header.left_open else frozenset()


def _equipment(
    draft: Draft,
    store: RunStore,
    wish: Wish,
    environ: Mapping[str, str],
    *,
    retries: bool = False,
) -> Equipment:
    return equipped(
        draft.judge,
        draft.config,
        store,
        draft.header.id,
        environ,
        lookup=not wish.no_cache,
        retries=retries,
    )


def _resumed(store: RunStore, wish: Wish, config: Config) -> RunInfo:
    """The run to go on with; `latest` is the newest that is not done."""
    project = config.runs_under
    if wish.resume != "latest":
        return store.find(wish.resume or "", project)
    there = store.runs(project)
    for info in there:
        if not _is_done(info, store, wish):
            return info
    if there:
        return there[0]
    raise UsageError("there is no run to resume. Start one: ragproof run")


def _is_done(info: RunInfo, store: RunStore, wish: Wish) -> bool:
    if info.state not in (RunState.COMPLETED, RunState.FAILED):
        return False
    return not (wish.retry_errors and store.failed(info.header.id))


def selected(dataset: Dataset, wish: Wish) -> tuple[Case, ...]:
    """The cases that are wished for."""
    return select(
        dataset.cases,
        split=wish.of_split,
        limit=wish.limit,
        sample=wish.sample,
        seed=wish.seed or 0,
    )


def _metrics(wish: Wish, config: Config, cases: Sequence[Case]) -> dict[str, Metric[Any]]:
    k = config.run.k
    if wish.metrics is not None:
        return plan([(name, {}) for name in wish.metrics], k)
    if config.asked is not None:
        return plan(config.asked, k)
    return every(cases, k, _repeats(wish), lacking(config))


def _without(
    metrics: Mapping[str, Metric[Any]], lacks: AbstractSet[Need[Any]]
) -> dict[str, Metric[Any]]:
    """Those that the pipeline could give figures of; the others have to be asked for."""
    return {name: one for name, one in metrics.items() if lacks.isdisjoint(one.spec.needs)}


def _header(
    wish: Wish,
    config: Config,
    dataset: Dataset,
    cases: Sequence[Case],
    metrics: Mapping[str, Metric[Any]],
    under_test: System,
    needed: int,
    judge: JudgePlan | None,
) -> RunHeader:
    return RunHeader(
        id=secrets.token_hex(5),
        project=config.project or dataset.name,
        label=wish.label,
        mode=_mode(wish),
        started_at=datetime.now(UTC).isoformat(timespec="microseconds"),
        dataset=DatasetInfo(
            name=dataset.name,
            path=str(dataset.path),
            hash=dataset.hash,
            total=len(dataset.cases),
            cases=len(cases),
            selection=wish.selection,
        ),
        adapter=under_test.info,
        settings=_settings(wish, config, needed),
        metrics=declarations(metrics),
        judge=None if judge is None else judge.fingerprint,
        judge_model=None if judge is None else judge.model,
        prompt_hashes={} if judge is None else prompt_hashes(metrics),
        versions=_versions(config),
        rules=fixed_rules(config),
        decisions=fixed_decisions(config),
        asked=wish.asked,
        environment={
            "ragproof": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
        },
    )


def _corpus(config: Config) -> Corpus | None:
    with config.blamed("corpus"):
        return None if config.corpus is None else load_corpus(config.corpus)


def _ontology(config: Config) -> Ontology | None:
    if config.ontology is None:
        return None
    from ragproof.datasets.ontologies import load_ontology  # noqa: PLC0415  most have none

    with config.blamed("ontology"):
        return load_ontology(config.ontology)


def _prices(config: Config) -> PriceList | None:
    if config.prices is None:
        return None
    from ragproof.wiring.pricing import load_prices  # noqa: PLC0415  as above

    with config.blamed("prices"):
        return load_prices(config.prices)


def _versions(config: Config) -> dict[str, str]:
    """Those written down, and which ontology and prices: figures by two are no change."""
    versions: dict[str, str] = config.versions.model_dump(exclude_none=True)
    if config.ontology is not None:
        from ragproof.datasets.ontologies import ontology_hash  # noqa: PLC0415  as above

        versions["ontology"] = ontology_hash(config.ontology)[:12]
    if config.prices is not None:
        from ragproof.wiring.pricing import prices_hash  # noqa: PLC0415  as above

        versions["prices"] = prices_hash(config.prices)[:12]
    return versions


def _settings(wish: Wish, config: Config, needed: int) -> RunSettings:
    run = config.run
    return RunSettings(
        k=run.k,
        depth=needed,
        source_match=run.source_match,
        concurrency=run.concurrency,
        case_timeout_seconds=run.case_timeout_seconds,
        repeats=_repeats(wish),
    )


def _mode(wish: Wish) -> Mode:
    if wish.mode not in (None, *Mode):
        raise UsageError(f"--mode: got {wish.mode!r}; allowed: {', '.join(Mode)}")
    return Mode(wish.mode or Mode.OFFLINE)


def _repeats(wish: Wish) -> int:
    repeats = 1 if wish.repeats is None else wish.repeats
    if repeats < 1:
        raise UsageError(f"--repeats: got {repeats}; allowed: a whole number (at least 1)")
    return repeats
