"""Test sets of other makes are read into cases, and what no case holds is counted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from sets import got, lines, one

from ragproof.cli.dataset_import import command
from ragproof.core import CaseKind, QuestionCase, UsageError
from ragproof.datasets import load
from ragproof.datasets.imports.formats import FORMATS, reader
from ragproof.wiring.dataset_import import ImportRequest, imported

DATA = Path(__file__).parents[3] / "shared" / "data"


def test_every_format_has_a_reader_and_a_wrong_name_is_told() -> None:
    assert all(callable(reader(name)) for name in FORMATS)
    with pytest.raises(UsageError, match=r"got 'ragsa'; allowed: .*Did you mean 'ragas'"):
        reader("ragsa")


def test_the_help_of_the_command_names_every_format() -> None:
    """It is written there by hand: to read it from the list would cost every command its time."""
    told = next(one for one in command.params if one.name == "form").help
    assert told == f"{', '.join(FORMATS)}."


def test_columns_are_mapped_and_the_rest_is_kept(tmp_path: Path) -> None:
    text = "key,query,gold,area,year\n7,When?,d1; d2,pumps,1999\n8,Who?,,seals,\n"
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    mapping = {"id": "key", "expected_source_ids": "gold", "tags.area": "area"}
    found, cases = got("csv", tmp_path / "t.csv", mapping=mapping)
    first, second = cases
    assert isinstance(first, QuestionCase)
    assert isinstance(second, QuestionCase)
    assert (first.id, first.question, first.expected_source_ids) == ("7", "When?", ("d1", "d2"))
    assert (first.tags, first.metadata) == ({"area": "pumps"}, {"year": "1999"})
    assert second.expected_source_ids is None
    assert found.notes.kept == {"year": 1}


@pytest.mark.parametrize(
    ("mapping", "told"),
    [
        ({"qestion": "q"}, "got 'qestion'; .*Did you mean 'question'"),
        ({"question": "quary"}, "there is no column 'quary'; there are: id, query"),
        ({}, "Say which: --map question=COLUMN"),
    ],
)
def test_a_mapping_that_cannot_be_is_told(
    mapping: dict[str, str], told: str, tmp_path: Path
) -> None:
    column = "query" if mapping else "asked"
    (tmp_path / "t.csv").write_text(f"id,{column}\n1,When?\n", encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        got("csv", tmp_path / "t.csv", mapping=mapping)


TOPICS = {
    "t.tsv": "301\tFirst topic\n302\tSecond topic\n",
    "t.txt": "<top>\n<num> Number: 301\n<title> First topic\n<desc> Description:\nMore.\n</top>\n"
    "<top>\n<num> Number: 302\n<title> Second topic\n</top>\n",
    "t.xml": '<topics><topic number="301"><query>First topic</query></topic>'
    '<topic number="302"><query>Second topic</query></topic></topics>',
    "t.jsonl": '{"id": "301", "title": "First topic", "narrative": "n"}\n'
    '{"id": "302", "title": "Second topic"}\n',
}


@pytest.mark.parametrize("name", TOPICS)
def test_topics_without_judgments_are_marked_and_have_nothing_to_score(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(TOPICS[name], encoding="utf-8")
    (tmp_path / "q").write_text("301 0 d1 2\n301 0 d2 0\n", encoding="utf-8")
    found, cases = got("trec", tmp_path / name, qrels=tmp_path / "q")
    first, second = cases
    assert isinstance(first, QuestionCase)
    assert isinstance(second, QuestionCase)
    assert (first.id, first.question) == ("301", "First topic")
    assert first.expected_source_ids == {"d1": 2, "d2": 0}
    assert (second.expected_source_ids, second.tags) == (None, {"judged": "no"})
    assert found.unjudged == 1
    (tmp_path / "q").write_text("999 0 d1 2\n", encoding="utf-8")
    with pytest.raises(UsageError, match='topic "999" is judged and not among'):
        got("trec", tmp_path / name, qrels=tmp_path / "q")


def test_a_cell_with_an_object_in_it_is_an_answer_in_json_and_a_list_several_answers(
    tmp_path: Path,
) -> None:
    text = 'question,answer\nq,"{""n"": 1, ""u"": ""kg""}"\nr,"[\'a\', \'b\']"\ns,"{not json"\n'
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    _, cases = got("csv", tmp_path / "t.csv")
    answers = [one.expected_answer for one in cases if isinstance(one, QuestionCase)]
    assert answers == ['{"n": 1, "u": "kg"}', ("a", "b"), "{not json"]


def test_a_column_that_is_looked_into_keeps_what_no_field_took_of_it(tmp_path: Path) -> None:
    """In some records it holds no object, and then it is kept as it is."""
    text = 'question,more\nq,"{""key"": ""a"", ""n"": 2}"\nr,plain\ns,"{broken"\n'
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    _, cases = got("csv", tmp_path / "t.csv", mapping={"tags.key": "more.key"})
    assert [(case.tags, case.metadata) for case in cases] == [
        ({"key": "a"}, {"more": {"n": 2}}),
        ({}, {"more": "plain"}),
        ({}, {"more": "{broken"}),
    ]


def test_a_broken_importance_of_a_nugget_is_counted(tmp_path: Path) -> None:
    nuggets = [
        {"text": "a", "importance": "vital"},
        {"text": "b", "importance": "okay"},
        {"text": "c", "importance": "failed"},
        {"importance": "vital"},
    ]
    record = {"qid": 1, "query": "When?", "nuggets": nuggets}
    found, cases = got("nuggets", lines(tmp_path / "n.jsonl", record, {**record, "qid": 2}))
    assert isinstance(cases[0], QuestionCase)
    assert [(n.text, n.vital) for n in cases[0].expected_nuggets or ()] == [
        ("a", True),
        ("b", False),
        ("c", False),
    ]
    lost = "importance neither vital nor okay, taken for okay"
    assert found.notes.lost == {lost: 2, "nugget without a text": 2}


def test_nuggets_of_freshstack_carry_their_judgments_and_the_day(tmp_path: Path) -> None:
    nuggets = [
        {
            "_id": "7_0",
            "text": "n1",
            "relevant_corpus_ids": ["a"],
            "non_relevant_corpus_ids": ["b", "c"],
        },
        {"text": "n2", "relevant_corpus_ids": ["b"]},
    ]
    record = {
        **{"query_id": "7", "query_title": "T", "query_text": "Q", "answer_text": "A"},
        **{"nuggets": nuggets, "metadata": {"timestamp": "2024-05-06T07:08:09Z"}},
    }
    source = lines(tmp_path / "f.jsonl", record)
    case = one("freshstack", source, revision="oct-2024", day="2024-10-01")
    assert case.question == "T Q"
    assert case.expected_source_ids == {"a": 1, "b": 1, "c": 0}
    assert case.metadata["nugget_ids"] == ["7_0"]
    assert str(case.as_of) == "2024-05-06"
    pinned = {"format": "freshstack", "revision": "oct-2024", "date": "2024-10-01"}
    assert case.metadata["imported"] == pinned


def test_where_a_set_comes_from_is_pinned_beside_it(tmp_path: Path) -> None:
    source = lines(tmp_path / "s.jsonl", {"id": "a", "question": "q", "answer": "x", "more": 1})
    found, cases = got("json", source, task="multimodal_to_text", revision="v2")
    assert cases[0].tags == {"task": "multimodal_to_text"}
    told = json.loads(found.sidecar.read_text(encoding="utf-8"))
    assert (told["revision"], told["task"], told["cases"]) == ("v2", "multimodal_to_text", 1)
    assert told["kept_as_metadata"] == {"more": 1}
    assert len(told["files"]["s.jsonl"]) == 64


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"question": "q", "id": "a"}\n{"question": "r", "id": "a"}', "already the id of the rec"),
        ('{"question": "q"}\n{"question": ', r"s\.jsonl:2: not JSON"),
        ('{"question": " ", "id": "a"}', "question: got"),
        ('{"question": []}', "question: missing"),
        ('{"question": {}}', "question: missing"),
        ("[1]", "allowed: an object"),
        ("", "nothing to import"),
    ],
)
def test_what_cannot_be_imported_is_told_with_its_place(
    text: str, told: str, tmp_path: Path
) -> None:
    source = tmp_path / "s.jsonl"
    source.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        got("json", source)
    assert not (tmp_path / "out.jsonl").exists()


def test_passages_of_nomiracl_are_told_apart_or_unjudged(tmp_path: Path) -> None:
    passages = {"positive_passages": [{"docid": "p", "title": "T", "text": "t"}]}
    record = {"query_id": "1", "query": "When?", "negative_passages": [{"docid": "n", "text": "u"}]}
    case = one("nomiracl", lines(tmp_path / "a.jsonl", {**record, **passages}))
    assert case.expected_source_ids == {"p": 1, "n": 0}
    none = one("nomiracl", lines(tmp_path / "b.jsonl", record))
    assert (none.kind, none.distractor_source_ids) == (CaseKind.UNANSWERABLE, ("n",))
    prompt = "QUESTION:\nWhen?\n\nCONTEXTS:\n[1] T: first\n\n[2] U: second\n\nOUTPUT:\n"
    packed = tmp_path / "relevant.jsonl.gz"
    row = {"query_id": "1", "docids": ["x", "y"], "prompt": prompt}
    packed.write_bytes(gzip.compress(json.dumps(row).encode()))
    docs = tmp_path / "docs.jsonl"
    case = one("nomiracl", packed, corpus_out=docs)
    assert (case.question, case.tags) == ("When?", {"judged": "no"})
    assert json.loads(docs.read_text().splitlines()[1]) == {
        "id": "y",
        "text": "second",
        "title": "U",
    }
    with pytest.raises(UsageError, match="must begin with non_relevant or relevant"):
        got("nomiracl", lines(tmp_path / "c.jsonl", row))


SELECTED = 299
"""Answerable questions of CLAPNQ of which annotators selected a sentence."""
SETS = [
    ("nuggets", "rag24_autonuggets/nuggets/rag24_nuggets_mistral.jsonl", 301),
    ("clapnq", "clapnq/clapnq_dev_answerable.jsonl", 300),
    ("clapnq", "clapnq/clapnq_dev_unanswerable.jsonl", 300),
    ("nomiracl", "nomiracl/relevant.en.test.vanilla_prompt.jsonl.gz", 250),
    ("nomiracl", "nomiracl/non_relevant.en.test.vanilla_prompt.jsonl.gz", 250),
]


@pytest.mark.shared_data
@pytest.mark.parametrize(("form", "name", "number"), SETS)
def test_real_sets_are_read_whole(form: str, name: str, number: int, tmp_path: Path) -> None:
    if not (DATA / name).is_file():
        pytest.skip(f"{DATA / name} is absent")
    out, docs = tmp_path / "o.jsonl", tmp_path / "docs.jsonl"
    has_documents = form != "nuggets"
    found = imported(
        ImportRequest(
            form=form, source=DATA / name, out=out, corpus_out=docs if has_documents else None
        )
    )
    cases = [case for case in load(out).cases if isinstance(case, QuestionCase)]
    assert found.cases == len(cases) == number
    if form == "nuggets":
        assert sum(len(case.expected_nuggets or ()) for case in cases) == 6145
    if has_documents:
        texts = {row["id"]: row for row in map(json.loads, docs.read_text().splitlines())}
        named = [source for case in cases for source in case.distractor_source_ids or ()]
        spans = [span for case in cases for span in case.expected_spans or ()]
        assert {*named, *(span.document_id for span in spans)} <= texts.keys()
        assert all(texts[one.document_id]["text"][one.start : one.end].strip() for one in spans)
    if "unanswerable" in name or "non_relevant" in name:
        assert {case.kind for case in cases} == {CaseKind.UNANSWERABLE}
    if "clapnq_dev_answerable" in name:
        assert all(case.expected_answer for case in cases)
        assert sum(case.expected_spans is not None for case in cases) == SELECTED
