"""Numbers in words, by what grammars of these languages say of them."""

# ruff: noqa: RUF001  # signs of other scripts are what this is about

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.compound_numbers import COMPOUNDS, large
from ragproof.text.han_numerals import in_digits
from ragproof.text.number_words import number_words


def read(text: str, *, source: bool = False) -> list[float]:
    return [one.values[0] for one in number_words(text, source=source)]


WORDS = [
    ("twenty-one", 21),
    ("two hundred and five thousand three hundred and twelve", 205_312),
    ("nineteen eighty-nine", 1989),
    ("twenty twenty-four", 2024),
    ("two thousand million", 2e9),
    ("two and a half", 2.5),
    ("einundzwanzig", 21),
    ("dreiunddreissig", 33),
    ("siebzehnhundertfünfundsiebzig", 1775),
    ("einhunderteins", 101),
    ("hundertundzwei", 102),
    ("dreiundzwanzigtausendfünfhundert", 23_500),
    ("neunhundertneunundneunzigtausendneunhundertneunundneunzig", 999_999),
    ("zweieinhalb", 2.5),
    ("anderthalb", 1.5),
    ("vingt et un", 21),
    ("soixante-quinze", 75),
    ("soixante et onze", 71),
    ("quatre-vingts", 80),
    ("quatre-vingt-dix-sept", 97),
    ("septante-deux", 72),
    ("cent quatre-vingt-un", 181),
    ("mille neuf cent quatre-vingt-neuf", 1989),
    ("trois cent mille", 300_000),
    ("dix-sept", 17),
    ("veintiuno", 21),
    ("treinta y cinco", 35),
    ("ciento ochenta", 180),
    ("quinientas", 500),
    ("mil novecientos ochenta y nueve", 1989),
    ("veintitrés mil quinientos", 23_500),
    ("vinte e um", 21),
    ("cento e oitenta", 180),
    ("duzentos e cinquenta", 250),
    ("ventitré", 23),
    ("centottantuno", 181),
    ("duemilacinquecento", 2500),
    ("millenovecentottantanove", 1989),
    ("इक्कीस", 21),
    ("निन्यानवे", 99),
    ("तीन सौ पैंतीस", 335),
    ("डेढ़ लाख", 150_000),
    ("أحد عشر", 11),
    ("خمسة عشر", 15),
    ("خمسة وثلاثون", 35),
    ("مئة وخمسة وعشرون", 125),
    ("ثلاثمئة", 300),
    ("ألفان وثمانمائة", 2800),
]


@pytest.mark.parametrize(("words", "value"), WORDS)
def test_words_come_to_their_number(words: str, value: float) -> None:
    assert read(words) == [value]
    assert read(f"({words})") == [value]


@pytest.mark.parametrize(
    "text",
    [
        *("one and another", "un homme", "una mujer", "ein Haus", "um dia", "एक दिन", "أحد"),
        *("the second, then the third", "DOS and a quince", "once more", "he is due", "due 5"),
        *(
            "the sei whale",
            "Gib acht auf dich",
            "several thousand",
            "plusieurs mille",
            "im Viertel",
        ),
        *("tausendschön", "center", "recent", "Milan", "similar", "the last quarter", "pour cent"),
    ],
)
def test_other_words_are_no_numbers(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("the nineteenth century", [19.0]),
        ("the twenty-first", [21.0]),
        ("in the third quarter", [3.0]),
        ("im neunzehnten Jahrhundert", [19.0]),
        ("au dix-neuvième siècle", [19.0]),
        ("twice", [2.0]),
    ],
)
def test_a_source_has_numbers_of_a_row_to_which_no_answer_is_held(
    text: str, values: list[float]
) -> None:
    assert read(text, source=True) == values
    assert read(text) == []


def test_numbers_side_by_side_stay_apart() -> None:
    assert read("two, three and four; fünf oder sechs; cinco y seis") == [2, 3, 4, 5, 6, 5, 6]


@given(st.integers(2, 99))
def test_every_compound_below_a_hundred_is_there_in_both_languages(number: int) -> None:
    assert sum(value == number for value in COMPOUNDS.values()) >= 2


def test_words_with_the_letters_of_a_hundred_are_other_words() -> None:
    assert large(["percent", "center", "hundertwasser", "recent", "cent", "tausendschön"]) == {}


GERMAN = {21: "einundzwanzig", 300: "dreihundert", 999: "neunhundertneunundneunzig", 12: "zwölf"}


@given(st.sampled_from([*GERMAN]), st.sampled_from([*GERMAN]), st.sampled_from(["", "und"]))
def test_thousands_are_put_together(high: int, low: int, joint: str) -> None:
    assert read(f"{GERMAN[high]}tausend{joint}{GERMAN[low]}") == [1000 * high + low]


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("三十五人", "35人"),
        ("二〇二四年三月五日", "2024年3月5日"),
        ("一亿五千万", "150000000"),
        ("两万三", "23000"),
        ("一千零五", "1005"),
        ("1万5千円", "15000円"),
        ("百分之三点五", "3.5%"),
        ("三分之二", "2/3"),
        ("七成的人", "70%的人"),
        ("二十世纪九十年代", "20世纪90年代"),
        ("一些人十分小心，千万不要统一三国，几十人", "一些人十分小心，千万不要统一三国，几十人"),
        ("1.5亿", "1.5亿"),
        ("plain text", "plain text"),
    ],
)
def test_chinese_numerals_are_put_into_digits(text: str, digits: str) -> None:
    assert in_digits(text) == digits


@given(st.text(alphabet="一二三四五六七八九十百千万亿零〇两几第点分之年人0123456789 ", max_size=12))
def test_any_run_of_numerals_can_be_read_and_other_text_stays(text: str) -> None:
    assert in_digits(f"甲{text}乙").startswith("甲")
    assert in_digits(f"甲{text}乙").endswith("乙")


@given(st.integers(11, 99_999_999))
def test_a_written_number_is_read_back(number: int) -> None:
    assert in_digits(f"共{written(number)}人") == f"共{number}人"


def written(number: int) -> str:
    """As Chinese writes it."""
    if number >= 10_000:
        high, low = divmod(number, 10_000)
        zero = "零" if 0 < low < 1000 else ""
        return written(high) + "万" + (zero + written(low) if low else "")
    said, gap = "", False
    for size, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, size)
        if digit:
            said += ("零" if gap and said else "") + "零一二三四五六七八九"[digit] + sign
            gap = False
        else:
            gap = bool(said)
    return said
