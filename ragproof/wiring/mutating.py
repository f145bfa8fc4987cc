"""From config and flags to the variants of a dataset."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ragproof.core import Case, QuestionCase, UsageError
from ragproof.datasets import dump, load
from ragproof.datasets.corpus import load_corpus
from ragproof.datasets.mutate import BY_MODEL, Mutated, Mutation
from ragproof.datasets.mutate_rules import KINDS, Names
from ragproof.judge.ask import ModelJudge
from ragproof.llm.door import Door
from ragproof.text.files import write_new
from ragproof.text.nearest import nearest
from ragproof.wiring.judging import concurrency
from ragproof.wiring.loop import carried_out
from ragproof.wiring.schema import Config
from ragproof.wiring.writing import with_writer, writer_settings


@dataclass(frozen=True, kw_only=True)
class Varying:
    """What the command line asks for."""

    dataset: Path
    out: Path
    kinds: tuple[str, ...]
    languages: tuple[str, ...] = ()
    corpus: Path | None = None
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Varied:
    """What came of it."""

    mutated: Mutated
    out: Path
    rejects: Path | None
    """Where it says what was not made; None where all was."""
    calls: int = 0
    cache_hits: int = 0
    usd: float | None = 0.0


def vary(config: Config, environ: Mapping[str, str], wish: Varying) -> Varied:
    """Write the dataset with its variants.

    Raises UsageError for what cannot work, before anything is paid, and RunError where the model
    stops answering or the budget ends: then nothing is written, and what was replied is kept, so
    that the same command goes on without paying twice.
    """
    _check(wish)
    rejects = wish.out.with_name(f"{wish.out.stem}.rejects.jsonl")
    for path in (wish.out, rejects):
        if path.exists():
            raise UsageError(f"{path} is there already; nothing is overwritten")
    cases = load(wish.dataset).cases
    mutation = Mutation(
        kinds=wish.kinds,
        languages=wish.languages,
        seed=wish.seed,
        names=_names(config, wish, cases) if "entity_swap" in wish.kinds else Names(),
        at_once=concurrency(config),
    )
    used: list[Door] = []
    if needs_model(wish.kinds) or ("negation" in wish.kinds and config.generation_model):

        async def ask(door: Door) -> Mutated:
            judge = ModelJudge(door, retries=True)  # to give the command again is to try again
            return await replace(mutation, judge=judge).of(cases)

        settings = writer_settings(config, environ)
        mutated = with_writer(config, environ, settings, ask, used.append)
    else:
        mutated = carried_out(mutation.of(cases))
    _write(mutated, wish.out, rejects)
    return Varied(
        mutated=mutated,
        out=wish.out,
        rejects=rejects if mutated.turned else None,
        calls=sum(one.used.calls for one in used),
        cache_hits=sum(one.used.cache_hits for one in used),
        usd=used[0].used.cost_usd if used else 0.0,
    )


def _write(mutated: Mutated, out: Path, rejects: Path) -> None:
    write_new(out, "".join(f"{dump(one)}\n" for one in mutated.cases))
    told = [{"id": one.case_id, "kind": one.kind, "reason": one.reason} for one in mutated.turned]
    if told:
        write_new(rejects, "".join(f"{json.dumps(one, sort_keys=True)}\n" for one in told))


def _names(config: Config, wish: Varying, cases: Sequence[Case]) -> Names:
    """Those of the questions and, where there is one, of the corpus."""
    names = Names()
    names.read(one.question for one in cases if isinstance(one, QuestionCase))
    corpus = wish.corpus or config.corpus
    if corpus is not None:
        documents = load_corpus(corpus)
        names.read(documents.text(one) or "" for one in documents)
    return names


def needs_model(kinds: tuple[str, ...]) -> bool:
    """Whether any of the kinds cannot be made by a rule."""
    return bool(BY_MODEL & set(kinds))


def _check(wish: Varying) -> None:
    for kind in wish.kinds:
        if kind not in KINDS:
            allowed = ", ".join(KINDS)
            raise UsageError(
                f"--kinds: there is no kind {kind!r}; allowed: {allowed}.{nearest(kind, KINDS)}"
            )
    if ("translation" in wish.kinds) != bool(wish.languages):
        raise UsageError("translation and --to LANGUAGE go together: --kinds translation --to de")
