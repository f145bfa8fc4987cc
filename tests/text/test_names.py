"""Names by how they are written, and whether a context has them."""

from __future__ import annotations

from typing import Literal, TypeAlias
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.names import names
from ragproof.text.passages import passages


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It was Ada Lovelace and the Bank of England.", ["Ada Lovelace", "Bank of England"]),
        ("Ada's mother met Dr. J. Smith & Sons.", ["Ada", "Dr. J. Smith & Sons"]),
        ("a GPT-4, an MP3 and an x-ray", ["GPT-4", "MP3"]),
        ("von Émile Zola bis Łódź", ["Émile Zola", "Łódź"]),
        ("в Нижнем Новгороде", ["Нижнем Новгороде"]),
        ("\U0001f600 in Oslo, \U00010400\U00010428", ["Oslo", "\U00010400\U00010428"]),
        ("Ⓐ or aⒶB in Rome", ["Rome"]),
        ("Yes. However, it rained.", []),
        ("塔はロンドンにある。", ["ロンドン"]),
    ],
)
def test_a_name_is_told_by_its_capitals(text: str, found: list[str]) -> None:
    assert names(text) == found


@given(st.text(alphabet=st.sampled_from("aAbÉéßЖж1-'. \u2019&Ⓐ\U0001f600\n"), max_size=40))
def test_a_letter_of_another_script_changes_nothing_for_those_before_it(text: str) -> None:
    """What is beyond ASCII is looked through another way, to the same end."""
    plain = "".join(char for char in text if char.isascii())
    assert names(f"{plain}\n\u4e2d") == names(f"{plain}\nx")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("TCP", "by TCP/IP"),
        ("Miller", "the Miller\u2013Rabin test"),
        ("Charles Darwin", "Charles Darwin's theory"),
        ("Qing", "die Qing-Dynastie"),
        ("U.S.", "in the US"),
        ("The Bank of England", "Bank of England"),
    ],
)
def test_signs_join_and_part_words(name: str, text: str) -> None:
    assert passages([text]).has(name)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("Darwin Charles", ["Charles Darwin"]),
        ("Ada Lovelace", ["Ada", "Lovelace"]),
        ("Rab", ["Rabin"]),
    ],
)
def test_the_words_of_a_name_stand_in_one_text_in_their_order(name: str, texts: list[str]) -> None:
    assert not passages(texts).has(name)


Form: TypeAlias = Literal["NFC", "NFD"]


@pytest.mark.parametrize("written", ["NFC", "NFD"])
@pytest.mark.parametrize("read", ["NFC", "NFD"])
def test_accents_apart_from_their_letters_are_part_of_a_name(written: Form, read: Form) -> None:
    """Texts of PDF files, and file names of macOS, often have them so."""
    told = "He met José Müller in São Paulo."
    found = names(normalize(written, told))
    assert [normalize("NFC", one) for one in found] == ["José Müller", "São Paulo"]
    held = passages([normalize(read, told)])
    assert [held.has(one) for one in found] == [True, True]


def test_vowel_signs_are_part_of_a_word_with_a_capital() -> None:
    assert names("यह OSI-अनुरूप है") == ["OSI-अनुरूप"]
    assert names("कि4B") == ["कि4B"]
