"""Names that a text writes otherwise than the answer."""

from __future__ import annotations

import pytest

from ragproof.text.name_spellings import Spellings, proper


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("FTC", "the Federal Trade Commission"),
        ("U.S.", "the United States"),
        ("World Health Organization", "the WHO"),
        ("PDFs", "a PDF"),
        ("Dr. Smith", "treated by Smith"),
        ("President Obama", "Barack Obama"),
        ("Acme Inc.", "Acme grew"),
        ("New York City", "in New York"),
        ("Francois Hollande", "François Hollande"),
        ("Müller", "Frau Mueller"),
        ("Italian", "Italy's army"),
        ("Vertrag", "die Verträge"),
        ("Москве", "Москва"),
        ("Ministry of Finance", "the Finance Ministry"),
    ],
)
def test_a_name_is_known_in_another_spelling(name: str, text: str) -> None:
    assert Spellings((text,)).has(name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("SEC", "the Federal Trade Commission"),
        ("Ada Lovelace", "Ada Byron"),
        ("Киеве", "Москва"),
        ("Mars", "the Marsh"),
        ("Samsung", "Apple"),
        ("Mr. Jones", "Mr. Smith"),
    ],
)
def test_another_name_is_not(name: str, text: str) -> None:
    assert not Spellings((text,)).has(name)


def test_words_that_are_written_small_elsewhere_are_no_part_of_a_name() -> None:
    small = Spellings(("you can call the office",)).has_small
    assert proper("Call Ada Lovelace Office", small) == ["Ada Lovelace"]
    assert proper("Call Office", small) == []
