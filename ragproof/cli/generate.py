"""ragproof generate"""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.cli import options
from ragproof.cli.main import EXECUTION_FAILED, NOT_MET, SUCCESS, tell
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.datasets.generate import Progress
    from ragproof.wiring.generating import Generated, Order, Planned

COUNT = click.IntRange(min=0)
SHOWN = 20
"""So many skipped files are named."""


@click.command()
@options.config
@options.store
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="Folder of documents, or JSONL of `id` and `text` [default: `corpus` of the config].",
)
@click.option("--out", type=options.OutFile(), required=True, help="The dataset to write (JSONL).")
@click.option(
    "--qa", type=COUNT, metavar="N", default=0, help="Questions that one passage answers."
)
@click.option(
    "--unanswerable", type=COUNT, metavar="N", default=0, help="Questions that nothing answers."
)
@click.option(
    "--multi-hop", type=COUNT, metavar="N", default=0, help="Questions that take two passages."
)
@click.option(
    "--adversarial",
    type=COUNT,
    metavar="N",
    default=0,
    help="Distractors, near-duplicates, ambiguity, swaps, negations, quantifiers, in turn.",
)
@click.option(
    "--conversation", type=COUNT, metavar="N", default=0, help="Follow-ups of a conversation."
)
@click.option(
    "--injection",
    type=COUNT,
    metavar="N",
    default=0,
    help="Payloads of the library, planted; no model.",
)
@click.option(
    "--poisoned-corpus",
    type=click.Path(path_type=Path, file_okay=False),
    help="Plant in documents and their metadata, too; the copy to index goes into this folder.",
)
@click.option(
    "--persona",
    "personas",
    multiple=True,
    metavar='"NAME: WORDS"',
    help="Who asks; repeatable, and drawn as often as it is there.",
)
@click.option(
    "--category",
    "categories",
    multiple=True,
    metavar='NAME or "NAME: WORDS"',
    help="How it is asked; repeatable in the same way.",
)
@click.option(
    "--seed", type=int, metavar="N", default=0, show_default=True, help="Draws what is asked about."
)
@shared.strict
@shared.resume
@shared.plan
@options.as_json
def command(
    config: Path | None,
    store: str | None,
    *,
    plan: bool,
    strict: bool,
    as_json: bool,
    **said: Any,  # noqa: ANN401
) -> int:
    """Have a model write a dataset from your documents, each case verified.

    RAGPROOF_GEN_MODEL names the model; address, key and prices are the judge's. A case is kept
    only if rules and a second, independent look agree; what is turned down stands with its reason
    in a file beside --out. What was made before a stop is there, and --resume goes on with it.
    """
    from ragproof.wiring.generating import document, foreseen, generate
    from ragproof.wiring.wish import Wish

    loaded = Wish(config=config, store=store).load_config(os.environ)
    order = _order(said)
    if plan:
        return show_plan(foreseen(loaded, order), as_json=as_json)
    told = generate(loaded, os.environ, order)
    if told.planting is not None and told.planting.index is not None:
        tell(f"index {told.planting.index} for the injection cases; see {told.planting.manifest}")
    return show_made(told, document(told) if as_json else None, strict=strict)


def _order(said: dict[str, Any]) -> Order:
    from ragproof.datasets.generate_prompts import CATEGORIES, PERSONAS
    from ragproof.wiring.generating import Order

    kinds = ("qa", "unanswerable", "multi_hop", "adversarial", "conversation")
    wanted = {kind: said[kind] for kind in kinds}
    if not any(wanted.values()) and not said["injection"]:
        raise click.UsageError("nothing is asked for; say how many cases: --qa 20")
    if said["poisoned_corpus"] is not None and not said["injection"]:
        raise click.UsageError("--poisoned-corpus goes with --injection N")
    from ragproof.datasets.attempts import Mix

    mix = Mix(
        personas=_named("--persona", said["personas"], PERSONAS),
        categories=_named("--category", said["categories"], CATEGORIES),
    )
    names = ("corpus", "out", "injection", "poisoned_corpus", "seed", "resume")
    return Order(wanted=wanted, mix=mix, **{name: said[name] for name in names})


def _named(
    option: str, given: tuple[str, ...], known: dict[str, str]
) -> tuple[tuple[str, str], ...]:
    """Names and words; a name alone is one that is known."""
    found = []
    for one in given:
        name, _, words = (part.strip() for part in one.partition(":"))
        if not name or not (words or name in known):
            allowed = ", ".join(known)
            raise click.UsageError(
                f"{option} {one!r}: allowed: a name and what it means ('nurse: works at night'), "
                f"or one of {allowed}"
            )
        found.append((name, words or known[name]))
    return tuple(found) or tuple(known.items())


def show_plan(told: Planned, *, as_json: bool) -> int:
    """Show what a model will be asked."""
    from rich.console import Console

    from ragproof.reports.generation import print_forecast

    if as_json:
        click.echo(json.dumps(dataclasses.asdict(told), indent=2))
    else:
        lines = [(name, one.wanted, one.calls, one.most_calls) for name, one in told.kinds.items()]
        about = (told.documents, told.passages, len(told.skipped))
        print_forecast(Console(), lines, about, (told.usd, told.most_usd))
        _tell_skipped(told.skipped)
    return SUCCESS


def show_made(told: Generated, document: dict[str, Any] | None, *, strict: bool) -> int:
    """Show what came of it, as the document where there is one, and say with what to exit."""
    from rich.console import Console

    from ragproof.reports.generation import print_kinds
    from ragproof.wiring.generating import reasons

    if document is not None:
        click.echo(json.dumps(document, indent=2))
    else:
        print_kinds(
            Console(),
            [(name, one.wanted, one.made, reasons(one)) for name, one in told.kinds.items()],
            f"{told.out}: {counted(told.cases, 'case')}",
        )
        _tell_skipped(told.skipped)
    if told.stopped is not None:
        tell(told.stopped)
        return EXECUTION_FAILED
    for kind, one in told.short.items():
        tell(
            f"{kind}: {one.made} of {one.wanted} cases, {one.wanted - one.made} short; why: "
            f"{told.rejects}{_try_again(one)}"
        )
    return NOT_MET if strict and told.short else SUCCESS


def _try_again(one: Progress) -> str:
    """What a resume would do for a kind, if anything."""
    asked = counted(one.left, "attempt")
    return f"; --resume tries {asked} again that had no usable reply" if one.left else ""


def _tell_skipped(skipped: tuple[tuple[str, str], ...]) -> None:
    from ragproof.text.faults import shown

    for name, reason in skipped[:SHOWN]:
        tell(f"skipped {shown(name)}: {reason}")
    if len(skipped) > SHOWN:
        tell(f"skipped {len(skipped) - SHOWN} more; --json lists all")
