"""Lay text out on a terminal: whatever its width, its encoding and what the text holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from ragproof.reports.wording import inert

if TYPE_CHECKING:
    from rich.console import Console

GAP = 2


class Page:
    """Writes lines, entries and tables; never cuts a word that a reader may need."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.width = console.width

    def line(self, text: str = "", style: str = "", indent: int = 0) -> None:
        """Write a paragraph, wrapped, every line indented."""
        self.entry(" " * indent, text, style)

    def entry(self, label: str, text: str, style: str = "", label_style: str = "") -> None:
        """Write a label and beside it a paragraph that wraps at its own left edge."""
        lead = self._text(label, label_style)
        room = max(self.width - lead.cell_len, 1)
        parts = self._text(text, style).wrap(self._console, room, overflow="fold")
        for at, part in enumerate(parts or [Text()]):
            part.rstrip()
            before = lead if at == 0 else Text(" " * lead.cell_len)
            self._print(Text.assemble(before, part))

    def heading(self, text: str) -> None:
        """Write a heading with a blank line above."""
        self.line()
        self.line(text, "bold")

    def cells(self, cells: Sequence[tuple[str, str]], widths: Sequence[int]) -> None:
        """Write a row: the first cell left, the others right; each with its style.

        A first cell that is too long for its column has a line of its own, the rest the next.
        """
        texts = [self._text(text, style) for text, style in cells]
        if texts[0].cell_len > widths[0]:
            for part in texts[0].wrap(self._console, max(self.width, 1), overflow="fold"):
                self._print(part)
            texts[0] = Text()
        row = Text().append_text(texts[0])
        row.append(" " * (widths[0] - texts[0].cell_len))
        for text, width in zip(texts[1:], widths[1:], strict=True):
            row.append(" " * (GAP + width - text.cell_len)).append_text(text)
        row.rstrip()
        self._print(row)

    def fitted(self, rows: Iterable[Sequence[str]]) -> list[int]:
        """Find the widths of columns; the first gives way where the page is narrow."""
        widths = [max(cell_len(cell) for cell in column) for column in zip(*rows, strict=True)]
        rest = sum(widths[1:]) + GAP * (len(widths) - 1)
        return [max(2, min(widths[0], self.width - rest)), *widths[1:]]

    @property
    def has_blocks(self) -> bool:
        """Whether the encoding carries the characters of a drawn bar."""
        return self._carried("█░") == "█░"

    def _carried(self, text: str) -> str:
        """The text with escapes for what the terminal's encoding has no bytes for."""
        encoding = self._console.encoding or "ascii"
        return text.encode(encoding, "backslashreplace").decode(encoding)

    def _text(self, text: str, style: str) -> Text:
        return Text(self._carried(inert(text, keep="\n")), style=style)

    def _print(self, text: Text) -> None:
        self._console.print(text, overflow="fold", soft_wrap=text.cell_len <= self.width)
