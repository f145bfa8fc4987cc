"""`ragproof dataset nuggets --resume`: what had no usable reply is tried again, and no more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import USD
from nugget_caller import Caller, nugget_caller, scripted

from ragproof.datasets.generate_files import UNUSABLE
from ragproof.datasets.nuggeting import NONE_HELD


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Caller]:
    with nugget_caller(tmp_path, monkeypatch) as caller:
        yield caller


def test_a_resume_asks_again_for_what_had_no_usable_reply_and_for_nothing_else(
    call: Caller,
) -> None:
    """Of one case the list is of no use, of another the last step, the ratings."""
    bad = {"Dogwood?": '"one nugget"', "And Birch?": '"importance"'}

    def useless(text: str) -> str:
        question = next((one for one in bad if one in text), None)
        return "Sorry." if question and bad[question] in text else scripted(text)

    call.config(concurrency=1)
    call.provider.says_by = {"j": useless}
    code, shown = call()
    assert code == 0
    *_, last = " ".join(shown.split()).split("ragproof: ")
    assert last.startswith("nuggets: 1 of 3 cases, 2 short; why: out.rejects.jsonl"), last
    assert "--resume tries 2 attempts again that had no usable reply" in last
    before = call.provider.calls
    bad.pop("Dogwood?")
    code, told = call("--resume", "--json")
    assert (code, told["status"], told["kinds"]["nuggets"]["short"]) == (0, "short", 1)
    assert told["kinds"]["nuggets"]["rejected"] == {UNUSABLE: 1}
    assert call.provider.calls - before == 3 + 2, "all of one, and of the other what was bad"
    [reject] = (call.folder / "out.rejects.jsonl").read_text().splitlines()
    assert json.loads(reject)["id"] == "b", "what was made is not among the rejects any more"
    before = call.provider.calls
    bad.clear()
    code, told = call("--resume", "--json")
    assert (code, told["status"], told["kinds"]["nuggets"]["rejected"]) == (0, "completed", {})
    assert call.provider.calls - before == 1, "the rating alone: two steps of it were usable"
    assert told["cost_usd"] == pytest.approx(call.provider.calls * USD)
    call(out="whole.jsonl")
    whole = (call.folder / "whole.jsonl").read_bytes()
    assert (call.folder / "out.jsonl").read_bytes() == whole
    assert call.provider.calls - before == 1


def test_a_resume_that_brings_another_reason_puts_it_in_the_place_of_the_first(
    call: Caller,
) -> None:
    said = ["Sorry."]
    call.provider.says_by = {
        "j": lambda text: said[0] if '"one nugget"' in text else scripted(text)
    }
    call()
    said[0] = '{"nuggets": ["It flies."]}'
    _, told = call("--resume", "--json")
    assert told["kinds"]["nuggets"]["rejected"] == {NONE_HELD: 3}
    before = call.provider.asked
    _, told = call("--resume", "--json")
    assert told["kinds"]["nuggets"]["rejected"] == {NONE_HELD: 3}
    assert call.provider.asked == before, "the model did reply, and that is the end of it"


def test_a_kill_between_a_case_and_its_reject_of_before_leaves_the_case_made(call: Caller) -> None:
    call.provider.says_by = {"j": lambda text: "Sorry." if "Dogwood" in text else scripted(text)}
    call()
    rejects = call.folder / "out.rejects.jsonl"
    before = rejects.read_bytes()
    call.provider.says_by = {"j": scripted}
    call("--resume")
    assert rejects.read_bytes() == b""
    rejects.write_bytes(before)  # as a kill leaves it after the case was written
    asked = call.provider.asked
    _, told = call("--resume", "--json")
    assert (told["status"], told["kinds"]["nuggets"]["rejected"]) == ("completed", {})
    assert call.provider.asked == asked
