"""What `bench.entailment_model` makes its examples by: sentences changed, shortened, parted."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.entailment_contrasts import (
    CHANGES,
    OPPOSITE,
    added,
    changed,
    changed_figure,
    denied,
    reworded,
    shortened,
    spliced,
    swapped_name,
    turned,
)
from bench.entailment_model import BATCH, Example, batches, parted, rate
from bench.entailment_pairs import Passage, stretches

SAID = "In 1994 the mayor of Paris (a lawyer) opened the older bridge, which was built by Eiffel."
OTHERS = ["The school in Lyon was closed in 2003.", "Marie Curie won the prize in 1911."]


def test_a_name_is_replaced_by_one_of_another_sentence() -> None:
    told = swapped_name("Paris is old.", ["Lyon has a harbour."], Random(1))
    assert told == "Lyon is old."


@pytest.mark.parametrize("seed", range(20))
def test_a_figure_is_changed_and_nothing_else(seed: int) -> None:
    told = changed_figure("It has 1,250 rooms.", OTHERS, Random(seed))
    assert told is not None
    head, figure, tail = told.partition(" rooms")[0].rpartition(" ")[0], told.split()[2], told[-7:]
    assert (head, tail) == ("It has", " rooms.")
    assert figure != "1,250"
    assert len(figure) == len("1,250")


def test_a_denial_is_made_or_taken_back() -> None:
    assert denied("It was not built.", (), Random(1)) == "It was built."
    assert denied("It isn't old.", (), Random(1)) == "It is old."
    assert denied("Cats purr.", (), Random(1)) is None


def test_an_opposite_leads_back() -> None:
    assert all(OPPOSITE[other] for other in OPPOSITE.values())
    assert turned("More rain fell.", (), Random(1)) == "Less rain fell."


def test_a_splice_says_of_one_what_was_said_of_another() -> None:
    told = spliced("The bridge was built by Eiffel.", ["The school was closed."], Random(1))
    assert told == "The bridge was closed."


def test_a_detail_of_another_sentence_is_added() -> None:
    told = added("The bridge was opened.", ["It rained in 2003."], Random(1))
    assert told == "The bridge was opened in 2003."


@pytest.mark.parametrize("change", CHANGES)
def test_without_a_hold_there_is_no_change(change: object) -> None:
    assert callable(change)
    assert change("purr", (), Random(1)) is None


@given(st.integers(0, 10_000))
def test_a_change_says_something_else_and_is_the_same_by_the_same_seed(seed: int) -> None:
    told = changed(SAID, OTHERS, Random(seed))
    assert told is not None
    assert told.lower() != SAID.lower()
    assert told == changed(SAID, OTHERS, Random(seed))


@given(st.integers(0, 10_000))
def test_what_is_left_of_a_sentence_stands_in_it(seed: int) -> None:
    kept = shortened(SAID, Random(seed)).rstrip(".").lower()
    rest = iter(SAID.lower().replace("(", "").replace(")", "").replace(",", "").rstrip(".").split())
    words = kept.replace("(", "").replace(")", "").replace(",", "").split()
    assert len(words) >= 5
    assert all(word in rest for word in words)  # in this order


def test_a_pronoun_gives_way_to_the_title() -> None:
    assert "Marie Curie won it." in {
        reworded("She won it.", "Marie Curie", Random(seed)) for seed in range(9)
    }


def test_a_passage_is_cut_about_the_sentences_that_matter() -> None:
    passage = Passage("T", ("a b", "c d", "e f", "g h", "i j"))
    assert passage.around("e f", words=1).sentences == ("c d", "e f", "g h")
    assert passage.around("e f", words=100).sentences == passage.sentences
    assert passage.text("c d") == "T\na b e f g h i j"


def test_the_same_text_is_known_again_where_it_is_cut_otherwise() -> None:
    words = " ".join(f"w{n}" for n in range(30))
    assert stretches([words]) & stretches([words[20:70].upper()])
    assert not stretches(["w1 w2 w3"])


@given(st.lists(st.integers(1, 300), min_size=1, max_size=400))
def test_every_example_is_in_one_batch(lengths: Sequence[int]) -> None:
    made = batches(lengths, Random(1))
    assert sorted(place for one in made for place in one) == list(range(len(lengths)))
    assert max(map(len, made)) <= BATCH


@given(st.integers(2, 5000))
def test_the_rate_rises_and_falls_to_almost_nothing(steps: int) -> None:
    rates = [rate(step, steps) for step in range(steps)]
    top = rates.index(max(rates))
    assert rates[: top + 1] == sorted(rates[: top + 1])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert min(rates) > 0
    assert max(rates) <= 1


def test_no_text_is_first_both_in_what_is_learnt_and_in_what_is_kept() -> None:
    known = [Example(f"p{n // 3}", "h", n % 2 == 0, "s") for n in range(300)]
    learnt, kept = parted(known, Random(1))
    assert len(learnt) + len(kept) == 300
    assert not {one.first for one in learnt} & {one.first for one in kept}
    assert kept
