"""How pairs and texts are put to a model and what is made of its figures; no model is run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from ragproof.core import ModelError, UsageError
from ragproof.local.files import ModelFiles
from ragproof.local.heads import Head
from ragproof.local.models import OnnxEmbedder, OnnxPairModel, _Loaded
from ragproof.local.tokens import Tokens, Window, carried, longest, padded

T = TypeVar("T")


def files(settings: dict[str, Any] | None = None) -> ModelFiles:
    told = {"config.json": {}, **(settings or {})}
    return ModelFiles("m", Path("m"), Path("m/model.onnx"), told, "sha256:0")


def window(*ids: int) -> Window:
    return Window(np.array(ids, np.int64), np.zeros(len(ids), np.int64))


@dataclass
class Cut:
    """Stands for a tokenizer: a letter a token, three to a window."""

    padding: int = 0

    def of_pair(self, first: str, second: str, *, long: int) -> list[Window]:
        text = (first, second)[long]
        return [window(*map(ord, text[at : at + 3])) for at in range(0, len(text), 3)]

    def of_text(self, text: str) -> list[Window]:
        return self.of_pair(text, "", long=0)


@dataclass
class Sums:
    """Stands for a session: its one logit is the highest token, its vectors the tokens."""

    batches: list[int] = field(default_factory=list)
    outputs: Sequence[str] = ("logits",)
    nan_at: int | None = None

    def run(self, windows: Sequence[Window], padding: int, output: str) -> tuple[Any, Any]:
        ids, mask, _ = padded(windows, padding)
        self.batches.append(len(windows))
        if output == "vectors":
            return np.stack([ids, ids * 0 + 1], axis=-1).astype(float), mask.astype(float)
        found = ids.max(axis=1, keepdims=True).astype(float)
        return np.where(found == self.nan_at, np.nan, found), mask

    async def aside(self, call: Callable[[], T]) -> T:
        return call()


def loaded(session: Any, batch: int = 2) -> _Loaded:
    tokens: Any = Cut()
    return _Loaded(files(), tokens, session, batch)


def pair_model(session: Sums, batch: int = 2, long: int = 0) -> OnnxPairModel:
    return OnnxPairModel(loaded(session, batch), Head(("entailment",), 0), long, "logits")


def test_the_best_window_of_the_longer_text_counts() -> None:
    [one, two] = asyncio.run(pair_model(Sums()).scores([("aaazaa", "?"), ("abc", "?")]))
    assert (one.logit, one.windows) == (ord("z"), 2)
    assert (two.logit, two.windows) == (ord("c"), 1)


def test_the_second_text_may_be_the_longer_one() -> None:
    [found] = asyncio.run(pair_model(Sums(), long=1).scores([("q", "aaabbbccz")]))
    assert (found.logit, found.windows) == (ord("z"), 3)


def test_batches_are_no_larger_than_allowed_and_no_pair_is_asked_twice() -> None:
    session = Sums()
    pairs = [("abc", "?"), ("abcdef", "?"), ("abc", "?"), ("a", "?"), ("ab", "?")]
    found = asyncio.run(pair_model(session, batch=2).scores(pairs))
    assert session.batches == [2, 2, 1]  # five windows of four pairs
    assert [one.logit for one in found] == [ord(one) for one in "cfcab"]


def test_a_figure_that_is_none_is_an_error_of_the_whole_call() -> None:
    model = pair_model(Sums(nan_at=ord("z")))
    with pytest.raises(ModelError, match="the local model m gave what is no finite number"):
        asyncio.run(model.scores([("abc", "?"), ("abz", "?")]))


@pytest.mark.parametrize(("pooling", "expected"), [("mean", (2 + 3 + 4 + 5) / 4), ("cls", None)])
def test_vectors_are_pooled_over_the_tokens_that_are_there(
    pooling: str, expected: float | None
) -> None:
    model = OnnxEmbedder(loaded(Sums()), "vectors", pooling)
    text = "".join(map(chr, (2, 3, 4, 5)))
    [found, _] = asyncio.run(model([text, "x"]))
    first = (2 * 3 + 5 * 1) / 4  # of windows (2, 3, 4) and (5): by the tokens of each
    assert found[0] == pytest.approx(first if expected is None else expected)
    assert found[1] == pytest.approx(1)


def test_the_last_batch_and_the_first_are_put_back_in_order() -> None:
    model = OnnxEmbedder(loaded(Sums(), batch=1), "vectors", "mean")
    found = asyncio.run(model(["abc", "a", "b"]))
    assert [round(one[0]) for one in found] == [ord("b"), ord("a"), ord("b")]


def test_batches_are_padded_on_the_right_and_masked() -> None:
    ids, mask, types = padded([window(5, 6), window(7)], padding=1)
    assert ids.tolist() == [[5, 6], [7, 1]]
    assert mask.tolist() == [[1, 1], [1, 0]]
    assert types.tolist() == [[0, 0], [0, 0]]


def test_text_that_nothing_encodes_is_carried_all_the_same() -> None:
    assert carried("a\ud83d\udc00b\x00") == "a??b\x00"


def config(**told: Any) -> dict[str, Any]:
    return {"config.json": told}


OF_TOKENIZER, OF_SENTENCES = "tokenizer_config.json", "sentence_bert_config.json"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, 512),
        (config(max_position_embeddings=256), 256),
        (config(max_position_embeddings=514, model_type="roberta", pad_token_id=1), 512),
        (config(max_position_embeddings=512, model_type="bert", pad_token_id=0), 512),
        (config(max_position_embeddings=514, model_type="roberta", pad_token_id="a"), 513),
        ({OF_TOKENIZER: {"model_max_length": 10**30}}, 512),
        ({OF_TOKENIZER: {"model_max_length": 384}}, 384),
        ({OF_SENTENCES: {"max_seq_length": 128}, OF_TOKENIZER: {"model_max_length": 512}}, 128),
    ],
)
def test_the_least_length_that_is_told_holds(settings: dict[str, Any], expected: int) -> None:
    assert longest(files(settings)) == expected


def test_a_tokenizer_is_asked_for_its_padding_where_the_config_tells_none() -> None:
    class Words:
        def no_padding(self) -> None: ...

        def num_special_tokens_to_add(self, *, is_pair: bool) -> int:
            return 3 if is_pair else 2

        def token_to_id(self, token: str) -> int | None:
            return {"<pad>": 7}.get(token)

    assert Tokens(files(), Words()).padding == 7
    assert Tokens(files({"config.json": {"pad_token_id": 1}}), Words()).padding == 1
    with pytest.raises(UsageError, match="a model of 9 tokens reads no text"):
        Tokens(files({"config.json": {"max_position_embeddings": 9}}), Words())
