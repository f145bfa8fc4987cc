"""What other tools write of their test sets is read: in each form that they write it in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sets import document, got, lines, one

from ragproof.core import QuestionCase, UsageError


def test_both_generations_of_ragas_are_read(tmp_path: Path) -> None:
    new = {
        "user_input": "When?",
        "reference": "Now.",
        "reference_contexts": ["a text"],
        "synthesizer_name": "single_hop",
    }
    case = one("ragas", lines(tmp_path / "r.jsonl", new))
    assert (case.question, case.expected_answer) == ("When?", "Now.")
    assert case.tags == {"synthesizer": "single_hop"}
    assert case.metadata == {"reference_contexts": ["a text"]}
    assert case.expected_source_ids is None
    old = one("ragas", document(tmp_path / "r.json", [{"question": "q", "ground_truth": "g"}]))
    assert (old.question, old.expected_answer) == ("q", "g")


def test_goldens_of_deepeval_form_groups_by_their_file(tmp_path: Path) -> None:
    golden = {"input": "When?", "expected_output": "Now.", "source_file": "a.pdf", "context": None}
    case = one("deepeval", document(tmp_path / "d.json", {"goldens": [golden]}))
    assert (case.question, case.expected_answer, case.group) == ("When?", "Now.", "a.pdf")


def test_a_csv_of_ragas_has_lists_as_python_shows_them(tmp_path: Path) -> None:
    """As `EvaluationDataset.to_csv` writes them."""
    text = (
        "user_input,reference,reference_context_ids,query_style\n"
        "When?,Now.,\"['d1', 2]\",formal\n"
        "\"[{'content': 'Hi', 'type': 'human'}, {'content': \"\"Ada's\"\", 'type': 'ai'}, "
        "{'content': 'When?', 'type': 'human'}, {'content': 'Now.', 'type': 'ai'}]\",Now.,,\n"
    )
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    found, cases = got("ragas", tmp_path / "r.csv")
    first, second = cases
    assert isinstance(first, QuestionCase)
    assert isinstance(second, QuestionCase)
    assert first.expected_source_ids == ("d1", "2")
    assert first.tags == {"query_style": "formal"}
    assert second.question == "When?"
    assert [turn.content for turn in second.history or ()] == ["Hi", "Ada's"]
    assert found.notes.lost == {"message after the last question": 1}


def test_a_conversational_golden_asks_in_its_turns_and_without_them_not_at_all(
    tmp_path: Path,
) -> None:
    turns = [
        {"role": "user", "content": "Hi", "user_id": None},
        {"role": "assistant", "content": "Yes?"},
        {"role": "user", "content": "When?"},
    ]
    goldens = [
        {"scenario": "Ada wants a refund.", "turns": None, "expected_outcome": "She gets it."},
        {"scenario": "Bob asks.", "turns": turns, "expected_outcome": "He knows."},
        {"scenario": "Bob asks.", "turns": json.dumps(turns), "name": "b"},
    ]
    found, cases = got("deepeval", lines(tmp_path / "g.jsonl", *goldens))
    assert found.notes.left_out == {"scenario without turns": 1}
    for case in cases:
        assert isinstance(case, QuestionCase)
        assert (case.question, case.expected_answer) == ("When?", None)
        assert [turn.role for turn in case.history or ()] == ["user", "assistant"]
        assert case.metadata["scenario"] == "Bob asks."
    assert cases[0].metadata["expected_outcome"] == "He knows."


def test_examples_of_langsmith_may_be_messages(tmp_path: Path) -> None:
    messages = [
        {"type": "human", "content": "Hello"},
        {"type": "ai", "content": "Yes?"},
        {"type": "human", "content": "When?"},
    ]
    example = {
        "id": "e1",
        "inputs": {"messages": messages, "tenant": "x"},
        "outputs": {"answer": "Now."},
        "metadata": {"dataset_split": ["base", "hard"], "origin": "log"},
    }
    case = one("langsmith", lines(tmp_path / "l.jsonl", example))
    assert (case.id, case.question, case.expected_answer) == ("e1", "When?", "Now.")
    assert [turn.role for turn in case.history or ()] == ["user", "assistant"]
    assert case.tags == {"split": "base+hard"}
    assert case.metadata == {"origin": "log", "inputs": {"tenant": "x"}}


def test_archived_items_of_langfuse_are_left_out_and_counted(tmp_path: Path) -> None:
    items = [
        {"id": "a", "input": {"question": "When?"}, "expectedOutput": "Now.", "status": "ACTIVE"},
        {"id": "b", "input": "Who?", "expectedOutput": {"text": "I", "n": 1}, "status": "ACTIVE"},
        {"id": "c", "input": "Old?", "status": "ARCHIVED"},
    ]
    found, cases = got("langfuse", document(tmp_path / "l.json", {"data": items, "meta": {}}))
    assert [case.id for case in cases] == ["a", "b"]
    assert found.notes.left_out == {"archived": 1}
    assert isinstance(cases[1], QuestionCase)
    assert json.loads(str(cases[1].expected_answer)) == {"text": "I", "n": 1}


def test_examples_of_phoenix_are_read(tmp_path: Path) -> None:
    example = {"id": "x1", "input": {"query": "When?"}, "output": {"answer": "Now."}}
    listed = {"data": {"dataset_id": "D", "version_id": "V", "examples": [example]}}
    case = one("phoenix", document(tmp_path / "p.json", listed))
    assert (case.id, case.question, case.expected_answer) == ("x1", "When?", "Now.")


PHOENIX = (
    "example_id,input_question,output_answer,metadata_level\nx1,When?,Now.,easy\n",
    "example_id,input,output,metadata\n"
    "x1,{'question': 'When?'},{'answer': 'Now.'},{'level': 'easy'}\n",
)


@pytest.mark.parametrize("text", PHOENIX)
def test_both_tables_of_phoenix_are_read(text: str, tmp_path: Path) -> None:
    """That of the server, a column a part, and that of the client, an object a column."""
    (tmp_path / "p.csv").write_text(text.replace("{", '"{').replace("}", '}"'), encoding="utf-8")
    case = one("phoenix", tmp_path / "p.csv")
    assert (case.id, case.question, case.expected_answer) == ("x1", "When?", "Now.")
    assert case.metadata == {"level": "easy"}


def test_a_file_of_phoenix_for_openai_evals_has_its_answer_beside_the_messages(
    tmp_path: Path,
) -> None:
    line = {"messages": [{"role": "user", "content": "When?"}], "ideal": "Now."}
    case = one("phoenix", lines(tmp_path / "e.jsonl", line))
    assert (case.question, case.expected_answer) == ("When?", "Now.")


PROMPTFOO = """
prompts: [p.txt]
defaultTest: {vars: {lang: en}}
tests:
  - description: first
    vars: {question: 'When?'}
    assert:
      - {type: icontains, value: now}
      - {type: contains-all, value: [a, b]}
      - {type: llm-rubric, value: is polite}
      - {type: equals, value: '{{expected}}'}
  - vars: {question: 'Who?'}
