"""Sentences of documents, by where they begin and end."""
# ruff: noqa: RUF001  # signs of other scripts are what this is about

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.text.sentence_spans import sentence_spans


def said(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. A. Ode paid 3.5 m. She left.", ["Dr. A. Ode paid 3.5 m. She left."]),
        ("See sec. 4 for more. Then stop.", ["See sec. 4 for more.", "Then stop."]),
        ("It ended. but went on.", ["It ended. but went on."]),
        ('He said "Go." Then he went.', ['He said "Go."', "Then he went."]),
        ("猫は鳴く。犬も鳴く！車は？", ["猫は鳴く。", "犬も鳴く！", "車は？"]),
        ("他来了。她走了。", ["他来了。", "她走了。"]),
        ("क्या है? यह है। ठीक।", ["क्या है?", "यह है।", "ठीक।"]),
        ("هل هذا؟ نعم. شكرا.", ["هل هذا؟", "نعم.", "شكرا."]),
        ("# Care\nDust it. Dry it.", ["# Care", "Dust it.", "Dry it."]),
        ("Do:\n- dust\n- dry", ["Do:", "- dust", "- dry"]),
        ("1. First. 2nd line", ["1. First.", "2nd line"]),
        ("one\n\ntwo", ["one", "two"]),
        ("wrapped\nline.", ["wrapped\nline."]),
        ("", []),
        ("... -- !", []),
    ],
)
def test_sentences_end_where_a_reader_says(text: str, sentences: list[str]) -> None:
    assert said(text) == sentences


@settings(max_examples=50)
@given(text=st.text(alphabet="aA1 .!?\n#-。|", max_size=40))
def test_every_letter_is_in_exactly_one_sentence(text: str) -> None:
    spans = sentence_spans(text)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    inside = {at for start, end in spans for at in range(start, end)}
    assert {at for at, letter in enumerate(text) if letter.isalnum()} <= inside
