"""Files of vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from index_files import array, lines

from ragproof.core import UsageError
from ragproof.index.vectors import read_vectors


def test_an_array_is_mapped_and_not_loaded(tmp_path: Path) -> None:
    found = read_vectors(array(tmp_path / "v.npy", [[1, 2], [3, 4]], "float16"))
    assert isinstance(found.values, np.memmap)
    assert found.ids == ("0", "1")


def test_nothing_pickled_is_loaded(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(UsageError, match="cannot be read as"):
        read_vectors(tmp_path / "v.npy")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"id": "b", "vector": [1]}, "v.jsonl:2: vector: got 1 of them; allowed: a list of numb"),
        ({"id": "b", "vector": [1, None]}, "v.jsonl:2: vector: got "),
        ({"id": "b", "vector": [1, True]}, "v.jsonl:2: vector: got "),
        ({"id": "b"}, "v.jsonl:2: vector: got null"),
        ({"id": None, "vector": [1, 2]}, "row 1: id: got null; allowed: a text or a whole"),
        ({"id": "a", "vector": [1, 2]}, 'id: "a" is already the id of row 0'),
    ],
)
def test_a_line_that_is_no_vector_is_named(
    line: dict[str, object], said: str, tmp_path: Path
) -> None:
    path = lines(tmp_path / "v.jsonl", [{"id": "a", "vector": [0.5, 1]}, line])
    with pytest.raises(UsageError) as fault:
        read_vectors(path)
    assert said in str(fault.value)


def test_columns_are_kept_even_where_a_line_lacks_one(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"embedding": [1, 2]},
        {"embedding": [3, 4], "lang": "de"},
        {"embedding": [5, 6]},
    ]
    found = read_vectors(lines(tmp_path / "v.jsonl", rows))
    assert found.columns["lang"] == [None, "de", None]
    assert found.values.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_parquet_is_read_with_its_columns(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="the extra `parquet` is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "v.parquet"
    lists = arrow.list_(arrow.float32())
    for kind in (lists, arrow.list_(arrow.float32(), 2)):
        vectors = arrow.array([[1, 2], [3, 4]], kind)
        parquet.write_table(
            arrow.table({"id": [7, 8], "vector": vectors, "lang": ["a", "b"]}), path
        )
        found = read_vectors(path)
        assert (found.ids, found.values.tolist()) == (("7", "8"), [[1, 2], [3, 4]])
        assert found.columns["lang"] == ["a", "b"]
    for bad, said in (
        ([[1, 2], [3]], r"row 1 \(from 0\): vector has 1 dimensions, but row 0 has 2"),
        ([[1, 2], None], r"row 1 \(from 0\): vector is null"),
        ([[1, 2], [3, None]], r"row 1 \(from 0\): vector holds a null"),
    ):
        parquet.write_table(arrow.table({"vector": arrow.array(bad, lists)}), path)
        with pytest.raises(UsageError, match=said):
            read_vectors(path)


def test_parquet_without_its_library_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'ragproof\[parquet\]'"):
        read_vectors(tmp_path / "v.parquet")
