"""From config and flags to a dataset that a model writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from ragproof.core import OverBudget, RunError, UsageError
from ragproof.datasets.attempts import CHALLENGES, Draw, Mix
from ragproof.datasets.corpus import FileCorpus, FolderCorpus, corpus_hash, load_corpus
from ragproof.datasets.generate import Generating, Progress
from ragproof.datasets.generate_files import Book, open_book
from ragproof.datasets.generate_plan import WRITES, KindPlan, plan
from ragproof.datasets.generate_prompts import CHECK, OUT_OF_SCOPE
from ragproof.datasets.material import Material, material
from ragproof.datasets.plant import Planting, check_folder, planted_cases
from ragproof.judge.ask import ModelJudge
from ragproof.llm.door import Door
from ragproof.llm.prices import CHARACTERS_A_TOKEN
from ragproof.llm.settings import ModelSettings
from ragproof.wiring.judging import concurrency
from ragproof.wiring.schema import Config
from ragproof.wiring.writing import prices_of, with_writer, writer_settings

REPLY_TOKENS = 150
"""Of a usual reply."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What the command line asks for."""

    corpus: Path | None = None
    out: Path
    wanted: Mapping[str, int]
    """Kind to number of cases."""
    injection: int = 0
    poisoned_corpus: Path | None = None
    seed: int = 0
    mix: Mix = field(default_factory=Mix)
    resume: bool = False


@dataclass(frozen=True, kw_only=True)
class Planned:
    """What it will take."""

    kinds: Mapping[str, KindPlan]
    usd: float | None
    """If every attempt succeeds; None where prices are not known."""
    most_usd: float | None
    skipped: tuple[tuple[str, str], ...]
    """Document to why nothing is asked about it."""
    documents: int
    passages: int


@dataclass(frozen=True, kw_only=True)
class Generated:
    """What came of it."""

    status: str
    """`completed`, `short`, `aborted:budget` or `failed`."""
    stopped: str | None
    """Why it could not go on, where it could not."""
    out: Path
    rejects: Path
    cases: int
    kinds: Mapping[str, Progress]
    skipped: tuple[tuple[str, str], ...]
    planting: Planting | None
    calls: int
    cache_hits: int
    usd: float | None
    """Of all sittings."""

    @property
    def short(self) -> dict[str, Progress]:
        """The kinds of which there are fewer than asked."""
        return {kind: one for kind, one in self.kinds.items() if one.is_short}


def foreseen(config: Config, order: Order) -> Planned:
    """Count what the model will be asked, and what that costs, without asking."""
    told = _material(_corpus(config, order))
    kinds = plan(Draw(told, order.seed, order.mix), order.wanted)
    prices, most = prices_of(config), config.judge.max_output_tokens
    calls = sum(one.calls for one in kinds.values())
    most_calls = sum(one.most_calls for one in kinds.values())
    sent = sum(one.characters for one in kinds.values()) // CHARACTERS_A_TOKEN
    most_sent = sum(one.most_characters for one in kinds.values()) // (CHARACTERS_A_TOKEN - 1)
    return Planned(
        kinds=kinds,
        usd=prices.cost(sent, calls * REPLY_TOKENS),
        most_usd=prices.cost(most_sent, most_calls * most),
        skipped=_skipped(told),
        documents=told.documents,
        passages=len(told.passages),
    )


def generate(config: Config, environ: Mapping[str, str], order: Order) -> Generated:
    """Make the dataset.

    Raises UsageError for what cannot work, before anything is paid. A budget that is used up and
    a model that stops answering end it; what was made until then is there.
    """
    corpus = _corpus(config, order)
    told = _material(corpus)
    asks = any(order.wanted.values())
    settings = writer_settings(config, environ) if asks else None
    book = open_book(order.out, _made_with(config, order, corpus, settings), resume=order.resume)
    check_folder(order.poisoned_corpus, book, corpus)
    sitting = _Sitting(config, environ, book, Draw(told, order.seed, order.mix))
    stopped, status = _asked(sitting, settings, order)
    kinds = dict(sitting.progress)
    planting = None
    if order.injection and stopped is None:
        planting = planted_cases(
            corpus, told, book, order.injection, order.seed, order.poisoned_corpus
        )
        made = len(planting.cases)
        kinds["injection"] = Progress(order.injection, made, order.injection)
    short = any(one.is_short for one in kinds.values())
    status = status or ("short" if short else "completed")
    _sum_up(book, status, kinds)
    return Generated(
        status=status,
        stopped=stopped,
        out=book.out,
        rejects=book.rejects_path,
        cases=len(book.cases),
        kinds=kinds,
        skipped=_skipped(told),
        planting=planting,
        calls=sitting.calls,
        cache_hits=sitting.cache_hits,
        usd=book.spent,
    )


