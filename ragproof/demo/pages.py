"""The manual of the demo: its pages, and the passages that the pipeline searches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus")
READERS = Path(__file__).with_name("readers")
"""Notes that readers sent in, which nobody checked: some carry orders to assistants."""
DATASET = Path(__file__).with_name("hearth.jsonl")
_HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the manual. Its id is its file's name without suffix."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a page: `page.text[start:end]` is its text."""

    id: str
    page_id: str
    heading: str
    """The page's title, and the section's where there is one."""
    start: int
    end: int
    text: str


def read_pages(folder: Path = CORPUS) -> tuple[Page, ...]:
    """Read the Markdown files of a folder in order of the pages' ids."""
    files = sorted(folder.glob("*.md"), key=lambda file: file.stem)
    return tuple(Page(file.stem, file.read_text(encoding="utf-8")) for file in files)


def passages(page: Page, most_words: int) -> tuple[Passage, ...]:
    r"""Cut a page into its sections, and long sections between their paragraphs.

    A table is one paragraph and stays whole, also where it is longer than `most_words`.

    Example:
        >>> page = Page("lamp", "# Lamp\n\nIt shines.\n\n## Care\n\nDust it.\n")
        >>> for part in passages(page, most_words=100):
        ...     print(part.id, part.start, part.end, part.heading)
        lamp#1 0 18 Lamp
        lamp#2 20 37 Lamp: Care
    """
    found: list[Passage] = []
    for heading, start, end in _sections(page.text):
        for first, last in _pieces(page.text, start, end, most_words):
            text = page.text[first:last]
            found.append(
                Passage(f"{page.id}#{len(found) + 1}", page.id, heading, first, last, text)
            )
    return tuple(found)


def _sections(text: str) -> Iterator[tuple[str, int, int]]:
    """Heading, start and end of each section."""
    headings = list(_HEADING.finditer(text))
    title = headings[0][1] if headings else ""
    starts = [0, *(heading.start() for heading in headings[1:]), len(text)]
    names = [title, *(f"{title}: {heading[1]}" for heading in headings[1:])]
    yield from zip(names, starts, starts[1:], strict=False)


def _pieces(text: str, start: int, end: int, most_words: int) -> Iterator[tuple[int, int]]:
    """Runs of whole paragraphs of at most so many words, white space cut off at the end."""
    first, words = start, 0
    for left, right in _paragraphs(text, start, end):
        length = len(text[left:right].split())
        if words and words + length > most_words:
            yield first, first + len(text[first:left].rstrip())
            first, words = left, 0
        words += length
    if words:
        yield first, first + len(text[first:end].rstrip())


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Start and end of each stretch between blank lines."""
    left = start
    for gap in _BLANK_LINES.finditer(text, start, end):
        yield left, gap.start()
        left = gap.end()
    yield left, end
