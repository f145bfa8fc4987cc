"""What is the same answer, and what is another, in many scripts."""
# ruff: noqa: RUF001  characters that look like others are what is tested

from __future__ import annotations

import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.answer_tokens import ARTICLES, answer_tokens

texts = st.text(st.characters(codec=None, exclude_categories=()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＡＢＣ　１２３", "abc 123"),
        ("\ufb01ne", "FINE"),
        ("STRASSE", "Straße"),
        ("ΟΔΟΣ", "οδος"),
        ("Rock\u00b4n\u00b4Roll", "Rock'n'Roll"),
        ("ThinkPad\u2122 X1", "ThinkPad X1"),
        ("20 \u2103", "20 °C"),
        ("5\u338f", "5kg"),
        ("\u3231", "株"),
        ("1\ufe0f\u20e3", "1"),
        ("yes 👍🏽", "Yes"),
        ("m\u00b2", "m2"),
        ("\u2460\u2461", "12"),
        ("٣٠٨", "308"),
        ("३०८", "308"),
        ("๓๐๘", "308"),
        ("محـمد", "محمد"),
        ("مي\u200cخواهم", "ميخواهم"),
        ("\u200eשלום\u200f", "שלום"),
        ("«oui»", "oui"),
        ("¿Qué?", "qué"),
        ("東京、大阪。", "東京大阪"),
        ("カード", "ｶｰﾄﾞ"),
        ("卡万·肖特", "卡万肖特"),
        ("한글", unicodedata.normalize("NFD", "한글")),
        ("क़", "क\u093c"),
        ("\ufee3\ufea4\ufee4\ufeaa", "محمد"),
    ],
)
def test_typography_makes_no_difference(one: str, other: str) -> None:
    assert answer_tokens(one) == answer_tokens(other) != []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("resume", "résumé"),
        ("कि", "की"),
        ("عِلم", "عَلم"),
        ("ก่อน", "กอน"),
        ("がく", "かく"),
        ("は", "ハ"),
        ("шесть", "шест"),
        ("mañana", "manana"),
        ("the", "a"),
        ("+", "-"),
        ("the +", "+"),
    ],
)
def test_what_carries_meaning_is_kept(one: str, other: str) -> None:
    assert answer_tokens(one) != answer_tokens(other)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("只丢了 308分", ["只", "丢", "了", "308", "分"]),
        ("iPhone 15を買う", ["iphone", "15", "を", "買", "う"]),
        ("𠮷野家", ["𠮷", "野", "家"]),
        ("ก่อนเข้า", ["ก่", "อ", "น", "เ", "ข้", "า"]),
        ("မြန်မာ", ["မြ", "န်", "မာ"]),
        ("ខ្មែរ", ["ខ្", "មែ", "រ"]),
        ("ລາວ", ["ລ", "າ", "ວ"]),
        ("བོད་ཡིག", ["བོ", "ད", "ཡི", "ག"]),
        ("ㄅㄆㄇ", ["ㄅ", "ㄆ", "ㄇ"]),
        ("한국어는 쉽다", ["한국어는", "쉽다"]),
        ("पैंथर्स की टीम", ["पैंथर्स", "की", "टीम"]),
        ("مُحَمَّد نبي", ["مُحَمَّد", "نبي"]),
        ("đường phố", ["đường", "phố"]),
    ],
)
def test_a_token_is_a_word_or_a_character_as_the_script_has_it(
    text: str, tokens: list[str]
) -> None:
    assert answer_tokens(text) == [unicodedata.normalize("NFC", one) for one in tokens]


def test_what_is_taken_out_of_ascii_is_what_squad_takes_out() -> None:
    kept = {char for char in map(chr, range(128)) if answer_tokens(f"x{char}y") != ["xy"]}
    assert {chr(code) for code in range(33, 127)} - kept == set(string.punctuation)


@pytest.mark.parametrize("text", ["", " \t\n", "\u200b", "\u3000\u00ad", "\u034f"])
def test_what_shows_nothing_has_no_tokens(text: str) -> None:
    assert answer_tokens(text) == []


@given(text=texts)
def test_nothing_but_what_shows_nothing_has_no_tokens(text: str) -> None:
    shown = [one for one in text if unicodedata.category(one)[0] in "LNPS"]
    if any(unicodedata.normalize("NFKC", one).strip() for one in shown if one not in "\u0640ᅟᅠㅤﾠ"):
        assert answer_tokens(text)


@given(text=texts)
def test_tokens_are_left_as_they_are(text: str) -> None:
    tokens = answer_tokens(text)
    assert answer_tokens(" ".join(tokens)) == tokens


@given(text=texts)
def test_a_token_has_no_space_and_is_not_empty(text: str) -> None:
    tokens = answer_tokens(text)
    assert all(one and one.split() == [one] for one in tokens)


@given(text=st.text(st.characters(categories=("L", "N"))), sign=st.sampled_from("!?.,;:-»“”'"))
def test_case_signs_and_the_space_around_do_not_matter(text: str, sign: str) -> None:
    plain = answer_tokens(text)
    if plain and not ARTICLES & {*plain}:
        assert answer_tokens(f"  {sign}{text}{sign}\n") == plain
        assert answer_tokens(text.casefold()) == plain


@given(text=texts)
def test_canonical_forms_are_the_same(text: str) -> None:
    composed, taken_apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    if not any(unicodedata.category(one)[0] in "PS" for one in taken_apart):
        assert answer_tokens(composed) == answer_tokens(taken_apart)


def test_a_long_text_takes_no_longer_by_the_character() -> None:
    text = "พันธุ์ ก่อน 黑豹队 the quick! « brown » fox… " * 25_000
    assert len(answer_tokens(text)) == 25_000 * len(answer_tokens(text[: len(text) // 25_000]))