"""


def test_assertions_of_promptfoo_that_name_an_answer_are_taken(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(PROMPTFOO, encoding="utf-8")
    found, cases = got("promptfoo", tmp_path / "p.yaml")
    first = cases[0]
    assert isinstance(first, QuestionCase)
    assert (first.question, first.expected_answer) == ("When?", "now")
    assert [nugget.text for nugget in first.expected_nuggets or ()] == ["a", "b"]
    assert found.notes.lost == {"assert llm-rubric": 1, "assert equals": 1}
    assert found.notes.kept == {"vars.lang": 2, "description": 1}


ASSERT_SETS = """
defaultTest: file://shared.yaml
scenarios: [{config: [], tests: []}]
tests:
  - vars: {question: 'When?', context: {a: 1}}
    assert:
      - type: assert-set
        assert:
          - {type: contains-any, value: 'now, "soon, or later"'}
          - {type: rouge-n, value: At once.}
      - {type: icontains-all, value: 'x, y'}
      - file://more.yaml
"""


def test_sets_of_assertions_and_lists_in_one_text_are_taken_apart(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(ASSERT_SETS, encoding="utf-8")
    found, cases = got("promptfoo", tmp_path / "p.yaml")
    first = cases[0]
    assert isinstance(first, QuestionCase)
    assert first.expected_answer == ("now", "soon, or later", "At once.")
    assert [nugget.text for nugget in first.expected_nuggets or ()] == ["x", "y"]
    lost = {"scenario": 1, "defaultTest in another file": 1, "assert in another place": 1}
    assert found.notes.lost == lost


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("{vars: file://v.yaml}", "vars: got .*that stand in this file"),
        ("{vars: {question: [a, b]}}", "A list stands for several tests"),
        ("{vars: {question: a}, metadata: file://m.yaml}", "metadata: got .*in this file"),
        ("file://tests.csv", "allowed: a test with `vars`"),
    ],
)
def test_what_lies_in_another_file_of_promptfoo_is_told(
    test: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "p.yaml").write_text(f"tests:\n  - {test}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=f"p.yaml:2: .*{told}"):
        got("promptfoo", tmp_path / "p.yaml")


@pytest.mark.parametrize(
    ("form", "record", "told"),
    [
        (
            "clapnq",
            {"id": "1", "input": "q", "passages": "p"},
            'passages: got "p"; allowed: a list',
        ),
        ("clapnq", {"input": "q", "passages": []}, "id: got null; allowed: a text or a whole"),
        (
            "clapnq",
            {"id": 1, "input": "q", "passages": [{"text": "p"}, {}]},
            "passages.1: text: got null; allowed: a text",
        ),
        (
            "clapnq",
            {"id": 1, "input": "q", "passages": [], "output": [{"answer": 5}]},
            "output: answer: got 5; allowed: a text",
        ),
        (
            "nomiracl",
            {"query_id": 1, "query": "q", "positive_passages": ["d"]},
            'positive_passages.0: got "d"; allowed: an object',
        ),
        (
            "nomiracl",
            {"query_id": 1, "query": "q", "negative_passages": [{}]},
            "negative_passages.0: docid: got null; allowed: a text or a whole number",
        ),
        (
            "nomiracl",
            {"query_id": 1, "query": "q", "positive_passages": [], "answers": "abc"},
            'answers: got "abc"; allowed: a list',
        ),
        (
            "freshstack",
            {
                "query_id": 1,
                "query_title": "q",
                "nuggets": [{"text": "n", "relevant_corpus_ids": "abc"}],
            },
            'nuggets.0: relevant_corpus_ids: got "abc"; allowed: a list',
        ),
        ("json", {"question": "q", "tags": "x"}, 'tags: got "x"; allowed: a mapping'),
    ],
)
def test_what_has_another_shape_is_told_with_its_place_and_never_taken_apart(
    form: str, record: dict[str, object], told: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as fault:
        got(form, lines(tmp_path / "x.jsonl", record))
    assert "x.jsonl:1: " in str(fault.value)
    assert told in str(fault.value)
