"""Which id a framework's document gets, and where it is from."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.adapters.passages import KEYS, Passages
from ragproof.core import AdapterError

NAMES = st.text("abc", min_size=1)


def made(metadata: dict[str, Any], own_id: object = None, **more: Any) -> dict[str, Any]:
    keys = {name: more.pop(name) for name in KEYS if name in more}
    return Passages.of(keys).chunk("text", metadata, own_id=own_id, **more)


@pytest.mark.parametrize(
    ("metadata", "own_id", "expected", "because"),
    [
        ({"id": "m", "source": "s"}, "own", "own", "its own id comes first"),
        ({"chunk_id": "c", "id": "m", "source": "s"}, None, "c", "then one in the metadata"),
        ({"id": 0, "source": "s"}, None, 0, "zero is an id"),
        ({"id": "", "source": "s"}, "", "s", "an empty id is none; its document stands for it"),
        ({"document_id": "d", "source": "s"}, None, "d", "and of these the plainest"),
    ],
)
def test_the_id_is_the_most_telling_one(
    metadata: dict[str, Any], own_id: object, expected: object, because: str
) -> None:
    assert made(metadata, own_id)["id"] == expected, because


def test_a_key_of_the_users_decides() -> None:
    chunk = made(
        {"nr": "n", "path": "p", "source": "s"}, "own", id_key="nr", document_id_key="path"
    )
    assert (chunk["id"], chunk["metadata"]["document_id"]) == ("n", "p")
    assert made({"source": "s"}, "own", document_id_key="path")["metadata"]["document_id"] == "s"


def test_a_document_without_id_is_refused() -> None:
    with pytest.raises(AdapterError, match=r"given are the keys 'page'\. Index documents with ids"):
        made({"page": 3})
    with pytest.raises(
        AdapterError, match=r"has no 'nr' in its metadata; given are the keys \(none"
    ):
        made({}, "own", id_key="nr")


def test_the_parent_is_the_document_before_any_source() -> None:
    chunk = made({"source": "s"}, "own", parent_id="p")
    assert chunk["metadata"] == {"source": "s", "document_id": "p"}
    assert made({"document_id": "d"}, "own", parent_id="p")["metadata"]["document_id"] == "d"
    assert made({}, "own")["metadata"] == {}


@given(st.integers(0, 10_000), st.text())
def test_the_place_spans_the_text(start: int, text: str) -> None:
    chunk = Passages().chunk(text, {}, own_id="a", start=start)
    assert chunk["metadata"] == {"start": start, "end": start + len(text)}


@pytest.mark.parametrize("key", ["start_index", "split_idx_start"])
def test_splitters_say_where_a_chunk_begins(key: str) -> None:
    assert made({key: 7}, "a")["metadata"] == {key: 7, "start": 7, "end": 11}
    assert made({key: -1}, "a")["metadata"] == {key: -1}  # not found, says the splitter
    assert made({key: 7, "start": 1}, "a")["metadata"] == {key: 7, "start": 1}


@pytest.mark.parametrize(
    ("metadata", "score", "expected"),
    [
        ({}, 0.5, 0.5),
        ({}, 0, 0.0),
        ({"relevance_score": 0.25}, None, 0.25),
        ({"score": 0.75, "relevance_score": 0.25}, None, 0.75),
        ({"score": "high"}, None, None),
        ({}, None, None),
    ],
)
def test_the_score_is_a_number_or_none(
    metadata: dict[str, Any], score: object, expected: float | None
) -> None:
    assert made(metadata, "a", score=score)["score"] == expected


def test_a_score_that_is_not_finite_is_left_for_the_complaint() -> None:
    assert math.isnan(made({}, "a", score=math.nan)["score"])


@given(st.dictionaries(NAMES, st.one_of(st.none(), st.integers(), NAMES)), NAMES)
def test_metadata_is_kept(metadata: dict[str, Any], own_id: str) -> None:
    chunk = made(metadata, own_id)
    assert chunk["id"] == own_id
    assert chunk["metadata"].items() >= metadata.items()
