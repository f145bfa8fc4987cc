"""ragproof review show"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragproof.cli import dataset_options as shared
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from ragproof.datasets.review_queue import Filling
    from ragproof.reports.page import Page

VERDICTS = {"g": "good", "p": "partly", "b": "bad", "c": "cannot_say"}
REASONS = {"w": "wrong", "i": "incomplete", "o": "off-topic", "h": "harmful", "s": "slow"}
SKIP, QUIT = "s", "q"


class _Quit(Exception):
    """The reviewer stops."""


@click.command()
@click.argument("queue", type=shared.FILE)
@click.argument("item", required=False)
@click.option("--fill", is_flag=True, help="Ask for the verdict of each answer that has none.")
@click.option("--reviewer", metavar="NAME", help="With --fill: whose verdicts these are.")
def command(queue: Path, item: str | None, reviewer: str | None, *, fill: bool) -> None:
    """Show an answer of QUEUE, the first that waits or ITEM, or fill the queue in.

    With --fill, every verdict is on the disk before the next answer is shown; stop at any question
    with q, and go on with the same command. Letters and whole words are taken.
    """
    from rich.console import Console

    from ragproof.datasets.generate_files import alone
    from ragproof.datasets.review_queue import Filling
    from ragproof.reports.page import Page
    from ragproof.reports.review_item import print_item

    if reviewer is not None and not fill:
        raise click.UsageError("--reviewer goes with --fill")
    page = Page(Console())
    if fill:
        Filling(queue)  # so that what is no queue is not locked
        if isinstance(sys.stdin, TextIOWrapper):  # one wrong byte must not lose what follows
            sys.stdin.reconfigure(errors="surrogateescape")
        with alone(queue):
            filling = Filling(queue)
            _filled(filling, page, _wanted(filling, item), reviewer)
        page.line(_progress(filling))
        return
    filling = Filling(queue)
    for line in _wanted(filling, item)[:1]:
        print_item(page, line)
        page.line()
    page.line(_progress(filling), "dim")


def _progress(filling: Filling) -> str:
    waiting = len(filling.waiting)
    return f"{len(filling.lines) - waiting:,} of {counted(len(filling.lines), 'answer')} reviewed"


def _wanted(filling: Filling, item: str | None) -> list[dict[str, Any]]:
    """The lines that wait, or the one that is named."""
    from ragproof.core import UsageError
    from ragproof.text.nearest import nearest

    if item is None:
        return filling.waiting
    names = [str(line.get("item")) for line in filling.lines]
    if item not in names:
        raise UsageError(f"The queue has no item {item!r}.{nearest(item, names)}")
    return [filling.lines[names.index(item)]]


def _filled(
    filling: Filling, page: Page, lines: list[dict[str, Any]], reviewer: str | None
) -> None:
    """Ask about one answer after the other."""
    from ragproof.reports.review_item import print_item
    from ragproof.reports.wording import one_line

    for number, line in enumerate(lines, 1):
        if line not in filling.lines:  # someone has filled it in meanwhile
            continue
        page.heading(f"{number:,} of {len(lines):,}")
        print_item(page, line)
        page.line()
        said: dict[str, Any] = {}
        try:
            _ask(line, said)
        except (_Quit, click.Abort, KeyboardInterrupt) as stop:
            if said:
                page.line()
                name = one_line(str(line.get("item")), 40)
                page.line(f"item {name} is not saved; all before it is", "yellow")
            if isinstance(stop, _Quit):
                return
            raise
        if said:
            by = {"reviewer": reviewer} if reviewer else {}
            filling.save(line, {**said, **by})


def _ask(line: Mapping[str, Any], said: dict[str, Any]) -> None:
    """Put what the reviewer says into `said`, which stays empty where the answer is skipped.

    Raises _Quit where the reviewer stops.
    """
    from ragproof.datasets.review_queue import BLANK

    keys = "[g]ood [p]artly [b]ad [c]annot say, [s]kip [q]uit"
    key = _choice(keys, {**VERDICTS, SKIP: "skip"})
    if key == SKIP:
        return
    said["verdict"] = verdict = VERDICTS[key]
    if verdict == "cannot_say":
        blank = {name: BLANK[name] for name in BLANK if name not in ("reviewer", "notes")}
        said |= {**blank, "verdict": verdict}
        return
    told = "Why? [w]rong [i]ncomplete [o]ff-topic [h]armful [s]low, several or Enter"
    said["reasons"] = [] if verdict == "good" else _reasons(told)
    said["unresolved_need"] = _yes("Does what was asked for stay open?")
    said["distrust"] = _yes("Is there reason not to trust the answer?")
    said["better_answer"] = _text("A better answer, or Enter")
    said["sources"] = _sources(line)


def _yes(prompt: str) -> bool:
    return _choice(f"{prompt} [y/N]", {"y": "yes", "n": "no"}, default="n") == "y"


def _choice(prompt: str, allowed: Mapping[str, str], default: str | None = None) -> str:
    """Ask for a letter or its word; the letter."""
    while True:
        said = _typed(prompt, default).lower()
        if (key := _key(said, allowed)) is not None:
            return key
        click.echo(f"got {said!r}; allowed: {_known(allowed)}")


def _key(said: str, allowed: Mapping[str, str]) -> str | None:
    """The letter of what was typed.

    >>> _key("cannot say", VERDICTS), _key("b", VERDICTS), _key("x", VERDICTS)
    ('c', 'b', None)
    """
    words = {_parted(word): letter for letter, word in allowed.items()}
    return said if said in allowed else words.get(_parted(said))


def _parted(word: str) -> str:
    return re.sub(r"[\s_-]+", "-", word)


def _reasons(prompt: str) -> list[str]:
    """Letters, in a row or parted, or words."""
    while True:
        typed = (_text(prompt) or "").lower()
        words = re.findall(r"off[\s_-]+topic|\w+", typed)
        keys = [letter for word in words for letter in _key(word, REASONS) or word]
        if all(one in REASONS for one in keys):
            return [REASONS[one] for one in dict.fromkeys(keys)]
        click.echo(f"got {typed!r}; allowed: {_known(REASONS)}")


def _known(allowed: Mapping[str, str]) -> str:
    return ", ".join(f"{letter} {word}" for letter, word in (*allowed.items(), (QUIT, "quit")))


def _sources(line: Mapping[str, Any]) -> list[str]:
    """Numbers of the passages shown, or ids."""
    from ragproof.datasets.review_lines import listed

    passages = line.get("passages")
    shown = passages if isinstance(passages, list) else []
    ids = {str(one.get("id")) for one in shown if isinstance(one, dict)}
    told = f"Passages that a right answer rests on (1 to {len(shown)}), ids parted by ;, or Enter"
    while True:
        said = listed(_text(told if shown else "Ids of sources of a right answer, or Enter"))
        numbers = [one for one in said if one.isdecimal() and one not in ids]
        wrong = [one for one in numbers if not 1 <= int(one) <= len(shown)]
        if not wrong:
            return said
        click.echo(f"got {wrong[0]!r}; allowed: 1 to {len(shown)}, or id:{wrong[0]} for an id")


def _text(prompt: str) -> str | None:
    from ragproof.text.clean import unclean

    while True:
        said = _typed(prompt, "")
        if not (wrong := unclean(said)):
            return said or None
        click.echo(f"got {wrong}; type it again")


def _typed(prompt: str, default: str | None = None) -> str:
    """What is typed, read as UTF-8 whatever the locale says; raises _Quit where that is to stop."""
    while True:
        try:
            typed = click.prompt(prompt, default=default, show_default=False, prompt_suffix=": ")
            said = str(typed).encode(errors="surrogateescape").decode().strip()
        except UnicodeError:
            click.echo("that is not UTF-8; type it again")
            continue
        if said.lower() in (QUIT, "quit"):
            raise _Quit
        return said
