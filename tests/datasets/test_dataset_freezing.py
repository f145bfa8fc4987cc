"""One hash for one content, and frozen files that notice any change."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import QuestionCase, RunError, UsageError
from ragproof.datasets import dataset_hash, dump, freeze, load

CASES = [
    {"id": "b", "question": "Größe?", "tags": {"x": "1", "a": "2"}},
    {"id": "a", "question": "x", "expected_source_ids": {"d2": 1, "d1": 2}},
    {"id": "c", "kind": "unanswerable", "question": "z", "metadata": {"n": None, "f": 0.1}},
]


def write(folder: Path, cases: list[dict[str, Any]], name: str = "d.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(case) + "\n" for case in cases))
    return path


def test_the_hash_is_of_the_canonical_lines_in_order_of_id() -> None:
    cases = [QuestionCase(id="b", question="é"), QuestionCase(id="a", question="x")]
    lines = '{"id":"a","kind":"qa","question":"x"}\n{"id":"b","kind":"qa","question":"\\u00e9"}\n'
    assert dataset_hash(cases) == sha256(lines.encode()).hexdigest()


@given(st.randoms())
def test_orders_and_defaults_written_out_do_not_change_the_hash(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random
) -> None:
    folder = tmp_path_factory.mktemp("hash")

    def shuffled(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        keys = chance.sample(list(value), len(value))
        return {key: shuffled(value[key]) for key in keys}

    defaults: dict[str, Any] = {
        "kind": "qa",
        "group": None,
        "tags": {},
        "metadata": {},
        "history": None,
    }
    written_out = [shuffled(defaults | case) for case in chance.sample(CASES, len(CASES))]
    changed = load(write(folder, written_out, "e.jsonl"))
    assert changed.hash == load(write(folder, CASES)).hash


@pytest.mark.parametrize(
    "change",
    [
        {"question": "y"},
        {"id": "aa"},
        {"kind": "unanswerable"},
        {"expected_source_ids": []},
        {"expected_source_ids": {"d2": 2, "d1": 1}},
        {"metadata": {"x": None}},
        {"answerable_from_context": False},
    ],
)
def test_every_change_of_a_case_changes_the_hash(tmp_path: Path, change: dict[str, Any]) -> None:
    before = load(write(tmp_path, CASES)).hash
    assert load(write(tmp_path, [CASES[0], CASES[1] | change, CASES[2]])).hash != before


def test_the_frozen_form_has_the_same_cases_name_and_hash(tmp_path: Path) -> None:
    plain = load(write(tmp_path, CASES))
    frozen = load(freeze(tmp_path / "d.jsonl"))
    assert frozen.path == tmp_path / "d.frozen.json"
    assert (frozen.name, frozen.hash) == (plain.name, plain.hash)
    assert frozen.cases == tuple(sorted(plain.cases, key=lambda case: case.id))


def test_equal_content_freezes_to_equal_bytes(tmp_path: Path) -> None:
    first = freeze(write(tmp_path, CASES)).read_bytes()
    assert freeze(write(tmp_path, CASES[::-1])).read_bytes() == first
    assert freeze(tmp_path / "d.frozen.json").read_bytes() == first
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_a_frozen_file_that_was_reformatted_still_loads(tmp_path: Path) -> None:
    path = freeze(write(tmp_path, CASES))
    path.write_text(json.dumps(json.loads(path.read_bytes()), indent=4, ensure_ascii=False))
    assert load(path).hash == load(tmp_path / "d.jsonl").hash


def test_a_frozen_file_that_was_altered_is_refused_with_both_hashes(tmp_path: Path) -> None:
    path = freeze(write(tmp_path, CASES))
    stated = load(path).hash
    path.write_text(path.read_text().replace('"question":"z"', '"question":"y"'))
    with pytest.raises(UsageError) as caught:
        load(path)
    altered = load(write(tmp_path, [CASES[0], CASES[1], CASES[2] | {"question": "y"}])).hash
    assert stated in str(caught.value)
    assert altered in str(caught.value)


def test_a_fault_in_a_frozen_case_names_the_case(tmp_path: Path) -> None:
    path = freeze(write(tmp_path, CASES))
    path.write_text(path.read_text().replace('"question":"z"', '"question":5'))
    with pytest.raises(UsageError, match=r'd\.frozen\.json:case 3 \(case "c"\): question: got 5'):
        load(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "this is no frozen dataset"),
        ('{"id": "a"}', "this is no frozen dataset"),
        ("{", "not JSON"),
        ('{"format": "ragproof-frozen-dataset", "version": 2}', "version: got 2; allowed: 1"),
        ('{"format": "ragproof-frozen-dataset", "version": 1, "cases": []}', "hash: got null"),
        (
            '{"format": "ragproof-frozen-dataset", "version": 1, "hash": "x", "cases": 1}',
            "cases: got 1",
        ),
        (
            '{"format": "ragproof-frozen-dataset", "version": 1, "hash": "x", "case": []}',
            "case: unknown key. Did you mean 'cases'?",
        ),
        (
            '{"format": "ragproof-frozen-dataset", "version": 1, "hash": "x", "cases": []}',
            "the dataset is empty",
        ),
    ],
)
def test_a_json_file_that_is_not_frozen_right_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        load(path)


def test_a_canonical_line_is_ascii_and_reads_back(tmp_path: Path) -> None:
    for case in load(write(tmp_path, CASES)).cases:
        line = dump(case)
        assert line.isascii()
        path = tmp_path / "one.jsonl"
        path.write_text(line)
        assert load(path).cases == (case,)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give up rights")
def test_a_folder_that_cannot_be_written_is_a_clear_error() -> None:
    code = (
        "import os, sys; from pathlib import Path\n"
        "from ragproof.core import RunError\n"
        "from ragproof.datasets import freeze, load\n"
        "load(Path(sys.argv[1]))  # all is imported while it may be\n"
        "os.setuid(65534)\n"
        "try: freeze(Path(sys.argv[1]))\n"
        "except RunError as fault: print(fault)\n"
    )
    with tempfile.TemporaryDirectory() as folder:  # pytest's own is closed to other users
        Path(folder).chmod(0o755)
        path = write(Path(folder), CASES)
        told = subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
        )
    assert "d.frozen.json: the file cannot be written: Permission denied" in told.stdout


def test_a_target_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    path = write(tmp_path, CASES)
    (tmp_path / "d.frozen.json").mkdir()
    with pytest.raises(RunError, match="the file cannot be written"):
        freeze(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["d.frozen.json", "d.jsonl"]
