"""Where a local model is looked for, and what is said where it is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof.core import UsageError
from ragproof.local.files import find

CONFIG = {"id2label": {"0": "entailment"}}


def made(at: Path, graph: str = "model.onnx", **more: str) -> Path:
    files = {graph: "graph", "tokenizer.json": "{}", "config.json": json.dumps(CONFIG), **more}
    for name, text in files.items():
        (at / name).parent.mkdir(parents=True, exist_ok=True)
        (at / name).write_text(text)
    return at


def cached(at: Path, *, ref: str | None = "main", commit: str = "abc123") -> Path:
    """A model as the hub's client keeps it; the cache's folder."""
    kept = at / "models--org--small"
    made(kept / "snapshots" / commit, "onnx/model.onnx")
    if ref is not None:
        (kept / "refs").mkdir(exist_ok=True)
        (kept / "refs" / ref).write_text(commit)
    return at


@pytest.mark.parametrize("graph", ["model.onnx", "onnx/model.onnx"])
def test_a_folder_is_found_relative_to_the_config(tmp_path: Path, graph: str) -> None:
    made(tmp_path / "models/nli", graph)
    found = find("models/nli", tmp_path, {})
    assert found.graph == tmp_path / "models/nli" / graph
    assert found.config == CONFIG


@pytest.mark.parametrize("graph", ["small.onnx", "onnx/model_quantized.onnx"])
def test_the_onnx_file_itself_may_be_named(tmp_path: Path, graph: str) -> None:
    made(tmp_path / "m", graph)
    found = find(f"m/{graph}", tmp_path, {})
    assert (found.graph, found.folder) == (tmp_path / "m" / graph, tmp_path / "m")


@pytest.mark.parametrize(
    ("variable", "below"),
    [("HF_HUB_CACHE", ""), ("HF_HOME", "hub"), ("XDG_CACHE_HOME", "huggingface/hub")],
)
def test_a_name_of_the_hub_is_looked_up_in_the_cache(
    tmp_path: Path, variable: str, below: str
) -> None:
    cached(tmp_path / "cache" / below)
    found = find("org/small", tmp_path, {variable: str(tmp_path / "cache")})
    assert found.graph.parts[-4:] == ("snapshots", "abc123", "onnx", "model.onnx")


@pytest.mark.parametrize("revision", ["v2", "def456"])
def test_a_revision_is_a_name_or_a_commit(tmp_path: Path, revision: str) -> None:
    cache = cached(cached(tmp_path), ref="v2", commit="def456")
    found = find(f"org/small@{revision}", tmp_path, {"HF_HUB_CACHE": str(cache)})
    assert found.folder.name == "def456"


def test_nothing_is_fetched_and_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    said = (
        f"there is no folder {tmp_path}/org/small@v3, and no model org/small@v3 in the cache "
        f"{tmp_path}. Nothing is fetched here; get it first: hf download org/small --revision v3"
    )
    with pytest.raises(UsageError) as told:
        find("org/small@v3", tmp_path, {"HF_HUB_CACHE": str(tmp_path)})
    assert str(told.value) == said


def test_what_is_no_path_and_no_name_is_told_as_a_path(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"there is no file or folder {tmp_path}/a/b/c"):
        find("a/b/c", tmp_path, {})


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        ("model.onnx", "holds no ONNX file; looked for model.onnx and onnx/model.onnx"),
        ("tokenizer.json", "has no tokenizer.json, which the model needs"),
        ("config.json", "has no config.json, which the model needs"),
    ],
)
def test_a_missing_file_is_named(tmp_path: Path, gone: str, said: str) -> None:
    (made(tmp_path) / gone).unlink()
    with pytest.raises(UsageError, match=said):
        find(".", tmp_path, {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", r"config\.json: it is no JSON: "),
        ("[1]", r"config\.json: it must hold a JSON object"),
        ("[" * 100_000, r"config\.json: it nests too deep to be read"),
    ],
)
def test_a_config_that_is_none_is_told(tmp_path: Path, text: str, said: str) -> None:
    (made(tmp_path) / "config.json").write_text(text)
    with pytest.raises(UsageError, match=said):
        find(".", tmp_path, {})


def test_a_model_is_known_by_what_its_files_hold_wherever_they_lie(tmp_path: Path) -> None:
    one, two = (find(name, tmp_path, {}) for name in ("a", "b") if made(tmp_path / name))
    assert one.fingerprint == two.fingerprint
    assert len(one.fingerprint.removeprefix("sha256:")) == 64


@pytest.mark.parametrize(
    "name",
    ["model.onnx", "model.onnx_data", "tokenizer.json", "config.json", "sentence_bert_config.json"],
)
def test_another_file_is_another_model(tmp_path: Path, name: str) -> None:
    before = find(".", made(tmp_path), {}).fingerprint
    (tmp_path / name).write_text('{"other": 1}')
    assert find(".", tmp_path, {}).fingerprint != before


def test_what_does_not_decide_is_not_looked_at(tmp_path: Path) -> None:
    before = find(".", made(tmp_path), {}).fingerprint
    (tmp_path / "README.md").write_text("text")
    assert find(".", tmp_path, {}).fingerprint == before
