"""Texts to what a model reads: token ids, in windows that are short enough for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.core import ModelError, UsageError
from ragproof.local.files import ModelFiles

Ids: TypeAlias = NDArray[np.int64]
USUAL_LENGTH = 512
"""Of models that tell none."""
_NO_LENGTH = 100_000
"""A tokenizer that tells more has no limit of its own."""
_OFFSET = frozenset(
    {"roberta", "xlm-roberta", "camembert", "mpnet", "longformer", "xlm-roberta-xl"}
)
"""Kinds of model whose first position is that after the padding's."""
LEAST_ROOM = 4
"""At least one part in so many of a window is for the text that is read window by window."""
OVERLAP = 4
"""One part in so many of that is read twice, so that no sentence is cut in every window."""


@dataclass(frozen=True, slots=True)
class Window:
    """One reading of the model, specials included. Both of shape (tokens,)."""

    ids: Ids
    types: Ids
    """0 for the first text and 1 for the second."""

    def __len__(self) -> int:
        return len(self.ids)


class Tokens:
    """A tokenizer, and how much of a text its model takes at once."""

    def __init__(
        self,
        files: ModelFiles,
        tokenizer: Any,  # noqa: ANN401  untyped
        fixed: int | None = None,
    ) -> None:
        self._tokenizer = tokenizer
        tokenizer.no_padding()
        self._specials = int(tokenizer.num_special_tokens_to_add(is_pair=True))
        told = longest(files)
        self.longest = told if fixed is None else min(told, fixed)
        self.padding = _padding(files, tokenizer)
        if self.longest <= 2 * self._specials + LEAST_ROOM:
            raise UsageError(f"{files.folder}: a model of {self.longest} tokens reads no text")

    @classmethod
    def of(
        cls,
        files: ModelFiles,
        tokenizers: Any,  # noqa: ANN401  untyped
        fixed: int | None = None,
    ) -> Tokens:
        """Read `tokenizer.json`; `fixed` is how many tokens the graph takes, if it takes no other.

        Raises UsageError where the file is no tokenizer.
        """
        path = files.folder / "tokenizer.json"
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(path))
        except Exception as fault:  # the library raises the bare class
            raise UsageError(f"{path} cannot be read: {fault}") from fault
        return cls(files, tokenizer, fixed)

    def of_pair(self, first: str, second: str, *, long: int) -> list[Window]:
        """Windows of two texts; each has the whole of one and a part of the other.

        `long` is 0 or 1, the place of the text that is cut. Raises ModelError where the other one
        leaves no room for it.
        """
        texts = carried(first), carried(second)
        kept = self._count(texts[1 - long])
        room = self.longest - self._specials - kept
        if room < max(2, self.longest // LEAST_ROOM):
            raise ModelError(
                f"a text of {kept} tokens cannot be held against another by a model that reads "
                f"{self.longest} at once: {texts[1 - long][:60]!r} ..."
            )
        self._tokenizer.enable_truncation(
            self.longest,
            stride=room // OVERLAP,
            strategy="only_second" if long else "only_first",
        )
        found = self._tokenizer.encode(*texts)
        return [_window(one) for one in (found, *found.overflowing)]

    def of_text(self, text: str) -> list[Window]:
        """Windows of one text, one after the other."""
        self._tokenizer.enable_truncation(self.longest, stride=0)
        found = self._tokenizer.encode(carried(text))
        return [_window(one) for one in (found, *found.overflowing)]

    def _count(self, text: str) -> int:
        self._tokenizer.no_truncation()
        return len(self._tokenizer.encode(text, add_special_tokens=False))


def padded(
    windows: Sequence[Window], padding: int, fixed: int | None = None
) -> tuple[Ids, Ids, Ids]:
    """Ids, mask and types of shape (windows, tokens of the longest, or the fixed number)."""
    shape = len(windows), fixed or max(map(len, windows))
    ids, mask, types = np.full(shape, padding), np.zeros(shape, int), np.zeros(shape, int)
    for row, one in enumerate(windows):
        ids[row, : len(one)], mask[row, : len(one)], types[row, : len(one)] = one.ids, 1, one.types
    return ids, mask, types


def carried(text: str) -> str:
    """The text with a sign in place of halves of characters, which no tokenizer takes.

    >>> carried("a" + chr(0xD83D))
    'a?'
    """
    return text.encode("utf-8", "replace").decode()


def longest(files: ModelFiles) -> int:
    """How many tokens the model reads at once, specials included."""
    positions = files.config.get("max_position_embeddings")
    if isinstance(positions, int) and files.config.get("model_type") in _OFFSET:
        padding = files.config.get("pad_token_id")
        positions -= (padding if isinstance(padding, int) else 0) + 1
    told = (
        positions,
        files.told("tokenizer_config.json", "model_max_length"),
        files.told("sentence_bert_config.json", "max_seq_length"),
    )
    return min(
        (int(one) for one in told if isinstance(one, int | float) and 0 < one < _NO_LENGTH),
        default=USUAL_LENGTH,
    )


def _padding(files: ModelFiles, tokenizer: Any) -> int:  # noqa: ANN401  untyped
    told = files.config.get("pad_token_id")
    if isinstance(told, int):
        return told
    known = (tokenizer.token_to_id(one) for one in ("[PAD]", "<pad>"))
    return next((int(one) for one in known if one is not None), 0)


def _window(encoding: Any) -> Window:  # noqa: ANN401  untyped
    return Window(np.array(encoding.ids, np.int64), np.array(encoding.type_ids, np.int64))
