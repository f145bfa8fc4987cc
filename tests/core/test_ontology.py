"""Entities, what is above them, and what they are to each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import Entity, Kinship, Ontology, UsageError


def of(**parents: str) -> Ontology:
    return Ontology(Entity(name, parents=tuple(up.split())) for name, up in parents.items())


def test_a_root_has_depth_1_and_the_longest_way_counts() -> None:
    found = of(root="", a="root", b="a", c="b root")
    assert [found.depth(one) for one in found] == [1, 2, 3, 4]
    assert found.deepest == 4
    assert found.lineage("c") == {"c", "b", "a", "root"}


def test_of_several_common_ancestors_the_deepest_is_the_lowest() -> None:
    found = of(root="", a="root", b="a", c="b root", d="b root")
    assert found.lowest_above_both("c", "d") == "b"
    assert found.lowest_above_both("c", "a") == "a"
    assert found.lowest_above_both("c", "c") == "c"


def test_nothing_joins_two_roots() -> None:
    found = of(a="", b="", a1="a", b1="b")
    assert found.roots == ("a", "b")
    assert found.lowest_above_both("a1", "b1") is None
    assert found.kinship("a", "b") is Kinship.OTHER


@pytest.mark.parametrize(
    ("one", "other", "kinship"),
    [
        ("a", "a", Kinship.SAME),
        ("root", "a", Kinship.PARENT),
        ("root", "c", Kinship.PARENT),
        ("a", "c", Kinship.ANCESTOR),
        ("c", "a", Kinship.DESCENDANT),
        ("c", "d", Kinship.SIBLING),
        ("a", "d", Kinship.SIBLING),
        ("x", "b", Kinship.OTHER),
        ("nobody", "a", Kinship.UNKNOWN),
        ("a", "nobody", Kinship.UNKNOWN),
    ],
)
def test_what_one_entity_is_to_another(one: str, other: str, kinship: Kinship) -> None:
    found = of(root="", a="root", b="a", c="b root", d="root", x="d")
    assert found.kinship(one, other) is kinship


def test_a_cycle_is_named_with_its_path() -> None:
    with pytest.raises(UsageError, match="above themselves: a -> c -> b -> a"):
        of(root="", a="c", b="a", c="b", below="a")
    with pytest.raises(UsageError, match="above themselves: a -> a"):
        of(a="a")


def test_a_long_cycle_is_cut_short() -> None:
    ring = {f"n{one:03}": f"n{(one + 1) % 500:03}" for one in range(500)}
    with pytest.raises(UsageError, match=r"n000 -> n001 -> .* -> \.\.\. -> n000$") as fault:
        of(**ring)
    assert len(str(fault.value)) < 150


def test_a_parent_that_is_no_entity_is_known_as_such() -> None:
    found = of(a="gone", b="gone a")
    assert found.unknown_parents == {"gone": ("a", "b")}
    assert found.roots == ("a",)
    assert found.parents("b") == ("a",)


def test_an_id_is_there_once() -> None:
    with pytest.raises(UsageError, match="'a' is the id of two entities"):
        Ontology([Entity("a"), Entity("a")])


def test_an_alias_stands_for_one_entity_alone() -> None:
    entities = [
        Entity("a", aliases=("old", "both", "b")),
        Entity("b", aliases=("both",)),
        Entity("c", parents=("old",)),
    ]
    found = Ontology(entities)
    assert [one in found for one in ("old", "both", "b", "nobody")] == [True, False, True, False]
    assert (found.canonical("old"), found.canonical("b"), found.canonical("nobody")) == (
        "a",
        "b",
        "nobody",
    )
    assert found.parents("c") == ("a",)
    assert found["old"].id == "a"


def test_names_are_found_whatever_their_capitals() -> None:
    found = Ontology([Entity("a", name="Acute  Pain"), Entity("b", synonyms=("acute pain", "x"))])
    assert found.named("ACUTE pain") == ("a", "b")
    assert found.named("pain") == ()


def test_a_chain_of_any_length_is_walked() -> None:
    many = 20_000
    chain = [Entity(str(one), parents=(str(one - 1),) if one else ()) for one in range(many)]
    found = Ontology(reversed(chain))
    assert found.depth(str(many - 1)) == len(found.lineage(str(many - 1))) == many


@settings(max_examples=50)
@given(st.lists(st.lists(st.integers(0, 30), max_size=3), min_size=1, max_size=30))
def test_what_is_above_is_less_deep_and_shared_both_ways(above: list[list[int]]) -> None:
    entities = [
        Entity(str(one), parents=tuple(str(up % one) for up in ups) if one else ())
        for one, ups in enumerate(above)
    ]
    found = Ontology(entities)
    for one in found:
        assert all(found.depth(up) < found.depth(one) for up in found.lineage(one) - {one})
        for other in found:
            lowest = found.lowest_above_both(one, other)
            assert lowest == found.lowest_above_both(other, one)
            if lowest is not None:
                assert found.depth(lowest) <= min(found.depth(one), found.depth(other))
                assert (found.depth(lowest) == found.depth(one)) == (lowest == one)
