"""A dataset is divided so that nothing related is torn apart, and stays as it was divided."""

from __future__ import annotations

from collections import Counter

import pytest
from sets import asked

from ragproof.core import Case, Split, UsageError
from ragproof.datasets.split import Division, Tie, divide, retire, shares_of

DEV, RELEASE = Split.DEVELOPMENT, Split.RELEASE
HALF = {DEV: 0.5, RELEASE: 0.5}


def many(number: int, a_group: int = 3) -> list[Case]:
    return [
        asked(f"c{at}", group=f"g{at // a_group}", tags={"intent": f"i{at // a_group % 4}"})
        for at in range(number)
    ]


def placed(division: Division) -> dict[str, Split | None]:
    return {case.id: case.split for case in division.cases}


def test_a_group_stays_together_and_the_shares_are_near() -> None:
    found = divide(many(3000))
    groups: dict[str | None, set[Split | None]] = {}
    for case in found.cases:
        groups.setdefault(case.group, set()).add(case.split)
    assert {len(splits) for splits in groups.values()} == {1}
    counts = found.counts()
    assert counts[DEV] == pytest.approx(1500, abs=150)
    assert counts[Split.CALIBRATION] == pytest.approx(450, abs=120)
    assert Split.MONITORING not in counts


def test_cases_that_are_added_or_reordered_move_nothing() -> None:
    few, more = divide(many(300)), divide(list(reversed(many(600))))
    assert placed(few).items() <= placed(more).items()


def test_strata_get_their_shares_exactly_and_what_was_placed_stays() -> None:
    first = divide(many(240, 1), HALF, strata=("intent",))
    told = Counter((case.tags["intent"], case.split) for case in first.cases)
    assert set(told.values()) == {30}
    again = divide([*first.cases, *many(480, 1)[240:]], HALF, strata=("intent",))
    assert placed(first).items() <= placed(again).items()
    assert Counter(case.split for case in again.cases) == {DEV: 240, RELEASE: 240}
    assert again.kept == 240


def test_variants_equal_questions_and_shared_sources_go_together() -> None:
    cases: list[Case] = []
    for at in range(60):
        cases.append(asked(f"a{at}", f"number {at}?", expected_source_ids=(f"d{at}",)))
        cases.append(asked(f"v{at}", f"which is {at}?", variant_of=f"a{at}"))
        cases.append(asked(f"e{at}", f"NUMBER {at}"))
        cases.append(asked(f"s{at}", f"other {at}?", expected_source_ids=(f"d{at}",)))
    found = placed(divide(cases, HALF, ties=frozenset({Tie.GROUP, Tie.SOURCE})))
    for at in range(60):
        assert len({found[f"{kind}{at}"] for kind in "aves"}) == 1
    assert set(found.values()) == {DEV, RELEASE}


def test_a_group_that_has_a_split_draws_its_new_cases_into_it() -> None:
    old = [asked(f"o{at}", group=f"g{at}", split=RELEASE) for at in range(20)]
    new = [asked(f"n{at}", group=f"g{at}") for at in range(20)]
    assert set(placed(divide([*new, *old], HALF)).values()) == {RELEASE}


def test_a_group_that_was_torn_before_is_named_and_left() -> None:
    cases = [asked("a", group="g", split=DEV), asked("b", group="g", split=RELEASE)]
    found = divide([*cases, asked("c", group="g")])
    assert found.torn == (("a", "b", "c"),)
    assert placed(found) == {"a": DEV, "b": RELEASE, "c": DEV}


def test_an_earlier_version_says_where_its_cases_were() -> None:
    earlier = {f"c{at}": RELEASE for at in range(50)}
    found = divide(many(50), HALF, earlier=earlier)
    assert set(placed(found).values()) == {RELEASE}
    assert found.kept == 50


def test_release_cases_that_guided_a_choice_become_development_with_their_group() -> None:
    cases = [
        asked("a", group="g", split=RELEASE),
        asked("b", group="g", split=RELEASE),
        asked("c", split=RELEASE),
        asked("d", split=Split.CALIBRATION),
    ]
    changed, moved = retire(cases, {"a": "run1", "d": "run1"})
    assert moved == ("a", "b")
    assert [case.split for case in changed] == [DEV, DEV, RELEASE, Split.CALIBRATION]
    assert changed[0].metadata == {"retired": {"from": "release", "run": "run1"}}
    assert [case.split for case in divide(changed).cases] == [case.split for case in changed]


@pytest.mark.parametrize(
    "text", ["dev=1", "development=x", "development=-1,release=2", "release=0"]
)
def test_shares_that_mean_nothing_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--shares"):
        shares_of(text)


def test_a_tag_that_no_case_has_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no case has the tag 'intnet'.*Did you mean 'intent'"):
        divide(many(9), strata=("intnet",))
