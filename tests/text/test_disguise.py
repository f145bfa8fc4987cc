from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.confusable import FOLD
from ragproof.text.disguise import folded, readable, without_tags


@pytest.mark.parametrize(
    ("given_text", "read"),
    [
        ("a&amp;#82;b", "aRb"),
        ("&lt;b&gt;", "<b>"),
        ("100%25", "100%"),
        ("%C3%A9", "e"),
        ("%FF stays", "%FF stays"),
        ("caf\u00e9", "cafe"),
        ("\uff32\uff21\uff27", "RAG"),
        ("\U0001d411\U0001d400", "RA"),
        ("snake\\_case", "snake_case"),
        ("**bold** and ~~gone~~", "bold and gone"),
        ("* a bullet", "* a bullet"),
        ("2 * 3", "2 * 3"),
        ("`code`", '"code"'),
        ("\u201equoted\u201c", '"quoted"'),
        ("it\u2019s", "it's"),
        ("a[.]b(dot)c dot d", "a.b.c.d"),
        ("x\u200b\u00ad\u2060y", "xy"),
        ("\u0915\u093f", "\u0915\u093f"),
    ],
)
def test_a_text_is_read_as_a_reader_would(given_text: str, read: str) -> None:
    assert readable(given_text) == read


def test_an_entity_with_too_many_digits_is_left_alone() -> None:
    text = "&#" + "1" * 5000 + ";"
    assert "1" * 4000 in readable(text)


def test_tags_and_comments_go_and_comparisons_stay() -> None:
    assert without_tags("a<b>c</b><!-- d -->e") == "ace"
    assert without_tags("3 < 4 and 5 > 4") == "3 < 4 and 5 > 4"


@given(st.text())
def test_a_fold_keeps_every_letter_at_its_place(text: str) -> None:
    assert len(folded(readable(text))) == len(readable(text))


def test_every_letter_folds_to_one_letter() -> None:
    assert all(len(folded(chr(code))) == 1 for code in range(sys.maxunicode + 1))


def test_look_alikes_are_letters_that_normal_forms_leave_alone() -> None:
    others = [chr(code) for code in FOLD if code > 127]
    assert [one for one in others if unicodedata.normalize("NFKD", one).isascii()] == []
