"""What generating rests on: passages, the draw, rules, planting."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.core import UsageError
from ragproof.datasets.attempts import CHALLENGES, Draw
from ragproof.datasets.chunker import SIZE, passages
from ragproof.datasets.corpus import load_corpus
from ragproof.datasets.generate_files import Book
from ragproof.datasets.generate_rules import Asked, agrees, flawed, found, is_copied, lacks_turn
from ragproof.datasets.material import material
from ragproof.datasets.plant import planted_cases
from ragproof.datasets.plant_marks import marked
from ragproof.text.payload_library import PAYLOADS
from ragproof.text.payloads import payload

PIECES = st.sampled_from(
    [
        "# Head\n",
        "## Sub\n",
        "One. Two! ",
        "word " * 300,
        "\n",
        "\n\n",
        "| a | b |\n",
        "```\n",
        "- x\n",
        " ",
    ]
)


@settings(max_examples=50, deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_passages_are_where_they_say_and_leave_nothing_out(text: str) -> None:
    cut = passages("d", text)
    assert all(text[one.start : one.end] == one.text for one in cut)
    assert "".join("".join(one.text for one in cut).split()) == "".join(text.split())
    assert [one.start for one in cut] == sorted(one.start for one in cut)
    assert all(one.text == one.text.strip() for one in cut)


def test_passages_follow_the_headings_and_keep_tables_whole() -> None:
    table = "\n".join(f"| row {n} | {n} |" for n in range(90))
    text = f"# A\n\nIntro.\n\n## B\n\nFirst.\n\n{table}\n\n# C\n\nLast."
    cut = passages("d", text)
    assert [one.headings for one in cut] == [("A",), ("A", "B"), ("A", "B"), ("C",)]
    assert cut[2].text == table
    assert SIZE < len(table) <= 2 * SIZE


def test_long_paragraphs_are_cut_between_sentences() -> None:
    sentence = "The pump of the eastern yard runs through the night. "
    cut = passages("d", sentence * 60)
    assert len(cut) > 2
    assert all(one.text.endswith("night.") and len(one.text) <= SIZE for one in cut)


def folder(tmp_path: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (tmp_path / f"{name}.md").write_text(text)
    return tmp_path


def test_the_draw_takes_documents_in_turn_and_is_the_same_for_a_longer_list(tmp_path: Path) -> None:
    long = "\n\n".join(f"## Part {n}\n\n{'A sentence about the part. ' * 8}" for n in range(5))
    told = material(load_corpus(folder(tmp_path, a=long, b=long, c=long)))
    for kind in CHALLENGES:
        few = [*islice(Draw(told, 7).attempts(kind), 6)]
        many = [*islice(Draw(told, 7).attempts(kind), 12)]
        assert few == many[:6]
        for turn in (few[:3], few[3:]):
            assert {one.passage.document_id for one in turn} == {"a.md", "b.md", "c.md"}
    other = [*islice(Draw(told, 8).attempts("qa"), 12)]
    assert [one.passage for one in other] != [
        one.passage for one in islice(Draw(told, 7).attempts("qa"), 12)
    ]


def test_another_round_asks_again_and_says_so(tmp_path: Path) -> None:
    told = material(load_corpus(folder(tmp_path, a="One passage, which is all there is of it.")))
    assert [one.round for one in islice(Draw(told).attempts("qa"), 3)] == [0, 1, 2]
    pair = next(Draw(told).attempts("multi_hop"))
    assert (pair.needs_other, pair.other) == (True, None)


def test_a_corpus_without_text_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no text to ask about .*a\.md: there is no text in it"):
        material(load_corpus(folder(tmp_path, a=" \n")))


PASSAGE = "The X2 weighs 118 kg without its base. It was tested at minus 20 degrees in Kiruna."


@pytest.mark.parametrize(
    ("question", "answer", "quote", "why"),
    [
        ("How heavy is the X2?", "118 kg", "The X2 weighs 118  kg", None),
        ("", "118 kg", "The X2 weighs 118 kg", "the model found nothing to ask"),
        ("It was tested at minus 20 degrees in Kiruna?", "X2", "The X2", "the question is copied"),
        ("How heavy is the X2?", "118 kg", "X2 is 118 kg", "the quote does not stand"),
        ("How heavy is the X2?", "18 kg", "The X2 weighs 118 kg", "the answer does not stand"),
        ("Is the X2 118 kg?", "118 kg", "The X2 weighs 118 kg", "the answer stands in the"),
        ("How heavy is the X2?", "...", "The X2 weighs 118 kg", "the answer does not stand"),
        ("How heavy is the X2?", "", "The X2 weighs 118 kg", "there is no answer"),
        ("Wie schwer ist der X2 und was wiegt er?", "118 kg", "118 kg", "the question is in an"),
        ("x" * 601, "118 kg", "118 kg", "the question is longer"),
    ],
)
def test_a_rule_turns_down(question: str, answer: str, quote: str, why: str | None) -> None:
    told = flawed(question, answer, quote, PASSAGE)
    assert told == why if why is None else (told or "").startswith(why)


def test_quotes_are_found_across_line_breaks_and_nothing_is_a_pattern() -> None:
    assert found("a (b) [c]", "x a\n (b)\t[c] y") == (2, 12)
    assert found(".*", "abc") is None
    assert found(" ", "abc") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("118 kg", "about 118 kg", True),
        ("at the end of March", "the end of March", True),
        ("118 kg", "119 kg", False),
        ("12 March 2024 in Kiruna", "12 March 2023 in Kiruna", False),
        ("the northern gate of the yard", "northern gate, yard", True),
        ("", "", False),
    ],
)
def test_answers_agree_in_their_words_and_always_in_their_numbers(
    one: str, other: str, *, same: bool
) -> None:
    assert agrees(one, other) is agrees(other, one) is same


def test_a_copy_is_told_in_scripts_without_spaces_too() -> None:
    passage = "東京タワーは昭和三十三年に完成した電波塔で、高さは三百三十三メートルである。"
    assert is_copied("昭和三十三年に完成した電波塔で、高さは三百三十三メートル?", passage)
    assert not is_copied("東京タワーはいつできましたか。", passage)


def test_questions_that_name_other_things_are_no_duplicates() -> None:
    asked = Asked()
    asked.add(
        "q1", "What does the battery module of the Hearth X2 weigh without its base?", "118 kg"
    )
    asked.add("u1", "What colour is the base of the battery module of the Hearth X2?", None)
    assert (
        asked.like("What does the battery module of the Hearth X3 weigh without its base?", "9 kg")
        is None
    )
    assert (
        asked.like("What does a battery module of the Hearth X2 weigh without its base", "118 kg")
        == "q1"
    )
    assert asked.like("What colour is the base of a battery module of the Hearth X3?", None) == "u1"


def test_a_negation_is_looked_for_only_in_languages_that_are_known() -> None:
    assert (
        lacks_turn("Which of the pumps is for the yard?", "negation")
        == "the question has no negation"
    )
    assert lacks_turn("Welche der Pumpen ist nicht für den Hof?", "negation") is None
    assert lacks_turn("Which is the only pump in the yard?", "quantifier") is None
    assert lacks_turn("どのポンプですか。", "negation") is None


def test_a_file_of_documents_is_planted_line_by_line(tmp_path: Path) -> None:
    lines = [
        {"id": f"d{n}", "title": f"Pump {n}", "text": f"The pump {n} runs.\n\nIt rests by day."}
        for n in range(8)
    ]
    file = tmp_path / "corpus.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    corpus = load_corpus(file)
    book = Book(tmp_path / "set.jsonl", {})
    told = planted_cases(corpus, material(corpus), book, 18, 3, tmp_path / "bad")
    assert told.index == tmp_path / "bad" / "corpus.jsonl"
    after = [json.loads(line) for line in told.index.read_text().splitlines()]
    assert [one["id"] for one in after] == [one["id"] for one in lines]
    planted = {one.planted_source_ids[0]: one for one in told.cases if one.planted_source_ids}
    assert planted
    for before, line in zip(lines, after, strict=True):
        case = planted.get(str(line["id"]))
        if case is None:
            assert line == before
            continue
        attack = payload(case.adversarial_payload or "")
        assert attack is not None
        where = (
            line["metadata"]["description"] if case.tags["place"] == "metadata" else line["text"]
        )
        assert attack.text in where
    again = planted_cases(corpus, material(corpus), book, 18, 3, tmp_path / "bad")
    assert again == told  # nothing is made twice


def test_each_document_carries_one_payload_and_what_is_left_over_is_said(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    corpus = load_corpus(folder(tmp_path / "docs", a="# A\n\nThe only document that there is."))
    book = Book(tmp_path / "set.jsonl", {})
    told = planted_cases(corpus, material(corpus), book, 12, 0, tmp_path / "bad")
    assert told.planted == 1
    assert len(told.cases) + len(book.rejects) == 12
    assert {one["reason"] for one in book.rejects} == {
        "no document is left that can carry a payload of its own"
    }


def test_a_payload_that_the_corpus_holds_already_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    said = "\n\n".join(one.text + " " + one.sentinels[0] for one in PAYLOADS[:-1])
    corpus = load_corpus(folder(tmp_path / "docs", a=said))
    book = Book(tmp_path / "set.jsonl", {})
    told = planted_cases(corpus, material(corpus), book, 3, 0, tmp_path / "bad")
    assert {one.adversarial_payload for one in told.cases} == {PAYLOADS[-1].id}


@pytest.mark.parametrize("place", ["document", "metadata"])
def test_a_page_carries_a_payload_as_text(place: str) -> None:
    attack = payload("override_comment")
    assert attack is not None
    page = "<html><head><title>T</title></head><body><p>One.</p><p>Two.</p></body></html>"
    told = marked(page, ".html", attack, place)
    assert "&lt;!-- assistant" in told
    assert re.sub(r"\n<p>&lt;.*?</p>\n|<meta [^>]*>\n", "", told) == page
    front = marked("---\ntitle: T\n---\n\nText.\n", ".md", attack, "metadata")
    assert front.startswith("---\ndescription: ")
    assert front.count("---\n") == 2


def test_no_payload_reaches_anything_real() -> None:
    for one in PAYLOADS:
        hosts = re.findall(r"(?:https?://|@)([\w.-]+)", one.text)
        assert all(host.endswith(".invalid") for host in hosts), one.id
        assert "<script" not in one.text.lower()
