"""Graphs that take a fixed number of tokens or rows, too few inputs, or other kinds of numbers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from ragproof.core import UsageError
from ragproof.local.files import ModelFiles, find
from ragproof.local.models import Loading, OnnxEmbedder, OnnxPairModel
from ragproof.local.session import INPUTS, Session
from ragproof.local.tokens import Tokens, Window

FILES = ModelFiles("m", Path("m"), Path("m/model.onnx"), {"config.json": {}}, "sha256:0")


@dataclass
class Graph:
    """Stands for a session of onnxruntime: its logit is the sum of the ids that are not masked."""

    shape: tuple[Any, ...] = ("batch", "tokens")
    names: Sequence[str] = INPUTS
    output: str = "tensor(float)"
    dtype: Any = np.float32
    shapes: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    fed: list[dict[str, Any]] = field(default_factory=list)

    def get_inputs(self) -> list[Any]:
        return [
            SimpleNamespace(name=one, type="tensor(int64)", shape=self.shapes.get(one, self.shape))
            for one in self.names
        ]

    def get_outputs(self) -> list[Any]:
        return [SimpleNamespace(name="logits", type=self.output)]

    def run(self, outputs: Sequence[str], given: dict[str, Any]) -> list[Any]:
        assert outputs == ["logits"]
        self.fed.append(given)
        found = (given["input_ids"] * given["attention_mask"]).sum(axis=1, keepdims=True)
        return [found.astype(self.dtype)]


def session(graph: Graph) -> Session:
    library = Mock()
    library.InferenceSession.return_value = graph
    return Session(FILES, library, 1)


def windows(*ids: Sequence[int]) -> list[Window]:
    return [Window(np.array(one, np.int64), np.zeros(len(one), np.int64)) for one in ids]


def test_windows_are_padded_to_the_length_that_the_graph_takes() -> None:
    graph = Graph(shape=("batch", 6))
    made = session(graph)
    found, mask = made.run(windows([1, 2], [3, 4, 5]), 9, "logits")
    assert made.tokens == 6
    assert found.tolist() == [[3.0], [12.0]]
    assert mask.tolist() == [[1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0]]
    assert graph.fed[0]["input_ids"].tolist() == [[1, 2, 9, 9, 9, 9], [3, 4, 5, 9, 9, 9]]


def test_a_graph_of_so_many_rows_is_run_as_often_as_it_takes() -> None:
    graph = Graph(shape=(2, "tokens"))
    found, mask = session(graph).run(windows([1], [2, 2], [3]), 0, "logits")
    assert found.tolist() == [[1.0], [4.0], [3.0]]  # 3 windows: one run of 2, one of 1 and a filler
    assert [len(one["input_ids"]) for one in graph.fed] == [2, 2]
    assert mask.shape == (3, 2)


def test_a_graph_that_tells_no_shape_takes_any() -> None:
    graph = Graph(shape=())
    found, mask = session(graph).run(windows([1], [2, 2]), 0, "logits")
    assert found.tolist() == [[1.0], [4.0]]
    assert mask.shape == (2, 2)


def test_what_the_graph_does_not_take_is_not_given() -> None:
    graph = Graph(names=("input_ids", "attention_mask"))
    session(graph).run(windows([1]), 0, "logits")
    assert graph.fed[0].keys() == {"input_ids", "attention_mask"}


@pytest.mark.parametrize(
    ("kind", "dtype"), [("tensor(float16)", np.float16), ("tensor(double)", np.float64)]
)
def test_figures_of_any_width_are_read(kind: str, dtype: Any) -> None:
    found, _ = session(Graph(output=kind, dtype=dtype)).run(windows([7]), 0, "logits")
    assert found.dtype == np.float64
    assert found.tolist() == [[7.0]]


WRONG = {
    "three dimensions": (
        Graph(shape=("batch", "sentences", "tokens")),
        r"wants input_ids \['batch', 'sentences', 'tokens'\], .*allowed is the shape "
        r"\[rows, tokens\]",
    ),
    "two lengths": (
        Graph(shape=("batch", 8), shapes={"attention_mask": ("batch", 9)}),
        r"wants input_ids \['batch', 8\], attention_mask \['batch', 9\].*the number of tokens must "
        "be one for all",
    ),
    "labels for figures": (
        Graph(output="tensor(int64)"),
        r"has the output logits tensor\(int64\); allowed: numbers of tensor\(float\)",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_graph_that_cannot_be_fed_or_read_is_refused(what: str) -> None:
    graph, said = WRONG[what]
    with pytest.raises(UsageError, match=said):
        session(graph)


def test_texts_are_cut_to_the_least_of_what_graph_and_files_tell() -> None:
    tokenizer = Mock()
    tokenizer.num_special_tokens_to_add.return_value = 3
    tokenizer.token_to_id.return_value = None
    told = ModelFiles(
        "m", Path("m"), Path("m/model.onnx"), {"config.json": {"max_position_embeddings": 64}}, ""
    )
    assert [Tokens(told, tokenizer, one).longest for one in (None, 32, 160)] == [64, 32, 64]


# Real graphs, where onnx and onnxruntime are there to make and run them


def real(
    folder: Path,
    shape: Sequence[Any],
    *,
    half: bool = False,
    vectors: bool = False,
) -> ModelFiles:
    """A model of two inputs whose logit is how many tokens it reads, or whose vectors are ids."""
    onnx = pytest.importorskip("onnx", reason="onnx makes the graphs: make test-extras")
    tokenizers = pytest.importorskip("tokenizers", reason="the extra `local`: make test-extras")
    pytest.importorskip("onnxruntime", reason="the extra `local`: make test-extras")
    make, kinds = onnx.helper, onnx.TensorProto
    kind = kinds.FLOAT16 if half else kinds.FLOAT
    rows = shape[0]
    nodes = [
        make.make_node("Mul", ["input_ids", "attention_mask"], ["known"]),
        make.make_node("Cast", ["known" if vectors else "attention_mask"], ["figures"], to=kind),
        make.make_node("Unsqueeze", ["figures", "last"], ["vectors"])
        if vectors
        else make.make_node("ReduceSum", ["figures", "first"], ["logits"], keepdims=1),
    ]
    name, dims = ("vectors", [*shape, 1]) if vectors else ("logits", [rows, 1])
    graph = make.make_graph(
        nodes,
        "small",
        [
            make.make_tensor_value_info(one, kinds.INT64, [*shape])
            for one in ("input_ids", "attention_mask")
        ],
        [make.make_tensor_value_info(name, kind, dims)],
        [
            onnx.numpy_helper.from_array(np.array([at], np.int64), each)
            for each, at in (("first", 1), ("last", 2))
        ],
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 18)], ir_version=10)
    folder.mkdir()
    onnx.save(model, str(folder / "model.onnx"))
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "LABEL_0"}}))
    words = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "b": 4}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B [SEP]",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    made.save(str(folder / "tokenizer.json"))
    return find(str(folder), folder, {})


@pytest.mark.parametrize("shape", [("batch", "tokens"), ("batch", 12), (1, "tokens"), (3, 12)])
@pytest.mark.parametrize("half", [False, True])
def test_a_model_says_the_same_however_its_graph_is_fixed(
    tmp_path: Path, shape: tuple[Any, ...], *, half: bool
) -> None:
    model = OnnxPairModel.nli(real(tmp_path / "m", shape, half=half), Loading(batch=4, threads=1))
    pairs = [("a b a", "b"), ("a", "b"), ("b", "b a"), ("a b", "b"), ("b b", "a a")]
    found = asyncio.run(model.scores(pairs))
    # the tokens of both, and [CLS], [SEP], [SEP]
    assert [one.logit for one in found] == [7.0, 5.0, 6.0, 6.0, 7.0]


def test_a_long_premise_is_read_in_windows_of_the_fixed_length(tmp_path: Path) -> None:
    model = OnnxPairModel.nli(real(tmp_path / "m", ("batch", 12)), Loading(threads=1))
    [found] = asyncio.run(model.scores([("a " * 30, "b")]))
    assert found.logit == 12.0  # a full window
    # 12 tokens less 3 specials and 1 of the statement: 8 a window, of which 2 are read twice
    assert found.windows == 5


def test_a_statement_that_leaves_no_room_is_told_with_the_fixed_length(tmp_path: Path) -> None:
    model = OnnxPairModel.nli(real(tmp_path / "m", ("batch", 12)), Loading(threads=1))
    with pytest.raises(Exception, match="a model that reads 12 at once"):
        asyncio.run(model.scores([("a", "b " * 7)]))


def test_sentences_are_pooled_without_what_fills_the_fixed_length(tmp_path: Path) -> None:
    made = real(tmp_path / "m", (2, 12), vectors=True)
    embedder = OnnxEmbedder.of(made, Loading(threads=1))
    found = asyncio.run(embedder(["a", "b b", "a b"]))
    # means of ids: 1 3 2; 1 4 4 2; 1 3 4 2
    assert np.allclose(found, [[2.0], [2.75], [2.5]])
