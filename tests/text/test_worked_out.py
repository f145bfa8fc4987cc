"""What an answer works out before the reader's eyes."""

from __future__ import annotations

import pytest

from ragproof.text.numbering import counts_its_list, without_numbering
from ragproof.text.quantities import quantities
from ragproof.text.quantity import Quantity
from ragproof.text.worked_out import worked_out


def made(answer: str, text: str) -> tuple[str, str] | None:
    one = next(one for one in quantities(answer, answer=True) if one.text == text)
    return worked_out(one, answer, lambda other: other.text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("120 men and 80 women, 200 in all.", "200"),
        ("From $10 million to $12 million, by 20 %.", "20 %"),
        ("From $10 million to $12 million, by $2 million.", "$2 million"),
        ("Of 200 people 50 declined, 25 %.", "25 %"),
        ("From 1879 to 1955 he lived 76 years.", "76 years"),
        ("From 14:30 to 16:00, so 90 minutes.", "90 minutes"),
        ("From 5 March 2024 to 8 March 2024, 3 days.", "3 days"),
        ("From 8.1% to 7.2%, 0.9 points.", "0.9"),
    ],
)
def test_sums_differences_changes_and_shares_follow(answer: str, text: str) -> None:
    assert made(answer, text) is not None


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("From $10 million to $12 million, by 35 %.", "35 %"),
        ("120 men and 80 women, 250 in all.", "250"),
        ("120 men and 80 women. There are 200.", "200"),
        ("From 1879 to 1955 he lived 67 years.", "67 years"),
        ("5 kg and 3 m make 8 m.", "8 m"),
    ],
)
def test_what_is_worked_out_wrongly_or_elsewhere_does_not(answer: str, text: str) -> None:
    assert made(answer, text) is None


def test_both_have_to_follow_from_the_source() -> None:
    answer = "120 men and 80 women, 200 in all."
    [*_, whole] = quantities(answer, answer=True)

    def only_one(other: Quantity) -> str | None:
        return other.text if other.text == "120" else None

    assert worked_out(whole, answer, only_one) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("1. Red 2. Old 3. Big", ["Red", "Old", "Big"]),
        ("1) mix 2) bake", ["mix", "bake"]),
        ("  1. Red\n  2. Old", ["Red", "Old"]),
        ("Step 1: mix. See passages 2 and 3, 24/7.", ["Step", "mix"]),
    ],
)
def test_numbers_that_only_number_are_blanked(text: str, left: list[str]) -> None:
    plain = without_numbering(text)
    assert len(plain) == len(text)
    assert not any(map(str.isdigit, plain))
    assert all(one in plain for one in left if one != "Step")


def test_a_number_that_counts_something_stays() -> None:
    assert without_numbering("It took 5. Then 7. Not 2 of them.") == (
        "It took 5. Then 7. Not 2 of them."
    )


def test_a_number_of_listed_things_is_told_by_the_colon() -> None:
    assert counts_its_list("There are two plans: A, B.", 13, 2.0)
    assert not counts_its_list("It has two wheels.", 10, 2.0)
    assert not counts_its_list("Of 500 plans, some: A.", 6, 500.0)
