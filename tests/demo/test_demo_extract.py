import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.demo.extract import find_evidence, statements
from ragproof.demo.pages import Passage
from ragproof.text.bm25 import light_tokens


def passage(text: str, heading: str = "") -> Passage:
    return Passage("p#1", "p", heading, 0, len(text), text)


def read(text: str) -> list[str]:
    return [statement.text for statement in statements(passage(text))]


def quoted(question: str, *context: Passage) -> tuple[list[str], float]:
    evidence = find_evidence(question, context, light_tokens, lambda _: 1.0)
    return [statement.text for statement in evidence.statements], evidence.support


def test_sentences_are_read_without_marks_and_headings() -> None:
    text = "## Light\n\nIt is **green**. The `bar`\nis 1.5 m long.\n\n> **Note.** Dim it."
    assert read(text) == ["It is green.", "The bar is 1.5 m long.", "Note.", "Dim it."]


def test_a_question_stays_with_its_answer() -> None:
    assert read("**Is it loud?** No. It hums.") == ["Is it loud? No.", "It hums."]


def test_list_items_are_statements_of_their_own() -> None:
    assert read("Do this:\n\n1. Open it.\n2. Close it\n\n- a\n- b") == [
        "Do this:",
        "Open it.",
        "Close it",
        "a",
        "b",
    ]


def test_code_is_no_statement() -> None:
    assert read("```\nGET /state\n```") == []


def test_a_row_of_two_columns_reads_as_a_pair() -> None:
    assert read("| Property | Value |\n|---|---|\n| Weight | 118 kg |") == ["Weight: 118 kg"]


def test_a_row_of_more_columns_names_them() -> None:
    table = "| | X2 | X3 |\n|---|---|---|\n| Noise | 34 | 29 |\n| Fan | one | |"
    assert read(table) == ["Noise: X2 34; X3 29", "Fan: X2 one; X3"]


def test_the_statement_that_covers_most_of_the_question_is_quoted() -> None:
    context = passage("The lamp is red. The fan is loud. The door is red.")
    assert quoted("loud fan", context) == (["The fan is loud."], 1.0)


def test_a_heading_says_what_a_row_is_about() -> None:
    small = passage("Weight: 5 kg.", heading="Lamp A1")
    large = passage("Weight: 9 kg.", heading="Lamp A2")
    assert quoted("weight lamp A2", small, large) == (["Weight: 9 kg."], 1.0)


def test_a_second_statement_is_added_for_what_the_first_lacks() -> None:
    context = passage("The lamp is red. The fan is loud.")
    assert quoted("red lamp loud", context) == (["The lamp is red.", "The fan is loud."], 1.0)


def test_a_name_that_is_not_there_takes_its_share_of_the_support() -> None:
    # 2 of 3 words are covered, and none of the one name: 2/3 * 0.
    assert quoted("weight lamp A4", passage("Lamp A2 weight: 9 kg."))[1] == 0.0
    # 3 of 4 words, and one of two names: 3/4 * 1/2.
    assert quoted("weight lamp A2 A4", passage("Lamp A2 weight: 9 kg."))[1] == 0.375


@pytest.mark.parametrize("question", ["", "what is it?", "lamp"])
def test_without_context_there_is_no_evidence(question: str) -> None:
    assert quoted(question) == ([], 0.0)


def test_a_question_of_stop_words_has_no_evidence() -> None:
    assert quoted("what is it?", passage("It is what it is.")) == ([], 0.0)


@given(
    question=st.text(alphabet="abA1 ", max_size=15),
    text=st.text(alphabet="abA1.| \n-", max_size=60),
)
def test_support_is_a_share(question: str, text: str) -> None:
    found, support = quoted(question, passage(text))
    assert 0.0 <= support <= 1.0 + 1e-12
    assert len(found) <= 2
