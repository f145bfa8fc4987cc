"""Near-duplicates are found by MinHash, and settings are compared on labelled pairs."""

from __future__ import annotations

import pytest

from ragproof.analysis.near_duplicates import (
    Setting,
    band_width,
    best,
    near_duplicates,
    signature,
    sweep,
)
from ragproof.text.shingles import jaccard, shingles

MARS = {
    "d1": "Mars has two moons, Phobos and Deimos.",
    "d2": "Mars has two moons, Phobos and Deimos!",
    "d3": "Curiosity rover landed on Mars in 2012.",
}


def test_shared_shingles_by_hand() -> None:
    parts = {name: shingles(text) for name, text in MARS.items()}
    assert len(parts["d1"]) == 34
    assert jaccard(parts["d1"], parts["d2"]) == 33 / 35
    assert jaccard(parts["d1"], parts["d3"]) == 1 / 68
    assert jaccard(shingles("Mars"), shingles("Mars")) is None
    with pytest.raises(ValueError, match="k must be at least 1"):
        shingles("Mars", 0)


def test_the_pair_of_the_example_is_found_and_no_other() -> None:
    parts = {name: signature(shingles(text)) for name, text in MARS.items()}
    assert [pair.ids for pair in near_duplicates(parts, 0.8)] == [("d1", "d2")]


def test_the_estimate_is_near_the_similarity() -> None:
    one, other = ({str(n) for n in range(start, start + 900)} for start in (0, 300))
    signatures = {name: signature(part, 1024) for name, part in (("a", one), ("b", other))}
    [pair] = near_duplicates(signatures, 0.4)
    assert pair.estimate == pytest.approx(0.5, abs=0.06)  # 600 of 1200; four standard errors


def test_a_short_signature_begins_a_long_one() -> None:
    long, short = signature({"a", "b"}, 64), signature({"a", "b"}, 16)
    assert long is not None
    assert short is not None
    assert long[:16].tolist() == short.tolist()


def test_a_text_without_shingles_is_in_no_pair() -> None:
    parts = {name: signature(shingles("abc")) for name in "ab"}
    assert parts == {"a": None, "b": None}
    assert near_duplicates(parts, 0.5) == []


@pytest.mark.parametrize(("permutations", "threshold"), [(128, 0.8), (16, 0.5), (64, 0.9)])
def test_a_band_is_as_wide_as_finds_a_pair_at_the_threshold(
    permutations: int, threshold: float
) -> None:
    def caught(width: int) -> float:
        return 1 - (1 - threshold**width) ** (permutations // width)

    width = band_width(permutations, threshold)
    assert caught(width) >= 0.95 > caught(width + 1)


def test_settings_are_compared_on_labelled_pairs() -> None:
    parts = {name: shingles(text) for name, text in MARS.items()}
    strict, loose = sweep(parts, [("d2", "d1")], [128], [0.99, 0.8])
    assert strict == Setting(128, 0.99, merged=0, duplicates=1, both=0)
    assert (strict.precision, strict.false_merge_rate) == (None, None)
    assert (strict.recall, strict.missed_merge_rate) == (0, 1)
    assert (loose.precision, loose.recall, loose.false_merge_rate) == (1, 1, 0)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="'d9', which is not among the documents"):
        sweep({"d1": {"a"}}, [("d1", "d9")])
    with pytest.raises(ValueError, match="threshold must be above 0"):
        near_duplicates({}, 0)
    with pytest.raises(ValueError, match="permutations must be at least 1"):
        signature({"a"}, 0)


def test_of_settings_that_are_equally_right_the_cheapest_is_best() -> None:
    fine, dear, wrong = (
        Setting(16, 0.5, 2, 2, 2),
        Setting(64, 0.5, 2, 2, 2),
        Setting(8, 0.5, 9, 2, 2),
    )
    strict = Setting(16, 0.7, 2, 2, 2)
    assert best([wrong, dear, fine, strict]) is strict
    assert wrong.f1 == pytest.approx(4 / 11)
    assert Setting(8, 0.5, 0, 0, 0).f1 is None
