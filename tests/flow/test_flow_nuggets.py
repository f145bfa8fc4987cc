"""`ragproof dataset nuggets` as a user calls it, with a judge that obeys a script."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from model_server import USD, Oddity
from nugget_caller import DATASET, POOL, Caller, called, nugget_caller, pool, scripted, write

from ragproof.cli.dataset_judge_pool import command as judge_pool
from ragproof.cli.dataset_nuggets import command
from ragproof.core import CaseKind, RunError, UsageError
from ragproof.datasets import load
from ragproof.datasets.generate_files import UNUSABLE, alone
from ragproof.datasets.nuggeting import EMPTY, NONE_HELD


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Caller]:
    with nugget_caller(tmp_path, monkeypatch) as caller:
        yield caller


def test_questions_get_nuggets_that_stand_in_their_pool_and_all_else_stays(call: Caller) -> None:
    code, told = call("--json")
    assert (code, told["status"], told["cases"]) == (0, "completed", 5)
    assert (told["kinds"]["nuggets"]["wanted"], told["kinds"]["nuggets"]["made"]) == (3, 3)
    cases = call.cases()
    assert list(cases) == [one["id"] for one in DATASET]
    nuggets = {name: one.expected_nuggets for name, one in cases.items()}
    assert [(one.text, one.vital) for one in nuggets["a"] or ()] == [
        ("Alder weighs 7kg.", True),
        ("Alder stands in the yard.", False),
    ]  # not the distractor's, not what was judged useless, and equal texts once
    assert cases["a"].metadata["nugget_sources"] == {"0": ["d2"], "1": ["d1"]}
    assert cases["a"].metadata["nuggets_drafted"]["passages"] == 2
    assert nuggets["no"] is None
    before = {one.id: one for one in load(call.folder / "set.jsonl").cases}
    assert (cases["no"], cases["has"]) == (before["no"], before["has"])
    assert told["calls"] == call.provider.calls == 9  # written, held and rated
    assert told["cost_usd"] == pytest.approx(9 * USD)


def test_the_conversation_is_part_of_what_is_asked(call: Caller) -> None:
    seen: list[str] = []

    def listening(text: str) -> str:
        seen.append(text)
        return scripted(text)

    call.provider.says_by = {"j": listening}
    call()
    assert any("user: Trees?\nuser: And Birch?" in one for one in seen)


def test_what_nobody_judged_can_be_left_out(call: Caller) -> None:
    code, told = call("--judged-only", "--json")
    cases = call.cases()
    assert [one.text for one in cases["a"].expected_nuggets or ()] == ["Alder weighs 7kg."]
    assert cases["c"].expected_nuggets is None
    assert told["status"] == "short"
    assert told["kinds"]["nuggets"]["rejected"] == {EMPTY: 1}
    assert code == 0
    assert call("--judged-only", "--strict", out="again.jsonl")[0] == 1


def test_refining_goes_on_from_the_nuggets_that_a_case_has(call: Caller) -> None:
    call("--refine")
    nuggets = call.cases()["has"].expected_nuggets or ()
    assert [(one.text, one.vital, one.aliases) for one in nuggets] == [
        ("It weighs 9kg.", True, ("nine",)),
        ("Cedar is old.", False, ()),
    ]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [("I am sorry, but I cannot help.", UNUSABLE), ('{"nuggets": ["It flies."]}', NONE_HELD)],
)
def test_a_judge_that_is_of_no_use_is_told_by_case(call: Caller, reply: str, reason: str) -> None:
    """It refuses to write, or it invents: then the pool is asked, and nothing stands there."""

    def bad(text: str) -> str:
        return reply if '"one nugget"' in text else scripted(text)

    call.provider.says_by = {"j": bad}
    code, told = call("--json")
    assert (code, told["status"]) == (0, "short")
    assert told["kinds"]["nuggets"]["rejected"] == {reason: 3}
    lines = (call.folder / "out.rejects.jsonl").read_text().splitlines()
    rejects = [json.loads(one) for one in lines]
    assert {one["id"] for one in rejects} == {"a", "b", "c"}
    assert load(call.folder / "out.jsonl").hash == load(call.folder / "set.jsonl").hash


def test_a_judge_that_dies_half_way_leaves_what_was_made_and_nothing_is_paid_twice(
    call: Caller,
) -> None:
    more = [{"id": f"m{at}", "question": f"What of {at}?"} for at in range(9)]
    write(call.folder / "set.jsonl", [*DATASET, *more])
    pools = [pool(one["id"], (f"e{at}", f"It weighs {at}kg.", 1)) for at, one in enumerate(more)]
    write(call.folder / "pool.jsonl", [*POOL, *(line for one in pools for line in one)])
    call(out="whole.jsonl")
    call.provider.answered.clear()
    call.config("store: other.db", concurrency=1)
    dead = call.provider.asked + 4
    call.provider.strange = lambda number: Oddity(status=401) if number >= dead else None
    code, told = call("--json")
    assert (code, told["status"]) == (2, "failed")
    assert "--resume" in told["stopped"]
    made = [name for name, one in call.cases().items() if "nuggets_drafted" in one.metadata]
    assert made == ["a"]
    assert len(call.cases()) == 14  # the file is the dataset, whatever happened
    call.provider.strange = None
    code, told = call("--resume", "--json")
    assert (code, told["status"]) == (0, "completed")
    whole = (call.folder / "whole.jsonl").read_bytes()
    assert (call.folder / "out.jsonl").read_bytes() == whole
    assert call.provider.answered.most_common(1)[0][1] == 1
    assert told["cost_usd"] == pytest.approx(36 * USD)
    asked = call.provider.asked
    assert call("--resume")[0] == 0
    assert call.provider.asked == asked  # there is nothing left to do


def test_ctrl_c_leaves_what_was_made_and_the_replies_that_were_paid(call: Caller) -> None:
    seen: list[str] = []

    def stop(text: str) -> str:
        seen.append(text)
        if len(seen) == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return scripted(text)

    call.config(concurrency=1)
    call.provider.says_by = {"j": stop}
    with pytest.raises(click.Abort):
        call()
    assert json.loads((call.folder / "out.made.json").read_text())["status"] == "interrupted"
    assert "nuggets_drafted" in call.cases()["a"].metadata
    call.provider.says_by = {"j": scripted}
    code, told = call("--resume", "--json")
    assert (code, told["kinds"]["nuggets"]["made"]) == (0, 3)
    assert call.provider.answered.most_common(1)[0][1] == 1
    assert told["cost_usd"] == pytest.approx(9 * USD)


def test_a_kill_leaves_no_half_dataset_and_the_drafts_that_were_made(call: Caller) -> None:
    call(out="whole.jsonl")
    call()
    drafts = call.folder / "out.drafts.jsonl"
    first, *_ = drafts.read_bytes().splitlines(keepends=True)
    (call.folder / "out.jsonl").unlink()
    drafts.write_bytes(first + b'{"id": "b", "que')  # as a kill in the middle of a line leaves it
    code, told = call("--resume", "--json")
    assert (code, told["kinds"]["nuggets"]["made"]) == (0, 3)
    whole = (call.folder / "whole.jsonl").read_bytes()
    assert (call.folder / "out.jsonl").read_bytes() == whole
    assert call.provider.answered.most_common(1)[0][1] == 1


def test_the_budget_is_never_passed(call: Caller) -> None:
    call.config("max_cost_usd: 0.006")
    code, told = call("--json")
    assert (code, told["status"]) == (2, "aborted:budget")
    assert told["cost_usd"] <= 0.006
    assert call.provider.calls * USD <= 0.006
    call.config("max_cost_usd: 1")
    code, told = call("--resume", "--json")
    assert (code, told["cost_usd"]) == (0, pytest.approx(9 * USD))


def test_what_may_be_paid_is_written_down_before_a_call_is_sent(call: Caller) -> None:
    written: list[float] = []

    def says(prompt: str) -> str:
        made = json.loads((call.folder / "out.made.json").read_text())
        written.append(made["cost_usd"])
        return scripted(prompt)

    call.provider.says_by = {"j": says}
    call.config(concurrency=1)
    code, told = call("--json")
    assert (code, len(written)) == (0, 9)
    assert all(paid > USD * calls for calls, paid in enumerate(written)), "a kill hides none"
    assert told["cost_usd"] == pytest.approx(9 * USD)


def test_only_one_process_writes_the_files(call: Caller) -> None:
    with alone(call.folder / "out.jsonl"), pytest.raises(RunError, match="another process is writ"):
        call()
    assert call.provider.asked == 0
    assert call("--json")[0] == 0
    assert not (call.folder / "out.lock").exists()


def test_the_plan_asks_nothing_and_names_calls_and_cost(call: Caller) -> None:
    code, told = call("--plan", "--json")
    assert code == 0
    assert call.provider.asked == 0
    plan = told["kinds"]["nuggets"]
    assert (plan["wanted"], plan["calls"]) == (3, 9)
    assert (told["documents"], told["passages"]) == (4, 4)
    assert 0 < told["usd"] < told["most_usd"]
    assert not (call.folder / "out.jsonl").exists()
    call()
    assert plan["calls"] <= call.provider.calls <= plan["most_calls"]


def test_a_resume_with_another_pool_or_batch_is_refused(call: Caller) -> None:
    call()
    with pytest.raises(UsageError, match="--resume goes on with it"):
        call()
    with pytest.raises(UsageError, match="batch was 10, now 3"):
        call("--resume", "--batch", "3")
    write(call.folder / "pool.jsonl", POOL[:-1])
    with pytest.raises(UsageError, match="pool was"):
        call("--resume")


def test_expected_documents_of_a_corpus_are_a_pool_too(call: Caller) -> None:
    docs = call.folder / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("Alder weighs 7kg.")
    (docs / "b.md").write_text("Never expected.")
    write(call.folder / "set.jsonl", [{**DATASET[0], "expected_source_ids": ["a.md"]}])
    code, _ = called(command, "set.jsonl", "--corpus", "docs", "--out", "out.jsonl", "--limit", "1")
    assert code == 0
    case = call.cases()["a"]
    assert [one.text for one in case.expected_nuggets or ()] == ["Alder weighs 7kg."]
    assert case.metadata["nugget_sources"] == {"0": ["a.md"]}


def test_what_cannot_work_is_said_before_anything_is_paid(call: Caller) -> None:
    with pytest.raises(UsageError, match=r"set\.jsonl is what is read"):
        call(out="set.jsonl")
    write(call.folder / "pool.jsonl", [*POOL, *pool("zz", ("d1", "x", 1))])
    with pytest.raises(UsageError, match=r'pool.jsonl:10: case_id: "zz" is no case'):
        call()
    write(call.folder / "pool.jsonl", POOL)
    write(call.folder / "set.jsonl", [DATASET[1]])
    with pytest.raises(UsageError, match="no case wants nuggets"):
        call()
    write(call.folder / "set.jsonl", DATASET)
    with pytest.raises(UsageError, match="store"):
        called(command, "set.jsonl", "--out", "out.jsonl")  # no run to pool
    (call.folder / "ragproof.yaml").write_text("project: yard\n")
    with pytest.raises(UsageError, match="set RAGPROOF_JUDGE_MODEL"):
        call()
    assert call.provider.asked == 0
    assert not list(call.folder.glob("out.*"))
    assert call.cases("set.jsonl")["no"].kind is CaseKind.UNANSWERABLE


def test_answers_that_were_found_right_come_back_through_the_pool(call: Caller) -> None:
    write(
        call.folder / "reviewed.jsonl",
        [{"case_id": "c", "answer": "Red", "verdict": "right", "reviewer": "ada"}],
    )
    code, told = called(
        judge_pool, "set.jsonl", "--merge", "reviewed.jsonl", "--out", "out.jsonl", "--json"
    )
    assert (code, told["answers"], told["hash"]) == (0, 1, load(call.folder / "out.jsonl").hash)
    assert call.cases()["c"].expected_answer == "Red"
    with pytest.raises(click.UsageError, match="--prefer goes with --merge"):
        called(judge_pool, "set.jsonl", "--prefer", "reviews", "--out", "out.jsonl")
