"""Queries are drawn from a log so that every intent has some, and weights tell of the traffic."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sets import lines

from ragproof.core import QuestionCase, UsageError
from ragproof.datasets import load
from ragproof.datasets.clusters import clusters
from ragproof.datasets.sample import Allocation, Query, draw
from ragproof.wiring.dataset_sample import SampleRequest, sampled

LOG = [Query(f"{name}{at}", f"{name} number {at}?", name) for name, n in
       (("a", 80), ("b", 18), ("c", 2)) for at in range(n)]  # fmt: skip


def drawn(allocation: Allocation, places: int = 20) -> dict[str, int]:
    return {one.name: one.drawn for one in draw(LOG, places, allocation).strata}


def test_places_are_dealt_as_asked_and_every_intent_gets_one() -> None:
    assert drawn(Allocation.PROPORTIONAL) == {"a": 16, "b": 3, "c": 1}
    assert drawn(Allocation.EQUAL) == {"a": 9, "b": 9, "c": 2}
    assert drawn(Allocation.SQUARE_ROOT) == {"a": 12, "b": 6, "c": 2}
    assert drawn(Allocation.PROPORTIONAL, 500) == {"a": 80, "b": 18, "c": 2}


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 6)), min_size=2), st.integers(2, 9))
@settings(max_examples=50)
def test_the_weights_of_an_intent_add_up_to_its_traffic(
    log: list[tuple[str, int]], places: int
) -> None:
    queries = [Query(str(at), f"{name}{n}", name) for at, (name, n) in enumerate(log)]
    found = draw(queries, places)
    for one in found.strata:
        weights = [each.weight for each in found.drawn if each.query.stratum == one.name]
        assert sum(weights) == pytest.approx(one.traffic)


def test_the_draw_depends_on_the_seed_and_not_on_the_order_of_the_log() -> None:
    names = [[one.query.id for one in draw(LOG, 10, seed=seed).drawn] for seed in (0, 1)]
    assert names[0] != names[1]
    assert [one.query.id for one in draw(LOG[::-1], 10).drawn] == names[0]


def test_clusters_part_what_is_worded_apart() -> None:
    texts = [f"when is the pump seal {one} replaced" for one in "abcdef"]
    texts += [f"which invoice did customer {one} pay" for one in "abcdef"]
    found = clusters(texts, 2)
    assert len({*found[:6]}) == len({*found[6:]}) == 1
    assert found[0] != found[6]
    assert clusters(["same", "same"], 5) == [0, 0]


def test_drawn_cases_wait_for_their_answers_and_keep_weight_and_session(tmp_path: Path) -> None:
    log = lines(
        tmp_path / "log.jsonl",
        {"query": "When?", "area": "pumps", "session_id": "s1"},
        {"query": "when", "area": "pumps", "session_id": "s2"},
        {"query": "Who?", "area": None},
        {"note": "no question"},
    )
    out = tmp_path / "o.jsonl"
    found = sampled(SampleRequest(log=log, out=out, places=5, stratify="area"))
    assert (found.traffic, found.unread) == (3, 1)
    first, second = load(out).cases[::-1]
    assert isinstance(first, QuestionCase)
    assert (first.tags, first.group) == ({"intent": "pumps", "judged": "no"}, "s1")
    assert first.metadata["sampling"] == {"stratum": "pumps", "weight": 2.0, "asked": 2, "seed": 0}
    assert second.tags["intent"] == "(none)"
    with pytest.raises(UsageError, match="one of the two"):
        sampled(SampleRequest(log=log, out=out, places=5))
    with pytest.raises(UsageError, match="has a column 'aera'"):
        sampled(SampleRequest(log=log, out=out, places=5, stratify="aera"))
