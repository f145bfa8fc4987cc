"""Dataset files as people write them, and every fault named with its line."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ragproof.core import (
    Boundary,
    CaseKind,
    Document,
    DocumentCase,
    Mention,
    Nugget,
    QuestionCase,
    Relation,
    Section,
    SourceSpan,
    Split,
    Turn,
    TypedSpan,
    UsageError,
)
from ragproof.datasets import Dataset, dump, load


def dataset(folder: Path, *lines: str | dict[str, Any], name: str = "d.jsonl") -> Path:
    path = folder / name
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_bytes("".join(f"{text}\n" for text in texts).encode())
    return path


def case(**fields: Any) -> dict[str, Any]:
    return {"id": "q1", "question": "When?", **fields}


def loaded(folder: Path, *lines: str | dict[str, Any]) -> Dataset:
    return load(dataset(folder, *lines))


def fault(folder: Path, *lines: str | dict[str, Any]) -> str:
    with pytest.raises(UsageError) as caught:
        loaded(folder, *lines)
    return str(caught.value).replace(f"{folder}/", "")


EVERYTHING = QuestionCase(
    id="q1",
    kind=CaseKind.INJECTION,
    group="g",
    tags={"intent": "refund"},
    split=Split.RELEASE,
    metadata={"a": [1, {"b": None}]},
    question="Wann?",
    expected_source_ids={"a": 2, "b": 0},
    expected_spans=(SourceSpan(document_id="d", start=0, end=3),),
    expected_answer=("x", "y"),
    expected_nuggets=(Nugget(text="n", vital=True, aliases=("m",)),),
    adversarial_payload="MARK",
    planted_source_ids=("p",),
    distractor_source_ids=("e",),
    superseded_source_ids=("s",),
    as_of=date(2026, 1, 31),
    eligible_source_ids=("a", "b"),
    expected_filter={"year": 2026},
    expected_intent="refund",
    expected_route="faq",
    expected_entities=(Mention(start=0, end=1, text="W", entity_id=None),),
    expected_schema={"type": "object"},
    answerable_from_context=False,
    history=(Turn(role="user", content="hi"),),
    caller={"role": "nurse"},
    variant_of="q0",
    expected_relation=Relation.NO_ANSWER,
)
DOCUMENT = DocumentCase(
    id="d1",
    document=Document(text="abc"),
    expected_text="",
    document_class="memo",
    expected_tables=("<table></table>",),
    expected_language="de",
    expected_title="T",
    expected_boilerplate=((0, 1), (2, 3)),
    expected_pii=(TypedSpan(start=0, end=1, type="EMAIL"),),
    expected_named_entities=(TypedSpan(start=1, end=1, type="PER"),),
    expected_relations=(("a", "is", "b"),),
    duplicate_group="g",
    expected_sections=(Section(path=("A", "B"), start=0, end=3),),
    expected_boundaries=(Boundary(at=3, sensible=True),),
)


def test_every_field_of_a_case_is_read_and_written(tmp_path: Path) -> None:
    original = QuestionCase(id="q0", question="?")
    read = loaded(tmp_path, dump(original), dump(EVERYTHING), dump(DOCUMENT))
    assert read.cases == (original, EVERYTHING, DOCUMENT)
    for one in (EVERYTHING, DOCUMENT):
        unset = {f.name for f in dataclasses.fields(one) if getattr(one, f.name) is None}
        assert unset <= {"expected_elements", "group", "split"}, "a new field belongs in this test"


def test_a_case_needs_an_id_and_a_question_only(tmp_path: Path) -> None:
    assert loaded(tmp_path, case()).cases == (QuestionCase(id="q1", question="When?"),)


def test_the_name_is_the_files(tmp_path: Path) -> None:
    read = loaded(tmp_path, case())
    assert (read.name, read.path) == ("d", tmp_path / "d.jsonl")


def test_marks_line_ends_and_blank_lines_make_no_difference(tmp_path: Path) -> None:
    plain = loaded(tmp_path, case(id="a"), case(id="b", question="x\u2028y"))
    text = '{"id":"a","question":"When?"}\r\n\r\n{"question":"x\u2028y","id":"b"}'
    path = tmp_path / "e.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert load(path).cases == plain.cases
    assert load(path).hash == plain.hash


def test_a_question_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    long = "x" * 10_000_000
    assert loaded(tmp_path, case(question=long)).cases[0] == QuestionCase(id="q1", question=long)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": 1}, 'id: got 1; allowed: a string. Put quotes around it: "1"'),
        ({"id": ""}, 'id: got ""; allowed: a text that is not empty'),
        ({"id": "a\nb"}, "without the control character U+000A"),
        ({"id": "a\0"}, "without the control character U+0000"),
        ({"group": " "}, "group: got"),
        ({"tags": {"a": 1}}, 'tags.a: got 1; allowed: a string. Put quotes around it: "1"'),
        ({"tags": {"a": "\x07"}}, "tags.a: got"),
        ({"tags": {"": "a"}}, "allowed: a tag name that is not empty"),
        ({"question": " \n"}, "question: got"),
        ({"question": None}, "question: got null; allowed: a string"),
        ({"kind": "QA"}, "Did you mean 'qa'?"),
        ({"kind": ["qa"]}, "kind: got a list of 1; allowed: qa, unanswerable"),
        ({"qestion": "x"}, "qestion: unknown key. Did you mean 'question'?"),
        ({"split": "dev"}, "allowed: development, calibration, release or monitoring"),
        ({"expected_source_ids": "a"}, "allowed: a list of strings or a mapping of names"),
        ({"expected_source_ids": {"a": 1.0}}, "expected_source_ids.a: got 1.0; allowed: a whole"),
        ({"expected_source_ids": {"a": True}}, "expected_source_ids.a: got true"),
        ({"expected_source_ids": ["a", 5]}, "expected_source_ids.1: got 5; allowed: a string"),
        ({"expected_answer": 42}, "allowed: a string or a list of strings"),
        (
            {"expected_spans": [{"document_id": "d", "start": 3, "end": 2}]},
            "expected_spans.0: got start 3, end 2; allowed: 0 <= start <= end",
        ),
        (
            {"expected_entities": [{"start": -1, "end": 2, "text": "x"}]},
            "expected_entities.0: got start -1, end 2",
        ),
        ({"as_of": "31.01.2026"}, 'got "31.01.2026"; allowed: a date (YYYY-MM-DD)'),
        ({"as_of": 20260131}, "got 20260131; allowed: a date (YYYY-MM-DD)"),
        ({"answerable_from_context": "yes"}, "allowed: true or false"),
        ({"variant_of": "q9"}, 'variant_of: got "q9"; allowed: the id of another case'),
        ({"variant_of": "q1"}, "a case cannot vary itself"),
        ({"history": [{"role": "user"}]}, "history.0.content: missing; needed: a string"),
    ],
)
def test_a_fault_is_told_with_line_case_and_field(
    tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    told = fault(tmp_path, case(id="q0"), case(**fields))
    assert told.startswith("d.jsonl:2")
    assert message in told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, "document: got neither path nor text; allowed: one of the two"),
        ({"path": "a.txt", "text": "a"}, "document: got both path and text"),
        ({"path": "none.txt"}, 'document.path: there is no file "none.txt" beside the dataset'),
        ({"pth": "a"}, "document.pth: unknown key. Did you mean 'path'?"),
    ],
)
def test_a_document_is_a_file_or_a_text(
    tmp_path: Path, document: dict[str, str], message: str
) -> None:
    assert message in fault(tmp_path, {"id": "d", "kind": "document", "document": document})


def test_a_documents_path_is_relative_to_the_dataset(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("x")
    line = {"id": "d", "kind": "document", "document": {"path": "sub/a.txt"}}
    assert loaded(tmp_path, line).cases == (
        DocumentCase(id="d", document=Document(path="sub/a.txt")),
    )


def test_spans_of_documents_are_checked(tmp_path: Path) -> None:
    line = {"id": "d", "kind": "document", "document": {"text": "x"}}
    assert "expected_boilerplate.1: got start 2" in fault(
        tmp_path, {**line, "expected_boilerplate": [[0, 1], [2, 1]]}
    )
    assert "expected_pii.0: got start -1" in fault(
        tmp_path, {**line, "expected_pii": [{"start": -1, "end": 1, "type": "X"}]}
    )


def test_a_field_of_the_other_kind_is_unknown(tmp_path: Path) -> None:
    line = {"id": "d", "kind": "document", "document": {"text": "x"}, "question": "?"}
    assert "question: unknown key" in fault(tmp_path, line)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a", "question": "x", "id": "b"}', 'd.jsonl:1: key "id" is there twice'),
        ('{"id": "a", "question": "x", "metadata": {"a": NaN}}', "NaN is not a number"),
        ('{"id": "a", "question": "x", "metadata": {"a": 1e999}}', "too large"),
        ('["id"]', "d.jsonl:1: got a list of 1; allowed: a JSON object"),
        ("{'id': 1}", "d.jsonl:1: not JSON"),
        ('{"id": "a", "question": "x\\ud800"}', "question: holds the lone surrogate U+D800"),
        ('{"id": "a", "question": "x", "metadata": {"\\udc00": 1}}', "metadata: holds the lone"),
        (
            '{"id": "a", "question": "x", "metadata": ' + "[" * 500 + "]" * 500 + "}",
            "nested too deep",
        ),
    ],
)
def test_json_that_is_not_what_it_seems_is_refused(tmp_path: Path, line: str, message: str) -> None:
    assert message in fault(tmp_path, line)


def test_an_id_twice_names_both_lines(tmp_path: Path) -> None:
    told = fault(tmp_path, case(id="a"), "", case(id="b"), case(id="a"))
    assert told == 'd.jsonl:4 (case "a"): id: already the id of the case at d.jsonl:1'


def test_a_variant_may_stand_before_its_original(tmp_path: Path) -> None:
    assert len(loaded(tmp_path, case(id="v", variant_of="o"), case(id="o")).cases) == 2


def test_a_variant_of_a_faulty_case_is_no_second_fault(tmp_path: Path) -> None:
    told = fault(tmp_path, case(id="v", variant_of="o"), case(id="o", split="x"))
    assert told.startswith('d.jsonl:2 (case "o"): split')


def test_twenty_faults_are_shown_and_all_counted(tmp_path: Path) -> None:
    told = fault(tmp_path, *(case(id=str(i), qestion=1) for i in range(300))).splitlines()
    assert len(told) == 21
    assert told[-1] == "... 300 faults in all"


@pytest.mark.parametrize("lines", [(), ("", "  ")])
def test_an_empty_dataset_is_an_error(tmp_path: Path, lines: tuple[str, ...]) -> None:
    assert "the dataset is empty" in fault(tmp_path, *lines)


def test_bad_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_bytes(b'{"id":"a","question":"x"}\n{"id":"b","question":"\xff"}\n')
    with pytest.raises(UsageError, match=r"d\.jsonl:2: byte 0xff at offset 48"):
        load(path)
