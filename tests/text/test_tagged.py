"""Spans of tags, as conlleval and seqeval read them, worked by hand."""

from __future__ import annotations

import pytest

from ragproof.text.tagged import characters, tagged_spans

LENIENT_AND_STRICT = [
    ("B-PER I-PER O B-LOC", [(0, 2, "PER"), (3, 4, "LOC")], [(0, 2, "PER"), (3, 4, "LOC")]),
    ("B-PER B-PER", [(0, 1, "PER"), (1, 2, "PER")], [(0, 1, "PER"), (1, 2, "PER")]),
    ("I-PER I-PER O", [(0, 2, "PER")], []),
    ("O I-PER", [(1, 2, "PER")], []),
    ("B-PER I-LOC", [(0, 1, "PER"), (1, 2, "LOC")], [(0, 1, "PER")]),
    ("I-PER B-PER I-PER", [(0, 1, "PER"), (1, 3, "PER")], [(1, 3, "PER")]),
    ("B-PER I-PER E-PER S-LOC", [(0, 3, "PER"), (3, 4, "LOC")], [(0, 3, "PER"), (3, 4, "LOC")]),
    ("B-PER L-PER U-LOC O", [(0, 2, "PER"), (2, 3, "LOC")], [(0, 2, "PER"), (2, 3, "LOC")]),
    ("E-PER E-PER", [(0, 1, "PER"), (1, 2, "PER")], []),
    ("B-PER I-PER S-LOC", [(0, 2, "PER"), (2, 3, "LOC")], [(2, 3, "LOC")]),
    ("B-a-b I-a-b", [(0, 2, "a-b")], [(0, 2, "a-b")]),
    ("O O", [], []),
    ("", [], []),
]


@pytest.mark.parametrize(("tags", "lenient", "strict"), LENIENT_AND_STRICT)
def test_tags_mark_spans(
    tags: str, lenient: list[tuple[int, int, str]], strict: list[tuple[int, int, str]]
) -> None:
    assert tagged_spans(tags.split()) == lenient
    assert tagged_spans(tags.split(), strict=True) == strict


@pytest.mark.parametrize("tag", ["PER", "B-", "X-PER", "", "b-PER"])
def test_what_is_no_tag_is_told(tag: str) -> None:
    with pytest.raises(ValueError, match="a tag is O, or B-"):
        tagged_spans([tag])


def test_tokens_become_characters_of_the_text() -> None:
    text = "Ada Lovelace saw Rome"
    places = [(0, 3), (4, 12), (13, 16), (17, 21)]
    spans = characters(tagged_spans(["B-PER", "I-PER", "O", "B-LOC"]), places)
    assert spans == [
        {"start": 0, "end": len("Ada Lovelace"), "type": "PER"},
        {"start": text.index("Rome"), "end": len(text), "type": "LOC"},
    ]
