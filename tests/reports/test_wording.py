from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core.spec import Unit
from ragproof.reports.wording import figure, inert, one_line


@given(st.text(st.characters()))
def test_inert_text_obeys_nothing_and_can_be_encoded(text: str) -> None:
    shown = inert(text)
    shown.encode("utf-8")
    assert not any(unicodedata.category(one) in {"Cc", "Cs", "Zl", "Zp"} for one in shown)
    assert not any(unicodedata.bidirectional(one) in {"RLO", "LRO", "RLI"} for one in shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\u202eb", "a\\u202eb"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("Größe 你好 👩\u200d🔬", "Größe 你好 👩\u200d🔬"),
    ],
)
def test_what_would_act_is_written_as_an_escape(text: str, shown: str) -> None:
    assert inert(text) == shown


@given(st.text(st.characters()), st.integers(4, 80))
def test_one_line_is_one_line_of_at_most_that_length(text: str, length: int) -> None:
    line = one_line(text, length)
    assert len(line) <= length
    assert len(line.splitlines()) <= 1


@given(st.floats(0, 1))
def test_a_fraction_reads_as_an_end_only_when_it_is_one(value: float) -> None:
    shown = figure(value, Unit.FRACTION)
    if value not in {0.0, 1.0}:
        assert float(shown) not in {0.0, 1.0} or 1 - value < 1e-8
    assert float(shown) == pytest.approx(value, abs=0.00501)


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.0, Unit.FRACTION, "0.00"),
        (-0.0, Unit.DIFFERENCE, "0.00"),
        (-0.25, Unit.DIFFERENCE, "-0.25"),
        (0.9999, Unit.FRACTION, "0.9999"),
        (0.0, Unit.SECONDS, "0 s"),
        (0.0042, Unit.SECONDS, "4.20 ms"),
        (1234.5, Unit.SECONDS, "1,234 s"),
        (0.00123, Unit.USD, "$0.0012"),
        (3.5, Unit.USD, "$3.50"),
        (1200.0, Unit.COUNT, "1,200"),
        (2.25, Unit.COUNT, "2.25"),
    ],
)
def test_a_value_is_written_with_its_unit(value: float, unit: Unit, shown: str) -> None:
    assert figure(value, unit) == shown
