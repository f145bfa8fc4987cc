import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.demo.pages import READERS, Page, passages, read_pages

PAGES = read_pages()
MARKDOWN = st.text(alphabet="#ab |-\n\t", max_size=80)


def test_the_manual_has_37_pages_in_order_of_their_ids() -> None:
    ids = [page.id for page in PAGES]
    assert len(ids) == 37
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_a_page_is_as_long_as_a_page_and_says_of_when_it_is(page: Page) -> None:
    assert 250 <= len(page.text.split()) <= 600
    assert page.text.startswith("# ")
    assert re.search(r"^\*Document TW-\d{3} · .*\b20\d\d\b", page.text, re.MULTILINE)


def test_readers_notes_are_called_what_they_are() -> None:
    notes = read_pages(READERS)
    assert len(notes) == 4
    assert all(page.id.startswith("readers-") for page in notes)
    assert all(page.text.startswith("# Readers' notes: ") for page in notes)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_every_table_row_has_as_many_cells_as_its_header(page: Page) -> None:
    for table in re.findall(r"(?:^\|.*\n)+", page.text, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_passages_of_the_manual_lie_where_they_say(page: Page) -> None:
    for passage in passages(page, most_words=180):
        assert page.text[passage.start : passage.end] == passage.text


@given(text=MARKDOWN, most_words=st.integers(1, 12))
def test_passages_follow_each_other_and_leave_out_only_white_space(
    text: str, most_words: int
) -> None:
    found = passages(Page("p", text), most_words)
    at = 0
    for passage in found:
        assert passage.start >= at
        assert text[at : passage.start].strip() == ""
        assert passage.text == text[passage.start : passage.end]
        assert passage.text.strip() != ""
        at = passage.end
    assert text[at:].strip() == ""
    assert len({passage.id for passage in found}) == len(found)


def test_a_long_section_is_cut_between_paragraphs() -> None:
    page = Page("p", "# T\n\none two\n\nthree four\n\nfive")
    texts = [passage.text for passage in passages(page, most_words=4)]
    # Heading and first paragraph are 4 words; the next two paragraphs are 3.
    assert texts == ["# T\n\none two", "three four\n\nfive"]


def test_a_paragraph_longer_than_a_passage_stays_whole() -> None:
    page = Page("p", "a b c d e f\n\ng")
    assert [passage.text for passage in passages(page, most_words=2)] == ["a b c d e f", "g"]


def test_an_empty_page_has_no_passage() -> None:
    assert passages(Page("p", " \n\n"), most_words=5) == ()
