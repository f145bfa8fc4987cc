"""`ragproof generate` as a user calls it, in this process, with a model that follows a script."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from generate_caller import VARIABLES, Caller
from model_server import USD, Oddity, Provider, serving
from scripted_writer import Writer, asks, corpus, fact

from ragproof.core import CaseKind, UsageError
from ragproof.datasets.corpus import load_corpus

ALL = (
    *("--qa", "4", "--unanswerable", "3", "--multi-hop", "2"),
    *("--adversarial", "6", "--conversation", "2"),
)
REJECTED = {
    "lazy": "the question is copied from the passage",
    "wrong_language": "the question is in another language than the passage",
    "refusing": "the model gave no usable reply",
    "garbage": "the model gave no usable reply",
    "invented_quote": "the quote does not stand in the passage",
    "no_answer_in_quote": "the answer does not stand in the quote",
    "told": "the answer stands in the question",
    "wrong_answer": "the second look answers otherwise",
    "off_topic": "the second look finds no answer",
    "nothing": "the model found nothing to ask",
}


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Caller]:
    for name in VARIABLES:
        monkeypatch.delenv(f"RAGPROOF_{name}", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    with serving(Provider(says_by={"g": Writer()})) as provider:
        yield Caller(tmp_path, provider)


def test_a_good_model_gives_what_was_asked_and_every_case_is_verified(call: Caller) -> None:
    code, told = call(*ALL, "--json")
    assert (code, told["status"]) == (0, "completed")
    made = {kind: (one["wanted"], one["made"]) for kind, one in told["kinds"].items()}
    assert made == {
        "qa": (4, 4),
        "unanswerable": (3, 3),
        "multi_hop": (2, 2),
        "adversarial": (6, 6),
        "conversation": (2, 2),
    }
    cases = call.cases()
    challenges = Counter(one.tags.get("challenge", "") for one in cases)
    kinds = ("distractor", "near_duplicate", "ambiguous", "negation", "quantifier")
    assert [challenges[one] for one in kinds] == [1] * 5
    original, swapped = (one for one in cases if one.tags.get("challenge") == "counterfactual")
    assert original.variant_of is None
    assert (swapped.variant_of, swapped.expected_relation) == (original.id, "changed_answer")
    assert original.expected_answer != swapped.expected_answer
    assert (challenges["near_miss"], challenges["out_of_scope"]) == (2, 1)
    assert told["calls"] == call.provider.calls
    assert told["cost_usd"] == pytest.approx(USD * call.provider.calls)
    assert call.provider.answered.most_common(1)[0][1] == 1


def test_spans_are_where_the_quotes_stand_and_hold_the_answer(call: Caller) -> None:
    call(*ALL)
    documents = load_corpus(call.folder / "docs")
    answered = [one for one in call.cases() if one.kind is CaseKind.QA]
    for case in answered:
        spans = case.expected_spans or ()
        quotes = [(documents.text(one.document_id) or "")[one.start : one.end] for one in spans]
        assert any(str(case.expected_answer) in quote for quote in quotes), case.id
        assert {one.document_id for one in spans} == set(case.expected_source_ids or ())
        assert case.group == case.tags["document"]
        assert {"kind", "persona", "category", "document"} <= case.tags.keys()


def test_multi_hop_cases_need_both_documents_and_follow_ups_their_history(call: Caller) -> None:
    call(*ALL)
    of = {kind: [one for one in call.cases() if one.tags["kind"] == kind] for kind in
          ("multi_hop", "conversation", "unanswerable", "adversarial")}  # fmt: skip
    assert all(len(one.expected_spans or ()) == 2 for one in of["multi_hop"])
    assert all(one.history and " it" in one.question for one in of["conversation"])
    assert all(one.kind is CaseKind.UNANSWERABLE for one in of["unanswerable"])
    assert all(one.metadata["looked_at"] for one in of["unanswerable"])
    misled = [one for one in of["adversarial"] if one.tags["challenge"] == "distractor"]
    assert misled
    assert all(one.distractor_source_ids for one in misled)


def rewritten(changes: dict[str, str]) -> Writer:
    """A model whose drafts have other words in these places."""
    return Writer(lambda _, good: json.dumps({**json.loads(good), **changes}))


def test_one_passage_that_is_enough_is_no_multi_hop(call: Caller) -> None:
    def shortened(_number: int, good: str) -> str:
        """Ask for what the first passage says alone."""
        draft = json.loads(good)
        sentence, thing, value = fact(draft["quote_a"])
        return json.dumps({**draft, "question": asks(sentence, thing), "answer": value})

    call.provider.says_by = {"g": Writer(shortened)}
    _, told = call("--multi-hop", "1", "--json")
    assert told["kinds"]["multi_hop"]["made"] == 0
    assert told["kinds"]["multi_hop"]["rejected"] == {"one passage alone is enough": 3}


def test_what_the_corpus_answers_is_not_unanswerable(call: Caller) -> None:
    call.provider.says_by = {"g": rewritten({"question": "How heavy is Alder?"})}
    _, told = call("--unanswerable", "1", "--json")
    assert told["kinds"]["unanswerable"]["rejected"] == {"the corpus answers the question": 3}
    assert {one["detail"] for one in call.rejects()} == {"017kg"}


def test_a_follow_up_that_needs_no_conversation_is_none(call: Caller) -> None:
    def named(_number: int, good: str) -> str:
        draft = json.loads(good)
        return json.dumps({**draft, "question": draft["standalone"]})

    call.provider.says_by = {"g": Writer(named)}
    _, told = call("--conversation", "1", "--json")
    reason = "the follow-up is understood without the conversation"
    assert told["kinds"]["conversation"]["rejected"] == {reason: 3}


@pytest.mark.parametrize("manner", REJECTED)
def test_what_a_bad_model_writes_is_turned_down_with_its_reason(call: Caller, manner: str) -> None:
    call.config(concurrency=1)
    call.write_as(manner, range(2))
    code, told = call("--qa", "3", "--json")
    assert (code, told["kinds"]["qa"]["made"]) == (0, 3)
    assert told["kinds"]["qa"]["rejected"] == {REJECTED[manner]: 2}
    ids = [one.id for one in call.cases()]
    assert sorted(ids + [one["id"] for one in call.rejects()]) == [
        f"qa-{n:04}" for n in range(1, 6)
    ]
    assert {one["reason"] for one in call.rejects()} == {REJECTED[manner]}


def test_what_was_not_reached_is_said_and_fails_only_where_that_is_strict(call: Caller) -> None:
    call.write_as("lazy", range(1000))
    code, told = call("--qa", "2", "--json")
    assert (code, told["status"], told["cases"]) == (0, "short", 0)
    assert len(call.rejects()) == 6  # three tries for each
    code, shown = call("--qa", "2", "--strict", out="again.jsonl")
    assert code == 1
    assert "qa: 0 of 2 cases" in shown


def test_a_resume_asks_again_for_what_had_no_usable_reply_and_for_nothing_else(
    call: Caller,
) -> None:
    call.config(concurrency=1)
    call.write_as("refusing", range(1000))
    _, shown = call("--qa", "2")
    told = " ".join(shown.split())
    assert "qa: 0 of 2 cases, 2 short" in told
    assert "--resume tries 6 attempts again that had no usable reply" in told
    call.provider.says_by = {"g": Writer()}
    before = call.provider.calls
    code, told = call("--qa", "2", "--resume", "--json")
    assert (code, told["status"], told["kinds"]["qa"]["rejected"]) == (0, "completed", {
        "the model gave no usable reply": 4
    })  # fmt: skip
    assert call.provider.calls - before == 2 * 2, "written and checked"
    assert {one["id"] for one in call.rejects()} == {f"qa-000{n}" for n in (3, 4, 5, 6)}
    before = call.provider.calls
    call("--qa", "2", "--resume")
    assert call.provider.calls == before, "there are as many as were wanted"


def test_a_draft_that_was_usable_is_not_bought_again_when_the_second_look_was_not(
    call: Caller,
) -> None:
    writer = Writer()
    call.config(concurrency=1)
    call.provider.says_by = {"g": lambda text: "Sorry." if '"verdict"' in text else writer(text)}
    call("--qa", "1")
    assert call.provider.calls == 3 * 3, "three attempts, each written, checked and repaired"
    call.provider.says_by = {"g": writer}
    call("--qa", "1", "--resume")
    assert call.provider.calls == 3 * 3 + 1
    assert len(call.cases()) == 1


def test_a_question_that_is_there_already_is_turned_down(call: Caller) -> None:
    for name, text in corpus().items():
        (call.folder / "docs" / f"copy-{name}").write_text(text)
    _, told = call("--qa", "26", "--json")
    reasons = told["kinds"]["qa"]["rejected"]
    assert set(reasons) == {"a question that is nearly the same is there already"}
    assert told["kinds"]["qa"]["made"] == 24  # so many facts there are
    questions = [one.question for one in call.cases()]
    assert len(set(questions)) == len(questions)


def test_the_same_seed_draws_the_same_and_another_another(call: Caller) -> None:
    for out, seed in (("a.jsonl", "1"), ("b.jsonl", "1"), ("c.jsonl", "2")):
        call("--qa", "5", "--seed", seed, out=out)
    a, b, c = (call.folder.joinpath(f"{name}.jsonl").read_bytes() for name in "abc")
    assert a == b
    assert a != c
    assert call.provider.answered.most_common(1)[0][1] == 1  # the second time cost nothing


def test_a_model_that_dies_half_way_leaves_what_was_made_and_nothing_is_paid_twice(
    call: Caller,
) -> None:
    call("--qa", "8", out="whole.jsonl")
    call.provider.answered.clear()
    call.config("store: other.db", concurrency=1)
    dead = call.provider.asked + 7
    call.provider.strange = lambda number: Oddity(status=401) if number >= dead else None
    code, told = call("--qa", "8", "--json")
    assert (code, told["status"]) == (2, "failed")
    assert "--resume" in told["stopped"]
    assert 0 < len(call.cases()) < 8
    call.provider.strange = None
    code, told = call("--qa", "8", "--resume", "--json")
    assert (code, told["status"]) == (0, "completed")
    assert call.folder.joinpath("set.jsonl").read_bytes() == (
        call.folder.joinpath("whole.jsonl").read_bytes()
    )
    assert call.provider.answered.most_common(1)[0][1] == 1
    assert told["cost_usd"] == pytest.approx(16 * USD)


def test_ctrl_c_leaves_what_was_made_and_the_replies_that_were_paid(call: Caller) -> None:
    def stop(number: int, _good: str) -> str | None:
        if number == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return None

    call.config(concurrency=1)
    call.provider.says_by = {"g": Writer(stop)}
    with pytest.raises(click.Abort):
        call("--qa", "8")
    made = len(call.cases())
    assert 0 < made < 8
    assert json.loads((call.folder / "set.made.json").read_text())["status"] == "interrupted"
    call.provider.says_by = {"g": Writer()}
    code, told = call("--qa", "8", "--resume", "--json")
    assert (code, told["cases"]) == (0, 8)
    assert call.provider.answered.most_common(1)[0][1] == 1
    assert told["cost_usd"] == pytest.approx(16 * USD)


def test_the_budget_is_never_passed_and_what_was_made_within_it_is_there(call: Caller) -> None:
    call.config("max_cost_usd: 0.015")
    code, told = call("--qa", "8", "--json")
    assert (code, told["status"]) == (2, "aborted:budget")
    assert 0 < told["cost_usd"] <= 0.015
    assert call.provider.calls * USD <= 0.015
    code, again = call("--qa", "8", "--resume", "--json")  # earlier sittings count
    assert (code, again["status"]) == (2, "aborted:budget")
    assert again["cost_usd"] <= 0.015
    call.config("max_cost_usd: 1")
    code, told = call("--qa", "8", "--resume", "--json")
    assert (code, told["kinds"]["qa"]["made"]) == (0, 8)
    assert told["cost_usd"] == pytest.approx(16 * USD)


def test_a_line_that_was_never_finished_is_made_again(call: Caller) -> None:
    call("--qa", "4")
    path = call.folder / "set.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    before = call.provider.calls
    call("--qa", "4", "--resume")
    assert path.read_bytes() == whole
    assert call.provider.calls == before
    call("--qa", "6", "--resume")
    assert path.read_bytes().startswith(whole)
    assert len(call.cases()) == 6


def test_files_that_are_there_are_never_overwritten_nor_mixed(call: Caller) -> None:
    call("--qa", "1")
    with pytest.raises(UsageError, match="--resume goes on with it"):
        call("--qa", "1")
    with pytest.raises(UsageError, match="seed was 0, now 3"):
        call("--qa", "1", "--seed", "3", "--resume")
    (call.folder / "docs" / "new.md").write_text("# New\n\nSomething else.")
    with pytest.raises(UsageError, match="corpus was"):
        call("--qa", "1", "--resume")
    with pytest.raises(UsageError, match="nothing to go on with"):
        call("--qa", "1", "--resume", out="never.jsonl")


def test_the_plan_asks_nothing_and_names_calls_and_cost(call: Caller) -> None:
    code, told = call(*ALL, "--plan", "--json")
    assert code == 0
    assert call.provider.asked == 0
    assert told["kinds"]["qa"]["calls"] == 8
    assert told["kinds"]["multi_hop"]["calls"] == 8
    assert 0 < told["usd"] < told["most_usd"]
    assert not (call.folder / "set.jsonl").exists()
    code, shown = call(*ALL, "--plan")
    assert "8 documents in 24 passages" in shown
    call(*ALL)
    assert sum(one["calls"] for one in told["kinds"].values()) <= call.provider.calls


def test_skipped_files_are_listed_with_their_reason(call: Caller) -> None:
    (call.folder / "docs" / "photo.png").write_bytes(b"1")
    (call.folder / "docs" / "latin.txt").write_bytes(b"caf\xe9")
    (call.folder / "docs" / "empty.md").write_text("\n \n")
    (call.folder / "docs" / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    _, told = call("--qa", "1", "--json")
    why = {one["document"]: one["reason"] for one in told["skipped"]}
    assert set(why) == {"photo.png", "latin.txt", "empty.md", "broken.pdf"}
    assert "UTF-8" in why["latin.txt"]
    assert "PDF cannot be read" in why["broken.pdf"]


def test_who_asks_and_how_can_be_said(call: Caller) -> None:
    said = ("--persona", "nurse: works at night", "--category", "keywords")
    call("--qa", "3", *said)
    assert {(one.tags["persona"], one.tags["category"]) for one in call.cases()} == {
        ("nurse", "keywords")
    }
    with pytest.raises(click.UsageError, match="allowed: a name and what it means"):
        call("--qa", "1", "--category", "poem", out="other.jsonl")


def test_without_a_model_or_without_a_number_it_says_what_to_do(
    call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    (call.folder / "ragproof.yaml").unlink()
    with pytest.raises(UsageError, match="set RAGPROOF_GEN_MODEL"):
        call("--qa", "1")
    assert not list(call.folder.glob("set.*"))
    with pytest.raises(click.UsageError, match="nothing is asked for"):
        call()
    monkeypatch.setenv("RAGPROOF_GEN_MODEL", "g")
    monkeypatch.setenv("RAGPROOF_LLM_BASE_URL", call.provider.url)
    code, told = call("--qa", "1", "--json")
    assert (code, told["cost_usd"]) == (0, None)  # no prices


def test_one_attempt_that_the_provider_refuses_is_counted_and_stops_nothing(call: Caller) -> None:
    call.config(concurrency=1)
    refused = call.provider.asked
    call.provider.strange = lambda number: Oddity(status=400) if number == refused else None
    code, told = call("--qa", "3", "--json")
    assert (code, told["kinds"]["qa"]["made"], told["kinds"]["qa"]["unreachable"]) == (0, 3, 1)
    assert "qa-0001" not in {one.id for one in call.cases()}
    assert call.rejects() == []
