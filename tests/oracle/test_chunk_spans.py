"""Span figures on real questions with exact spans, and against characters counted one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.chunk_spans import KNOWN, STOP_WORDS, as_known, figures, windows
from bench.scifact_search import tokenizer
from ragproof.metrics.spans import cover, length, shared

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "chunking_eval"
places = st.lists(
    st.builds(
        lambda document, start, length: (document, start, start + length),
        st.sampled_from("de"),
        st.integers(0, 30),
        st.integers(0, 12),
    ),
    max_size=6,
)
Places = list[tuple[str, int, int]]


def counted(some: Places) -> set[tuple[str, int]]:
    return {(document, at) for document, start, end in some for at in range(start, end)}


@settings(max_examples=50)
@given(one=places, other=places)
def test_what_is_covered_and_shared_is_what_counting_characters_gives(
    one: Places, other: Places
) -> None:
    assert length(cover(one)) == len(counted(one))
    assert shared(cover(one), cover(other)) == len(counted(one) & counted(other))
    assert shared(cover(one), cover(other)) == shared(cover(other), cover(one))


@pytest.mark.shared_data
@pytest.mark.parametrize("size", KNOWN)
def test_figures_on_real_questions_are_the_known_ones(size: int) -> None:
    if not FOLDER.is_dir():
        pytest.skip(f"{FOLDER} is absent")
    if (stems := tokenizer(STOP_WORDS)) is None:
        pytest.skip("PyStemmer is not installed")
    found = figures(FOLDER, "state_of_the_union", "windows", size, stems)
    assert as_known(size, found)
    assert found["precision"] >= found["iou"]


@pytest.mark.shared_data
@pytest.mark.parametrize("size", KNOWN)
def test_with_stems_of_our_own_they_are_near(size: int) -> None:
    """Plural endings are taken off, and more words are left out."""
    if not FOLDER.is_dir():
        pytest.skip(f"{FOLDER} is absent")
    recall, iou = KNOWN[size]
    found = figures(FOLDER, "state_of_the_union", "windows", size)
    assert found["recall"] == pytest.approx(recall, abs=0.036)
    assert found["iou"] == pytest.approx(iou, abs=0.003)


def test_a_window_ends_at_the_last_full_stop_or_blank_line_of_its_second_half() -> None:
    assert windows("One. Two three four", 10) == [0, 10, 19]  # the stop is in the first half
    assert windows("One two. Three four", 10) == [0, 8, 18, 19]
    assert windows("One two\n\nThree. Four", 14) == [0, 8, 20]
    assert windows("Abcdefgh", 4) == [0, 4, 8]
