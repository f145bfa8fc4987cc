"""JSON that `json` would take and we do not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.strict_json import parse

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_what_json_writes_is_read_back(value: Any) -> None:
    assert parse(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 1}}', 'key "c" is there twice'),
        ('{"a": NaN}', "NaN is not a number that JSON has"),
        ("[-Infinity]", "-Infinity is not a number"),
        ("[1e999]", "1e999 is too large"),
        ('{"a": 1', "not JSON: .* at column 8"),
        ('{"a": 1}\n{', "not JSON: Extra data at line 2, column 1"),
        ("[" * 100_000, "nested too deep"),
        ("[" + "9" * 5_000 + "]", "Exceeds the limit"),
        ('"a\tb"', "not JSON: Invalid control character"),
    ],
)
def test_each_fault_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(text)
