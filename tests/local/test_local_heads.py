"""What the outputs of a model mean, by its own labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import UsageError
from ragproof.local.files import ModelFiles
from ragproof.local.heads import Head, entailment, relevance

logits = st.floats(-1e4, 1e4)


def labelled(*labels: str) -> ModelFiles:
    return told({str(at): one for at, one in enumerate(labels)})


def told(id2label: object) -> ModelFiles:
    settings = {"config.json": {"id2label": id2label}}
    return ModelFiles("m", Path("m"), Path("m/model.onnx"), settings, "sha256:0")


@pytest.mark.parametrize(
    ("labels", "asked"),
    [
        (("contradiction", "neutral", "entailment"), 2),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), 0),
        (("entailment", "not_entailment"), 0),
        (("hallucinated", "consistent"), 1),
        (("LABEL_0",), 0),
        (("Supported",), 0),
    ],
)
def test_the_output_for_entailment_is_the_one_called_so(labels: Sequence[str], asked: int) -> None:
    assert entailment(labelled(*labels)) == Head(tuple(labels), asked)


@pytest.mark.parametrize(
    "labels",
    [
        ("LABEL_0", "LABEL_1", "LABEL_2"),
        ("not_entailment",),
        ("entailment", "supported"),
        ("neutral", "contradiction"),
    ],
)
def test_labels_that_do_not_tell_are_shown(labels: Sequence[str]) -> None:
    with pytest.raises(UsageError) as said:
        entailment(labelled(*labels))
    shown = ", ".join(f"{at}: {one}" for at, one in enumerate(labels))
    assert f"config.json: id2label: got {shown}; exactly one label must be" in str(said.value)


@pytest.mark.parametrize("id2label", [None, {}, ["entailment"], {"1": "entailment"}, {"0": 1}])
def test_a_map_that_is_none_is_told(id2label: object) -> None:
    with pytest.raises(UsageError, match="id2label: got "):
        entailment(told(id2label))


def test_a_ranker_has_one_output() -> None:
    assert relevance(labelled("LABEL_0")).asked == 0
    with pytest.raises(UsageError, match="got 0: no, 1: yes; a cross-encoder that ranks passages"):
        relevance(labelled("no", "yes"))


def test_several_outputs_go_through_softmax() -> None:
    head = Head(("contradiction", "neutral", "entailment"), 2)
    values, raw = head.values(np.array([[0.0, 0.0, math.log(2)]]))
    assert values.tolist() == pytest.approx([2 / 4])  # e^ln 2 = 2 of 1 + 1 + 2
    assert raw.tolist() == [math.log(2)]


def test_one_output_goes_through_the_logistic_function() -> None:
    values, raw = Head(("consistent",), 0).values(np.array([[math.log(3)], [0.0]]))
    assert values.tolist() == pytest.approx([3 / 4, 1 / 2])
    assert raw.tolist() == [math.log(3), 0.0]


@given(st.lists(st.tuples(logits, logits, logits), min_size=1, max_size=5))
def test_whatever_the_logits_values_are_fractions(rows: list[tuple[float, float, float]]) -> None:
    given_ = np.array(rows)
    several = [Head(("a", "b", "c"), at).values(given_)[0] for at in range(3)]
    assert np.sum(several, axis=0) == pytest.approx(np.ones(len(rows)))
    one = Head(("a",), 0).values(given_[:, :1])[0]
    for values in (*several, one):
        assert ((values >= 0) & (values <= 1)).all()


@given(logits, logits)
def test_two_outputs_are_one_output_of_their_difference(one: float, other: float) -> None:
    two = Head(("entailment", "not"), 0).values(np.array([[one, other]]))[0]
    assert two == pytest.approx(Head(("x",), 0).values(np.array([[one - other]]))[0], abs=1e-12)
