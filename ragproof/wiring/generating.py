"""From config and flags to a dataset that a model writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.datasets.attempts import Draw, Mix
from ragproof.datasets.corpus import FileCorpus, FolderCorpus, corpus_hash, load_corpus
from ragproof.datasets.generate import Generating, Progress
from ragproof.datasets.generate_files import alone, open_book
from ragproof.datasets.generate_plan import WRITES, KindPlan, plan
from ragproof.datasets.generate_prompts import CHECK, OUT_OF_SCOPE
from ragproof.datasets.material import Material, material
from ragproof.datasets.plant import Planting, check_folder, planted_cases
from ragproof.judge.ask import ModelJudge
from ragproof.llm.door import Door
from ragproof.llm.settings import ModelSettings
from ragproof.wiring.book_sitting import BookSitting, Settle, Work, priced
from ragproof.wiring.judging import concurrency
from ragproof.wiring.schema import Config
from ragproof.wiring.writing import writer_settings


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
    usd, most_usd = priced(config, kinds)
    return Planned(
        kinds=kinds,
        usd=usd,
        most_usd=most_usd,
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
    with alone(order.out):
        return _generated(config, environ, order, corpus, told, settings)


def _generated(
    config: Config,
    environ: Mapping[str, str],
    order: Order,
    corpus: FolderCorpus | FileCorpus,
    told: Material,
    settings: ModelSettings | None,
) -> Generated:
    book = open_book(order.out, _made_with(config, order, corpus, settings), resume=order.resume)
    check_folder(order.poisoned_corpus, book, corpus)
    sitting = BookSitting(config, environ, book)
    draw = Draw(told, order.seed, order.mix)
    stopped, status = sitting.ask(settings, _work(sitting, draw, order))
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
    sitting.sum_up(status, kinds)
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


def _work(sitting: BookSitting, draw: Draw, order: Order) -> Work:
    async def work(door: Door, settle: Settle) -> None:
        generating = Generating(
            draw=draw,
            judge=ModelJudge(door, retries=order.resume),
            book=sitting.book,
            at_once=concurrency(sitting.config),
            broken=lambda: door.breakdown,
            settle=settle,
            progress=sitting.progress,
        )
        await generating.make(order.wanted)

    return work


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
                "short": max(0, one.wanted - one.made),
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
