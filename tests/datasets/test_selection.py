"""Which cases a run takes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import CaseKind, QuestionCase, Split, UsageError
from ragproof.datasets import select


def cases(*tags: str, split: Split | None = None) -> list[QuestionCase]:
    return [
        QuestionCase(id=f"q{i}", question="?", tags={"t": tag} if tag else {}, split=split)
        for i, tag in enumerate(tags)
    ]


def ids(chosen: tuple[object, ...]) -> list[str]:
    return [case.id for case in chosen if isinstance(case, QuestionCase)]


def test_without_a_choice_all_cases_are_taken() -> None:
    given_cases = cases("a", "b")
    assert select(given_cases) == tuple(given_cases)


def test_a_limit_takes_the_first() -> None:
    assert ids(select(cases("a", "a", "a"), limit=2)) == ["q0", "q1"]
    assert len(select(cases("a"), limit=9)) == 1


def test_a_split_takes_its_cases_only() -> None:
    release = QuestionCase(id="r", question="?", split=Split.RELEASE)
    both = [*cases("a", "b"), release]
    assert select(both, split="release") == (release,)
    assert select(both, split="release", limit=5) == (release,)


def test_an_unknown_or_empty_split_says_what_there_is() -> None:
    with pytest.raises(UsageError, match=r"got 'relase'; allowed: .*Did you mean 'release'\?"):
        select(cases("a"), split="relase")
    with pytest.raises(UsageError, match="no case is of split 'release'; the dataset has: none"):
        select(cases("a"), split="release")
    with pytest.raises(UsageError, match="the dataset has: monitoring"):
        select(cases("a", split=Split.MONITORING), split="release")


@pytest.mark.parametrize("number", [0, -1])
def test_fewer_than_one_case_is_an_error(number: int) -> None:
    with pytest.raises(UsageError, match=f"limit: got {number}"):
        select(cases("a"), limit=number)
    with pytest.raises(UsageError, match=f"sample: got {number}"):
        select(cases("a"), sample=number)


def test_limit_and_sample_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="give one of them"):
        select(cases("a"), limit=1, sample=1)


def test_places_go_to_strata_in_proportion() -> None:
    # 6, 3 and 1 of 10 cases for 5 places: shares 3, 1.5 and 0.5
    for seed in range(20):
        taken = Counter(
            case.tags["t"] for case in select(cases(*"aaaaaabbbc"), sample=5, seed=seed)
        )
        assert taken in ({"a": 3, "b": 2}, {"a": 3, "b": 1, "c": 1})


def test_kinds_keep_their_share_where_every_case_has_tags_of_its_own() -> None:
    mixed = [
        QuestionCase(
            id=str(i),
            question="?",
            kind=CaseKind.UNANSWERABLE if i % 6 == 0 else CaseKind.QA,
            tags={"topic": str(i)},
        )
        for i in range(60)
    ]
    for seed in range(20):
        taken = Counter(case.kind for case in select(mixed, sample=6, seed=seed))
        assert taken == {CaseKind.QA: 5, CaseKind.UNANSWERABLE: 1}


def test_every_case_has_the_same_chance() -> None:
    # 4 of 10 cases: over 2,000 seeds each is expected 800 times, standard deviation 22
    many = cases(*"aaaaaabbbc")
    taken = Counter(case.id for seed in range(2_000) for case in select(many, sample=4, seed=seed))
    assert all(690 < taken[case.id] < 910 for case in many)


def test_kinds_are_strata_too() -> None:
    mixed = [
        QuestionCase(id=str(i), question="?", kind=CaseKind.UNANSWERABLE if i % 2 else CaseKind.QA)
        for i in range(20)
    ]
    assert Counter(case.kind for case in select(mixed, sample=4)) == {
        CaseKind.QA: 2,
        CaseKind.UNANSWERABLE: 2,
    }


TAGS = st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=1, max_size=60)


@given(TAGS, st.integers(1, 70), st.integers(0, 5))
def test_a_sample_has_its_size_keeps_the_order_and_is_the_same_again(
    tags: list[str], places: int, seed: int
) -> None:
    given_cases = cases(*tags)
    chosen = select(given_cases, sample=places, seed=seed)
    assert len(chosen) == min(places, len(given_cases))
    assert chosen == tuple(case for case in given_cases if case in chosen)
    backwards = select(given_cases[::-1], sample=places, seed=seed)
    assert set(ids(backwards)) == set(ids(chosen))


@given(TAGS, st.integers(1, 60))
def test_no_stratum_is_further_than_one_place_from_its_share(tags: list[str], places: int) -> None:
    chosen = select(cases(*tags), sample=places)
    taken = Counter(case.tags.get("t", "") for case in chosen)
    for tag, size in Counter(tags).items():
        share = Fraction(size * min(places, len(tags)), len(tags))
        assert abs(taken[tag] - share) < 1


def test_another_seed_takes_other_cases() -> None:
    many = cases(*"a" * 100)
    assert len({tuple(ids(select(many, sample=5, seed=seed))) for seed in range(10)}) == 10
