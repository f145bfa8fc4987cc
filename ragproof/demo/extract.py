"""Answers taken word for word out of passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ragproof.demo.pages import Passage
from ragproof.text.bm25 import Tokenizer

_SENTENCE_END = re.compile(r"(?<=[.!])\s+(?=[\"'(A-Z0-9])")
"""A question mark is none: a question and its answer belong together."""
_MARKS = re.compile(r"\*\*|`|^\s*(?:[-*>]|\d+\.)\s+|^\*|\*$", re.MULTILINE)
_RULE = re.compile(r"\|[\s:|-]+\|")
_SECOND_ADDS = 0.2
"""A second sentence must cover so much more of the question to be worth reading."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or a table row, with the passage that makes it."""

    text: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Evidence:
    """What answers a question best, and how well it fits, in [0, 1]."""

    statements: tuple[Statement, ...]
    support: float


def find_evidence(
    question: str,
    context: Sequence[Passage],
    tokens: Tokenizer,
    weight: Callable[[str], float],
) -> Evidence:
    """Pick the statement that covers most of the question, and a second if it adds enough.

    A statement also covers what its passage's heading says. The support is the weight of the
    covered words over that of all words asked, times the share of the names and numbers asked
    (words with a digit) that are covered: a sentence about the X2 is no answer about the X4.

    Args:
        question: What is asked.
        context: Where to look; of equal statements the earlier one wins.
        tokens: Cuts question and statements into words that can be compared.
        weight: How much a word of the question counts.
    """
    asked = {token: weight(token) for token in tokens(question)}
    found = [
        (statement, asked.keys() & set(tokens(f"{passage.heading} {statement.text}")))
        for passage in context
        for statement in statements(passage)
    ]
    if not (asked and found):
        return Evidence((), 0.0)

    def share(covered: AbstractSet[str]) -> float:
        # In the order of the question: sums of a set's order differ in the last digit.
        return sum(gain for token, gain in asked.items() if token in covered) / sum(asked.values())

    first, covered = max(found, key=lambda candidate: share(candidate[1]))
    second, more = max(found, key=lambda candidate: share(candidate[1] - covered))
    chosen: tuple[Statement, ...] = (first,)
    if share(more - covered) >= _SECOND_ADDS:
        chosen, covered = (first, second), covered | more
    return Evidence(chosen, share(covered) * _named(asked.keys(), covered))


def _named(asked: AbstractSet[str], covered: AbstractSet[str]) -> float:
    """The share of the names and numbers asked that are covered; 1 where there are none."""
    names = {token for token in asked if any(letter.isdigit() for letter in token)}
    return len(names & covered) / len(names) if names else 1.0


def statements(passage: Passage) -> Iterator[Statement]:
    """Read the sentences, list items and table rows of a passage; headings are none."""
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*] |\d+\. ))", passage.text):
        if block.startswith(("#", "```")):
            continue
        for text in _rows(block) if block.startswith("|") else _sentences(block):
            yield Statement(text, passage)


def _sentences(block: str) -> list[str]:
    plain = " ".join(_MARKS.sub("", block).split())
    return [text for text in _SENTENCE_END.split(plain) if text]


def _rows(table: str) -> list[str]:
    """Read each row as a sentence: first cell, then the others under their column's name."""
    rows = [
        [cell.strip() for cell in _MARKS.sub("", line).strip()[1:-1].split("|")]
        for line in table.splitlines()
        if not _RULE.fullmatch(line)
    ]
    return [_row(rows[0], cells) for cells in rows[1:]]


def _row(header: list[str], cells: list[str]) -> str:
    """Name the columns unless there are only two: `Weight: 118 kg` needs no `Value`."""
    if len(header) == 2:
        return ": ".join(cells)
    named = zip(header[1:], cells[1:], strict=False)
    return f"{cells[0]}: " + "; ".join(f"{name} {cell}".strip() for name, cell in named)
