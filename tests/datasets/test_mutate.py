"""Variants of cases, by rule and by a model, and the command that makes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.cli.dataset_mutate import command
from ragproof.core import QuestionCase, UsageError, UselessReply
from ragproof.datasets import load
from ragproof.datasets.mutate import Mutated, Mutation
from ragproof.datasets.mutate_rules import Names, negated, recased, typo
from ragproof.text.edits import edits
from ragproof.wiring.loop import carried_out

CASES: list[dict[str, Any]] = [
    {
        "id": "a",
        "question": "How heavy is the battery of the Hearth X2?",
        "expected_answer": "118 kg",
        "expected_source_ids": ["x2"],
        "tags": {"topic": "weight"},
    },
    {
        "id": "b",
        "question": "Which batteries can stand outside in winter?",
        "expected_answer": "X3",
    },
    {"id": "c", "question": "What colour is the Hearth X3?", "kind": "unanswerable", "group": "g"},
    {
        "id": "d",
        "question": "Was ist das? KVX",
        "kind": "injection",
        "adversarial_payload": "MEOW_77",
    },
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GEN_MODEL", "STORE", "LLM_BASE_URL", "MAX_COST_USD"):
        monkeypatch.delenv(f"RAGPROOF_{name}", raising=False)
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(one) + "\n" for one in CASES))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def called(*said: str) -> tuple[int, Any]:
    done = CliRunner().invoke(command, ["set.jsonl", *said], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.return_value or 0, json.loads(done.stdout) if "--json" in said else done.output


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60), st.text(max_size=5))
def test_a_typo_is_one_slip_and_the_same_each_time(question: str, seed: str) -> None:
    told = typo(question, seed)
    assert told == typo(question, seed)
    if told is not None:
        assert 1 <= edits(question, told) <= 2


def test_a_typo_leaves_names_numbers_and_the_answer_alone() -> None:
    question = "Does Kiruna4 exceed Stockholm by quantity?"
    told = {typo(question, str(seed), "quantity") for seed in range(60)}
    assert len(told) > 5
    assert all(
        one and "Kiruna4" in one and "Stockholm" in one and "quantity?" in one for one in told
    )
    assert typo("Who is 12 kg?", "1") is None


def test_case_changes_nothing_else() -> None:
    told = {recased("How heavy is Åre?", str(seed)) for seed in range(20)}
    assert told == {"how heavy is åre?", "HOW HEAVY IS ÅRE?"}
    assert recased("東京は?", "1") is None


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("Which pumps are rated for use outside?", "Which pumps are not rated for use outside?"),
        ("Who may open the case?", "Who may not open the case?"),
        ("What has been recalled?", "What has not been recalled?"),
        ("Which pump is the heaviest?", None),
        ("Which pumps are not rated for use outside?", None),
        ("What does insurance cover?", None),
        ("How heavy is the X2?", None),
        ("Welche Pumpen sind im Hof?", None),
    ],
)
def test_a_negation_has_one_place_or_none(question: str, other: str | None) -> None:
    assert negated(question) == other


def test_names_are_swapped_for_those_that_stand_in_the_same_place() -> None:
    names = Names()
    names.read(["The Hearth X2, the Hearth X3 and the town of Kiruna, not the town of Lund."])
    assert names.swapped("How heavy is the Hearth X2?", "1") == "How heavy is the Hearth X3?"
    assert (
        names.swapped("Who lives in the town of Lund?", "1", ["Lund"])
        == "Who lives in the town of Kiruna?"
    )
    assert names.swapped("Is Lund cold?", "1") is None
    assert names.swapped("Who lives in the town of Lund?", "1") is None
    assert names.swapped("Is the Hearth X2 in the town of Lund?", "1", ["Hearth X2"]) == (
        "Is the Hearth X3 in the town of Lund?"
    )


def test_variants_name_their_originals_and_keep_only_labels_that_hold(folder: Path) -> None:
    code, told = called("--out", "out.jsonl", "--kinds", "typo,case,negation,entity_swap", "--json")
    assert code == 0
    assert told["variants"] == {"typo": 3, "case": 3, "negation": 1, "entity_swap": 1}
    cases = {
        one.id: one for one in load(folder / "out.jsonl").cases if isinstance(one, QuestionCase)
    }
    typed, swapped = cases["a-typo"], cases["a-entity_swap"]
    assert (typed.variant_of, typed.expected_relation) == ("a", "same_answer")
    assert (typed.expected_answer, typed.expected_source_ids) == ("118 kg", ("x2",))
    assert typed.tags == {"topic": "weight", "perturbation": "typo"}
    assert swapped.question == "How heavy is the battery of the Hearth X3?"
    assert (swapped.expected_relation, swapped.expected_answer) == ("changed_answer", None)
    assert swapped.expected_source_ids is None
    assert cases["b-negation"].question == "Which batteries can not stand outside in winter?"
    assert {cases[name].group for name in ("a", "a-typo", "a-case")} == {"a"}
    assert {cases[name].group for name in ("c", "c-typo")} == {"g"}
    assert cases["d"].group is None
    rejects = [json.loads(line) for line in (folder / "out.rejects.jsonl").read_text().splitlines()]
    assert len(rejects) == sum(told["rejected"].values()) == 8
    assert len(cases) + len(rejects) == 4 + 4 * 4


def test_the_same_seed_gives_the_same_file_and_variants_are_not_varied(folder: Path) -> None:
    for out, seed in (("1.jsonl", "5"), ("2.jsonl", "5"), ("3.jsonl", "6")):
        called("--out", out, "--seed", seed)
    one, two, three = (folder.joinpath(f"{name}.jsonl").read_text() for name in "123")
    assert one == two
    assert one != three
    (folder / "set.jsonl").write_text(one)
    _, told = called("--out", "4.jsonl", "--json")
    assert told["variants"] == {"typo": 0, "case": 0}
    assert "a case has the id of its variant already" in told["rejected"]


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_made_is_said_before_anything_is_paid() -> None:
    with pytest.raises(UsageError, match=r"no kind 'typos'.*Did you mean 'typo'"):
        called("--out", "x.jsonl", "--kinds", "typos")
    with pytest.raises(UsageError, match="go together"):
        called("--out", "x.jsonl", "--kinds", "translation")
    with pytest.raises(UsageError, match="set RAGPROOF_GEN_MODEL"):
        called("--out", "x.jsonl", "--kinds", "paraphrase")
    called("--out", "x.jsonl")
    with pytest.raises(UsageError, match="nothing is overwritten"):
        called("--out", "x.jsonl")
    assert called("--out", "y.jsonl", "--strict")[0] == 1


class Script:
    """A model that rewrites as it is told, and compares as it is told."""

    fingerprint = "script"

    def __init__(self, questions: dict[str, str], **compared: bool) -> None:
        self.questions = questions
        self.compared = {"same_meaning": True, **compared}

    async def ask(self, _prompt: Any, variables: Any, shape: Any, /, **_more: Any) -> Any:
        if "question" not in variables:
            return shape(reason="so", **self.compared)
        told = self.questions.get(variables["question"])
        if told is None:
            raise UselessReply("no usable reply")
        return shape(question=told)


QUESTION = "Which lamp belongs in the hall?"


def by_model(kind: str, told: str | None, **compared: bool) -> Mutated:
    judge = Script({} if told is None else {QUESTION: told}, **compared)
    case = QuestionCase(id="q", question=QUESTION, expected_answer="the red lamp")
    mutation = Mutation(kinds=(kind,), languages=("de",), judge=judge)
    return carried_out(mutation.of([case]))


def test_a_model_paraphrases_and_translates_and_is_read_again() -> None:
    told = by_model("paraphrase", "For the hall, what is the right lamp?")
    (_, variant) = told.cases
    assert isinstance(variant, QuestionCase)
    assert (variant.id, variant.expected_answer) == ("q-paraphrase", "the red lamp")
    (_, variant) = by_model("translation", "Welche Lampe gehört in den Flur?").cases
    assert isinstance(variant, QuestionCase)
    assert (variant.id, variant.tags["language"]) == ("q-translation-de", "de")
    assert variant.expected_answer is None  # it is in English


@pytest.mark.parametrize(
    ("kind", "told", "compared", "why"),
    [
        ("paraphrase", "which lamp belongs in the hall", {}, "is the question itself"),
        (
            "paraphrase",
            "Welche Lampe gehört in den Flur und nicht in die Küche?",
            {},
            "another lang",
        ),
        ("paraphrase", "Which lamp hangs there?", {"same_meaning": False}, "another meaning"),
        ("paraphrase", "", {}, "wrote nothing"),
        ("paraphrase", None, {}, "no usable reply"),
        ("translation", "Which is the lamp that is for the hall?", {}, "not in the language de"),
        ("translation", QUESTION, {}, "is the question itself"),
    ],
)
def test_what_a_bad_model_writes_is_turned_down(
    kind: str, told: str | None, compared: dict[str, bool], why: str
) -> None:
    found = by_model(kind, told, **compared)
    assert len(found.cases) == 1
    assert why in found.turned[0].reason


def test_a_variant_without_a_usable_reply_is_said_to_be_left() -> None:
    assert by_model("paraphrase", None).left == 1
    assert by_model("paraphrase", "").left == 0, "the model did reply"


def test_a_negation_that_no_rule_makes_is_left_to_the_model() -> None:
    told = "Which lamp does not belong in the hall?"
    assert len(by_model("negation", told, same_meaning=False, opposite=True).cases) == 2
    assert "finds no opposite" in by_model("negation", told).turned[0].reason
    alone = carried_out(Mutation(kinds=("negation",)).of([QuestionCase(id="q", question=QUESTION)]))
    assert "no model is named" in alone.turned[0].reason
