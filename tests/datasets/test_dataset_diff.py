"""Two versions of a dataset are told apart case by case; one is shown at a glance."""

from __future__ import annotations

from sets import asked

from ragproof.core import Split
from ragproof.datasets.diff import difference
from ragproof.datasets.overview import overview


def test_added_removed_renamed_and_relabelled_cases_are_told_apart() -> None:
    before = [asked("a"), asked("b"), asked("c", "same?"), asked("d"), asked("e")]
    after = [
        asked("a", expected_answer="another"),
        asked("b", split=Split.RELEASE),
        asked("z", "same?"),
        asked("e"),
        asked("n"),
    ]
    found = difference(before, after)
    assert (found.added, found.removed, dict(found.renamed)) == (("n",), ("d",), {"c": "z"})
    assert [one.id for one in found.changed] == ["a", "b"]
    assert found.relabelled == ("a",)
    assert found.changed[1].fields == {"split": (None, "release")}
    assert found.same == 1


def test_a_dataset_does_not_differ_from_itself_in_another_order() -> None:
    cases = [asked("a"), asked("b", tags={"x": "y"})]
    assert difference(cases, cases[::-1]).is_none


def test_a_glance_counts_kinds_splits_tags_and_labels() -> None:
    found = overview([asked("a", tags={"x": "1"}, group="g"), asked("b", group="g"), asked("c")])
    assert (found.cases, found.groups, found.splits) == (3, 2, {"none": 3})
    assert found.tags == {"x": {"1": 1}}
    assert found.labels == {"expected_answer": 3}
