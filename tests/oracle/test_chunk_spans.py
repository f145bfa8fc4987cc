"""Span figures on real questions with exact spans, and against characters counted one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.chunk_spans import figures
from ragproof.metrics.spans import cover, length, shared

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "chunking_eval"
KNOWN = {400: (0.868, 0.089), 800: (0.921, 0.047), 1600: (0.987, 0.024)}
"""Recall and IoU at 5; how those documents were cut is not known."""
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
def test_figures_on_real_questions_are_near_the_known_ones(size: int) -> None:
    if not FOLDER.is_dir():
        pytest.skip(f"{FOLDER} is absent")
    recall, iou = KNOWN[size]
    found = figures(FOLDER, "state_of_the_union", "sentences", size)
    assert found["recall"] == pytest.approx(recall, abs=0.04)
    assert found["iou"] == pytest.approx(iou, abs=0.006)
    assert found["precision"] >= found["iou"]
