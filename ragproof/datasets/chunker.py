"""Cut a document where its structure does: at headings, then paragraphs, then sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ragproof.text.sentence_spans import sentence_spans

SIZE = 1200
"""Characters that a passage has at most; a table or a block of code may have twice as many."""
_HEADING = re.compile(r"(#{1,6})[ \t]+(\S[^\n]*)")
_FENCE = re.compile(r"[ \t]{0,3}(```|~~~)")
_ROW = re.compile(r"[ \t]*\|")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document: `document[start:end]` is its text."""

    document_id: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
    """Those above it, the outermost first."""

    @property
    def place(self) -> str:
        """Identifies it."""
        return f"{self.document_id}:{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together."""

    start: int
    end: int
    level: int = 0
    """Of a heading; 0 for what is none."""
    whole: bool = False
    """Whether a cut would break it: a table, a block of code."""


def passages(document_id: str, text: str, size: int = SIZE) -> list[Passage]:
    r"""Cut a document into passages that leave out nothing but white space.

    >>> [one.text for one in passages("d", "# A\n\nOne.\n\n# B\n\nTwo.")]
    ['# A\n\nOne.', '# B\n\nTwo.']
    """
    packing = _Packing(document_id, text, size)
    for block in _blocks(text):
        packing.take(block)
    packing.close()
    return packing.made


@dataclass
class _Packing:
    """Blocks on their way into passages."""

    document_id: str
    text: str
    size: int
    made: list[Passage] = field(default_factory=list[Passage])
    start: int = 0
    end: int = 0
    bare: bool = True
    """Whether there is nothing but headings in it yet."""
    path: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def take(self, block: _Block) -> None:
        """Put a block into the passage that is open, or begin one with it."""
        if block.level:
            if not self.bare:
                self.close()
            named = self.text[block.start : block.end].lstrip("#").strip().rstrip("#").strip()
            self.path = [one for one in self.path if one[0] < block.level]
            self.path.append((block.level, named))
        for start, end in self._parts(block):
            if self.end > self.start and not self.bare and end - self.start > self.size:
                self.close()
            if self.end <= self.start:
                self.start = start
            self.end = end
            self.bare = self.bare and bool(block.level)

    def close(self) -> None:
        """End the passage that is open."""
        part = self.text[self.start : self.end]
        start = self.start + len(part) - len(part.lstrip())
        end = self.start + len(part.rstrip())
        if end > start:
            above = tuple(name for _, name in self.path)
            self.made.append(Passage(self.document_id, start, end, self.text[start:end], above))
        self.start = self.end = 0
        self.bare = True

    def _parts(self, block: _Block) -> Iterator[tuple[int, int]]:
        """The block, or its sentences where it is too large."""
        most = 2 * self.size if block.whole else self.size
        if block.end - block.start <= most:
            yield block.start, block.end
            return
        inside = self.text[block.start : block.end]
        ends = [end for _, end in sentence_spans(inside)] or [len(inside)]
        ends[-1] = len(inside)
        start = 0
        for end in ends:
            for cut in [*range(start + self.size, end, self.size), end]:
                yield block.start + start, block.start + cut
                start = cut


def _blocks(text: str) -> Iterator[_Block]:
    """Headings, paragraphs, lists, tables and blocks of code, in order."""
    start, fence, at = None, "", 0
    for line in text.splitlines(keepends=True):
        begin, at = at, at + len(line)
        if fence:
            if line.strip().startswith(fence):
                yield _Block(start if start is not None else begin, at, whole=True)
                start, fence = None, ""
            continue
        heading, opening = _HEADING.match(line), _FENCE.match(line)
        if (heading or opening or not line.strip()) and start is not None:
            yield _block(text, start, begin)
            start = None
        if heading:
            yield _Block(begin, at, level=len(heading[1]))
        elif opening:
            start, fence = begin, opening[1]
        elif line.strip() and start is None:
            start = begin
    if start is not None:
        yield _block(text, start, len(text))


def _block(text: str, start: int, end: int) -> _Block:
    lines = [line for line in text[start:end].splitlines() if line.strip()]
    return _Block(start, end, whole=all(map(_ROW.match, lines)))
