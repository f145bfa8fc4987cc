"""Which quantities a text has, and which follow from which."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.text.quantities import (
    Quantity,
    follows,
    in_words,
    known,
    quantities,
    stands_in,
)


def told(text: str) -> list[tuple[str, tuple[float, ...], str | None]]:
    return [(one.text, one.values, one.unit) for one in quantities(text, answer=True)]


def supported(answer: str, context: str) -> list[bool]:
    held = [*known(context), *in_words(context)]
    return [follows(one, held) is not None for one in quantities(answer, answer=True)]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1,234.5", 1234.5, None),
        ("1.234,5 km", 1_234_500.0, "m"),
        ("en 2020 il y a 12,5 %", 12.5, "%"),
        ("1,00,000 rupees", 100_000.0, "INR"),
        ("$1.5 million", 1_500_000.0, "USD"),
        ("-5 °C", -5.0, "°C"),
        ("41 °F", 5.0, "°C"),
        ("5 MW", 5e6, "W"),
        ("5万円", 50_000.0, "JPY"),
        ("\u0665 %", 5.0, "%"),
        ("2:30 pm", 870.0, "clock"),
        ("a 30-year-old", 360.0, "month"),
        ("two hundred and five", 205.0, None),
        ("mid-1990s", 1990.0, None),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, value: float, unit: str | None) -> None:
    _, values, base = told(text)[-1]
    assert values == pytest.approx((value,))
    assert base == unit


@pytest.mark.parametrize(
    "text", ["GPT-4", "H2O", "COVID-19", "3D", "v2.1", "1.2.3", "[1]", "[2, 3]", "1. First", "one"]
)
def test_digits_of_names_markers_and_lists_are_no_quantities(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("24 months", "two years"),
        ("2 years", "24 months"),
        ("1,500 m", "1.5 km"),
        ("10 mg", "10-20 mg"),
        ("50 %", "half of them"),
        ("1.2 million", "1,234,567"),
        ("March 2024", "2024-03-05"),
        ("March 5, 2024", "5. März 2024"),
        ("2024年3月5日", "5 March 2024"),
        ("in 2024", "on 5 March 2024"),
        ("14:30", "2:30 p.m."),
        ("$40", "Price (USD): 40"),
        ("\u00a33bn", "3 billion pounds"),
        ("3\u00bd hours", "3.5 hours"),
        ("3 1/2 hours", "210 minutes"),
        ("\u00bd of them", "half of them"),
        ("minus 5 °C", "-5 °C"),
        ("two dozen", "24"),
        ("05/06/2024", "5 June 2024"),
        ("05/06/2024", "May 6, 2024"),
    ],
)
def test_what_says_the_same_follows(answer: str, context: str) -> None:
    assert supported(answer, context) == [True]


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("5 g", "5 mg"),
        ("3 m", "3.2 m"),
        ("30 days", "one month"),
        ("6 March 2024", "5 March 2024"),
        ("5 March 2024", "March 2024"),
        ("1995", "1994"),
        ("15", "115 or 1.5"),
        ("5 km", "-5 km"),
        ("5 °C", "minus 5 °C"),
        ("05/06/2024", "06/05/2024"),
        ("05/06/2024", "5 July 2024"),
        ("\u00a33", "3 kg"),
        ("\u00bd kg", "2 kg"),
    ],
)
def test_what_says_something_else_does_not(answer: str, context: str) -> None:
    assert supported(answer, context) == [False]


@given(st.text(max_size=60))
@settings(max_examples=50)
def test_any_text_can_be_read_and_follows_from_itself(text: str) -> None:
    for one in quantities(text):
        assert follows(one, known(text)) is not None


@given(st.integers(0, 10**9), st.sampled_from(["km", "%", "years", "mg"]))
@settings(max_examples=50)
def test_what_stands_there_as_it_is_follows_the_slow_way_too(number: int, unit: str) -> None:
    [one] = quantities(f"{number} {unit}")
    text = f"It has {number} {unit} of it."
    assert not stands_in(one, text) or follows(one, known(text)) is not None
    assert isinstance(one, Quantity)
