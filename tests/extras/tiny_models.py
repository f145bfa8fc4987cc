"""Small models built on the spot: they go by shared words, and are otherwise as any ONNX model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = """
paris was not founded in 1994 the parisii town lies on seine cats purr sleep dogs bark a cat dog
purrs do how many trees has it is red blue . , ? ! and
"""
VOCABULARY = {word: at for at, word in enumerate([*SPECIALS, *WORDS.split()])}
NOT = VOCABULARY["not"]
NLI_LABELS = ("contradiction", "neutral", "entailment")
INTEGERS = TensorProto.INT64
FLOATS = TensorProto.FLOAT


def folder(at: Path, graph: Any, labels: Sequence[str] | None = None, **config: Any) -> Path:
    """A model's folder: graph, tokenizer and config."""
    at.mkdir(parents=True, exist_ok=True)
    save(graph, str(at / "model.onnx"))
    tokenizer().save(str(at / "tokenizer.json"))
    told: dict[str, Any] = {"model_type": "bert", "pad_token_id": 0, "max_position_embeddings": 512}
    if labels is not None:
        told["id2label"] = {str(n): one for n, one in enumerate(labels)}
    (at / "config.json").write_text(json.dumps(told | config))
    return at


def tokenizer() -> Any:
    made = Tokenizer(WordLevel(VOCABULARY, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = Lowercase(), Whitespace()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return made


def nli() -> Any:
    """Entailment by how many words of the hypothesis the premise has; none where one has a `not`.

    Logits (contradiction, neutral, entailment): (20 d, 0, 16 s - 8 - 20 d), with the share s of
    the words, and d 1 where just one of the two says `not`.
    """
    nodes = [
        *_shares(covered="hypothesis", by="premise"),
        *_says_not("premise"),
        *_says_not("hypothesis"),
        node("Sub", ["premise_not", "hypothesis_not"], "signed"),
        node("Abs", ["signed"], "differs"),
        node("Mul", ["differs", "twenty"], "contradiction"),
        node("Mul", ["share", "sixteen"], "scaled"),
        node("Sub", ["scaled", "eight"], "centred"),
        node("Sub", ["centred", "contradiction"], "entailment"),
        node("Sub", ["share", "share"], "neutral"),
        helper.make_node("Concat", ["contradiction", "neutral", "entailment"], ["logits"], axis=1),
    ]
    return graph(nodes, {"logits": ["batch", 3]})


def one_logit() -> Any:
    """One output: 16 times the share of the first text's words that the second has, less 8."""
    nodes = [
        *_shares(covered="premise", by="hypothesis"),
        node("Mul", ["share", "sixteen"], "scaled"),
        node("Sub", ["scaled", "eight"], "logits"),
    ]
    return graph(nodes, {"logits": ["batch", 1]})


def not_a_number() -> Any:
    """Logits that are no numbers."""
    nodes = [
        *_shares(covered="hypothesis", by="premise"),
        node("Sub", ["share", "share"], "zero"),
        node("Div", ["zero", "zero"], "nan"),
        helper.make_node("Concat", ["nan", "nan", "nan"], ["logits"], axis=1),
    ]
    return graph(nodes, {"logits": ["batch", 3]})


def bag_of_words() -> Any:
    """A vector a token: one dimension a word, and none for what is special."""
    table = np.eye(len(VOCABULARY), dtype=np.float32)
    table[: len(SPECIALS)] = 0
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    return graph(
        nodes,
        {"last_hidden_state": ["batch", "tokens", len(VOCABULARY)]},
        {"table": table},
        inputs=("input_ids", "attention_mask"),
    )


def node(kind: str, inputs: Sequence[str], output: str) -> Any:
    return helper.make_node(kind, inputs, [output])


def cast(given: str, output: str) -> Any:
    return helper.make_node("Cast", [given], [output], to=FLOATS)


def graph(
    nodes: Sequence[Any],
    outputs: Mapping[str, Sequence[int | str]],
    more: Mapping[str, np.ndarray] | None = None,
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
) -> Any:
    numbers = {"one": 1.0, "eight": 8.0, "sixteen": 16.0, "twenty": 20.0}
    known = {name: np.array([[value]], np.float32) for name, value in numbers.items()}
    known["special"] = np.array([[len(SPECIALS)]], np.int64)
    known["not"] = np.array([[NOT]], np.int64)
    known["second"], known["third"] = np.array([1], np.int64), np.array([2], np.int64)
    made = helper.make_graph(
        list(nodes),
        "tiny",
        [helper.make_tensor_value_info(one, INTEGERS, ["batch", "tokens"]) for one in inputs],
        [helper.make_tensor_value_info(one, FLOATS, list(s)) for one, s in outputs.items()],
        [numpy_helper.from_array(one, name) for name, one in {**known, **(more or {})}.items()],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    checker.check_model(model)
    return model


def _shares(*, covered: str, by: str) -> list[Any]:
    """`premise` and `hypothesis`, masks of their words; `share` of one's words the other has."""
    return [
        helper.make_node("GreaterOrEqual", ["input_ids", "special"], ["is_word"]),
        cast("is_word", "word"),
        cast("attention_mask", "mask"),
        node("Mul", ["word", "mask"], "there"),
        cast("token_type_ids", "type"),
        node("Mul", ["there", "type"], "hypothesis"),
        node("Sub", ["there", "hypothesis"], "premise"),
        node("Unsqueeze", ["input_ids", "third"], "down"),
        node("Unsqueeze", ["input_ids", "second"], "across"),
        node("Equal", ["down", "across"], "is_same"),
        cast("is_same", "same"),
        node("Unsqueeze", [by, "second"], "other"),
        node("Mul", ["same", "other"], "met"),
        helper.make_node("ReduceMax", ["met", "third"], ["has"], keepdims=0),
        node("Mul", ["has", covered], "shared"),
        helper.make_node("ReduceSum", ["shared", "second"], ["count"], keepdims=1),
        helper.make_node("ReduceSum", [covered, "second"], ["all"], keepdims=1),
        node("Max", ["all", "one"], "whole"),
        node("Div", ["count", "whole"], "share"),
    ]


def _says_not(text: str) -> list[Any]:
    return [
        helper.make_node("Equal", ["input_ids", "not"], [f"{text}_is"]),
        cast(f"{text}_is", f"{text}_nots"),
        node("Mul", [f"{text}_nots", text], f"{text}_own"),
        helper.make_node("ReduceMax", [f"{text}_own", "second"], [f"{text}_not"], keepdims=1),
    ]
