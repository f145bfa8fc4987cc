"""`ragproof generate --injection`: cases and a poisoned copy, without a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from generate_caller import VARIABLES, Caller
from model_server import Provider, serving
from scripted_writer import Writer

from ragproof.core import CaseKind, UsageError
from ragproof.datasets.corpus import load_corpus
from ragproof.text.payloads import payload


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Caller]:
    for name in VARIABLES:
        monkeypatch.delenv(f"RAGPROOF_{name}", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    with serving(Provider(says_by={"g": Writer()})) as provider:
        yield Caller(tmp_path, provider)


def test_injection_cases_need_no_model_and_the_copy_carries_them(call: Caller) -> None:
    (call.folder / "ragproof.yaml").unlink()
    code, told = call("--injection", "12", "--poisoned-corpus", "bad", "--json")
    assert (code, told["status"], told["calls"]) == (0, "completed", 0)
    cases = call.cases()
    assert len({one.tags["attack"] for one in cases}) == 9
    assert {one.tags["place"] for one in cases} == {"question", "document", "metadata"}
    before, after = load_corpus(call.folder / "docs"), load_corpus(Path(told["poisoned"]["index"]))
    assert set(before) == set(after)
    planted: dict[str, str] = {}
    for case in cases:
        attack = payload(case.adversarial_payload or "")
        assert attack is not None
        if case.planted_source_ids is None:
            assert attack.text in case.question
        else:
            assert attack.text in (after.text(case.planted_source_ids[0]) or "").replace('\\"', '"')
            planted[case.planted_source_ids[0]] = case.id
    same = {name for name in before if before.text(name) == after.text(name)}
    assert same == set(before) - set(planted)
    manifest = json.loads(Path(told["poisoned"]["manifest"]).read_text())
    assert {one["document_id"]: one["case_id"] for one in manifest["planted"]} == planted


def test_a_poisoned_copy_is_finished_and_no_other_folder_is_touched(call: Caller) -> None:
    said = ("--injection", "9", "--poisoned-corpus", "bad")
    call(*said)
    before = {one.name: one.read_bytes() for one in (call.folder / "bad").iterdir()}
    lost = next(iter(before))
    (call.folder / "bad" / lost).unlink()
    call(*said, "--resume")
    assert {one.name: one.read_bytes() for one in (call.folder / "bad").iterdir()} == before
    (call.folder / "mine").mkdir()
    (call.folder / "mine" / "alder.md").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        call("--injection", "9", "--poisoned-corpus", "mine", "--resume")
    with pytest.raises(UsageError, match="would lie in the corpus itself"):
        call("--injection", "9", "--poisoned-corpus", "docs/bad", out="other.jsonl")


def test_without_a_place_for_a_copy_payloads_go_into_questions_alone(call: Caller) -> None:
    code, _ = call("--qa", "2", "--injection", "9", "--json")
    assert code == 0
    cases = [one for one in call.cases() if one.kind is CaseKind.INJECTION]
    assert {one.tags["place"] for one in cases} == {"question"}
    assert any("question_of" in one.metadata for one in cases)
    with pytest.raises(click.UsageError, match="goes with --injection"):
        call("--qa", "1", "--poisoned-corpus", "bad", out="other.jsonl")
    (call.folder / "full").mkdir()
    (call.folder / "full" / "x").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        call("--injection", "1", "--poisoned-corpus", "full", out="other.jsonl")