def _asked(
    sitting: _Sitting, settings: ModelSettings | None, order: Order
) -> tuple[str | None, str]:
    """Have the model write; say why it could not go on, and what that makes of the whole."""
    try:
        if settings is not None:
            sitting.ask(settings, order.wanted)
    except OverBudget as fault:
        return str(fault).replace("resume the run", "--resume"), "aborted:budget"
    except RunError as fault:
        return str(fault), "failed"
    return None, ""


@dataclass
class _Sitting:
    """The model at work, once."""

    config: Config
    environ: Mapping[str, str]
    book: Book
    draw: Draw
    progress: dict[str, Progress] = field(default_factory=dict[str, Progress])
    calls: int = 0
    cache_hits: int = 0
    before: float | None = field(init=False)
    """USD that earlier sittings paid."""

    def __post_init__(self) -> None:
        """Note what was paid before."""
        self.before = self.book.spent

    def ask(self, settings: ModelSettings, wanted: Mapping[str, int]) -> None:
        """Have it write. Raises KeyboardInterrupt for Ctrl-C and SIGTERM, the files in order."""
        try:
            with_writer(
                self.config,
                self.environ,
                settings,
                lambda door: self._made(door, wanted),
                self._book,
                spent=self.before or 0.0,
            )
        except KeyboardInterrupt:
            _sum_up(self.book, "interrupted", self.progress)
            raise

    async def _made(self, door: Door, wanted: Mapping[str, int]) -> None:
        def settle() -> None:
            self._book(door)
            _sum_up(self.book, "running", self.progress)

        sitting = Generating(
            draw=self.draw,
            judge=ModelJudge(door),
            book=self.book,
            at_once=concurrency(self.config),
            broken=lambda: door.breakdown,
            settle=settle,
            progress=self.progress,
        )
        await sitting.make(wanted)

    def _book(self, door: Door) -> None:
        """Add what was paid since the last time; unknown once a price is."""
        used = door.used
        self.calls, self.cache_hits = used.calls, used.cache_hits
        paid = used.cost_usd
        before = self.before
        self.book.spent = None if paid is None or before is None else before + paid


def _corpus(config: Config, order: Order) -> FolderCorpus | FileCorpus:
    path = order.corpus or config.corpus
    if path is None:
        raise UsageError("there is no corpus; give --corpus DIR or FILE, or set `corpus:`")
    return load_corpus(path)


def _material(corpus: FolderCorpus | FileCorpus) -> Material:
    return material(corpus, corpus.skipped if isinstance(corpus, FolderCorpus) else ())


def _skipped(told: Material) -> tuple[tuple[str, str], ...]:
    return tuple((one.document_id, one.reason) for one in told.skipped)


def _made_with(
    config: Config,
    order: Order,
    corpus: FolderCorpus | FileCorpus,
    settings: ModelSettings | None,
) -> dict[str, Any]:
    """What the cases depend on; how many are wanted is not among it."""
    prompts = "\0".join(one.sha256 for one in (*WRITES.values(), OUT_OF_SCOPE, CHECK))
    versions = {"corpus_version": config.versions.corpus} if config.versions.corpus else {}
    return {
        "seed": order.seed,
        "corpus": corpus_hash(corpus),
        "model": settings.fingerprint if settings is not None else None,
        "prompts": sha256(prompts.encode()).hexdigest(),
        "personas": [list(one) for one in order.mix.personas],
        "categories": [list(one) for one in order.mix.categories],
        **versions,
    }


def _sum_up(book: Book, status: str, kinds: Mapping[str, Progress]) -> None:
    told = {
        kind: {"wanted": one.wanted, "made": one.made, "reasons": dict(one.reasons)}
        for kind, one in kinds.items()
        if kind in CHALLENGES or kind == "injection"
    }
    book.sum_up({"status": status, "kinds": told, "cases": len(book.cases)})


def reasons(one: Progress) -> dict[str, int]:
    """Why attempts brought no case, those included at which the model could not be reached."""
    lost = {"the model could not be reached; --resume tries again": one.failed}
    return {**one.reasons, **(lost if one.failed else {})}


def document(told: Generated) -> dict[str, Any]:
    """What came of it as a JSON document."""
    planting = told.planting
    return {
        "status": told.status,
        "stopped": told.stopped,
        "path": str(told.out),
        "rejects": str(told.rejects),
        "cases": told.cases,
        "kinds": {
            kind: {
                "wanted": one.wanted,
                "made": one.made,
                "unreachable": one.failed,
                "rejected": dict(one.reasons),
            }
            for kind, one in told.kinds.items()
        },
        "skipped": [{"document": name, "reason": reason} for name, reason in told.skipped],
        "poisoned": planting
        and {
            "index": str(planting.index) if planting.index else None,
            "manifest": str(planting.manifest) if planting.manifest else None,
            "planted": planting.planted,
        },
        "calls": told.calls,
        "cache_hits": told.cache_hits,
        "cost_usd": told.usd,
    }
