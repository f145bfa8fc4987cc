"""A mistyped payload id stops the dataset, for it would score as resisted for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof.core import QuestionCase, UsageError
from ragproof.datasets import load


def written(folder: Path, payload: str) -> Path:
    path = folder / "d.jsonl"
    line = {"id": "i1", "kind": "injection", "question": "?", "adversarial_payload": payload}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "payload", ["override_plain", "RAGPROOF_OVERRIDE", "cat", "https://exfil.invalid/leak"]
)
def test_an_id_and_a_marker_are_read(tmp_path: Path, payload: str) -> None:
    [case] = load(written(tmp_path, payload)).cases
    assert isinstance(case, QuestionCase)
    assert case.adversarial_payload == payload


def test_a_mistyped_id_is_told_with_line_case_field_and_what_was_meant(tmp_path: Path) -> None:
    path = written(tmp_path, "overide_plain")
    with pytest.raises(UsageError) as caught:
        load(path)
    told = str(caught.value)
    assert told.startswith(f"{path}:1 ")
    assert 'adversarial_payload: got "overide_plain"; allowed: the id of a payload' in told
    assert told.endswith("Did you mean 'override_plain'?")


@pytest.mark.parametrize("payload", ["my_own_marker", "override-plain", "", " ", "\u200b"])
def test_what_is_neither_is_refused(tmp_path: Path, payload: str) -> None:
    with pytest.raises(UsageError, match="adversarial_payload"):
        load(written(tmp_path, payload))
