"""Numbers and what they count."""

from __future__ import annotations

import pytest

from ragproof.text.counting import counted


@pytest.mark.parametrize(
    ("number", "thing", "told"),
    [
        (1, "vector", "1 vector"),
        (0, "vector", "0 vectors"),
        (12_000, "vector", "12,000 vectors"),
        (1, "query", "1 query"),
        (2, "query", "2 queries"),
        (2, "day", "2 days"),
        (2, "pass", "2 passes"),
        (2, "search", "2 searches"),
        (1, "more cell", "1 more cell"),
    ],
)
def test_one_is_no_plural(number: int, thing: str, told: str) -> None:
    assert counted(number, thing) == told
