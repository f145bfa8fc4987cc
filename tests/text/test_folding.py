"""Folding keeps every place where it is."""

# ruff: noqa: RUF001  # letters of other scripts are what this is about

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.clauses import readable, sentences
from ragproof.text.folding import composed, folded


@given(text=st.text(st.characters(codec=None)))
def test_folding_moves_no_letter(text: str) -> None:
    plain = composed(text)
    assert len(folded(plain)) == len(plain)


@given(text=st.text(st.characters(codec=None)))
def test_folding_twice_is_folding_once(text: str) -> None:
    plain = folded(composed(text))
    assert folded(plain) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Ça, c’est «là»", 'ca, c\'est "la"'),
        ("ÑANDÚ", "nandu"),
        ("ЁЛКА, й", "елка, й"),
        ("آإأٱ ى ة", "اااا ي ه"),
        ("İstanbul", "istanbul"),
        ("ＡＢＣ", "abc"),
        ("ज़रूर", "जरूर"),
        ("が", "が"),
    ],
)
def test_what_does_not_tell_words_apart_is_gone(text: str, plain: str) -> None:
    assert folded(composed(text)) == plain


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        (
            "Dr. No met J. R. Ewing at 3.15 p.m. today.",
            ["Dr. No met J. R. Ewing at 3.15 p.m. today."],
        ),
        ("一。二！三", ["一。", "二!", "三"]),
        ("- one\n- two\n", ["one", "two"]),
        ("a; b", ["a;", "b"]),
        ("See (p. 4. and 5). Then", ["See.", "Then"]),
        ('He said "No. Never." twice.', ["He said quote twice."]),
        ("यह है। वह है।", ["यह है।", "वह है।"]),
        ("هذا. ذلك؟ نعم", ["هذا.", "ذلك؟", "نعم"]),
        ("...", []),
    ],
)
def test_sentences_are_cut_as_a_reader_would(text: str, cut: list[str]) -> None:
    assert sentences(readable(text)) == cut
