"""Patterns of JSON Schemas: what they find, and that none is waited for without end."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.metrics import schema_patterns
from ragproof.metrics.schemas import schema_faults

HOPELESS = "^(a|aa)+$"
"""Splits a run of a's in as many ways as Fibonacci's numbers: of 100, more than 10^20."""
RUN = "a" * 100 + "b"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": HOPELESS}, RUN),
        ({"properties": {"a": {"items": {"pattern": HOPELESS}}}}, {"a": ["a", RUN]}),
        ({"patternProperties": {HOPELESS: {}}}, {RUN: 1}),
        ({"patternProperties": {HOPELESS: {}}, "additionalProperties": False}, {RUN: 1}),
        ({"propertyNames": {"pattern": HOPELESS}}, {RUN: 1}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"pattern": HOPELESS}}}, RUN),
        (
            {"$schema": DRAFT_7, "items": {"$ref": "#"}, "pattern": HOPELESS},
            [RUN],  # where it refers to itself by way of its own draft
        ),
    ],
)
def test_a_pattern_that_comes_to_no_end_is_named(
    monkeypatch: pytest.MonkeyPatch, schema: dict[str, Any], value: object
) -> None:
    monkeypatch.setattr(schema_patterns, "SECONDS", 0.02)
    with pytest.raises(ValueError, match=re.escape(f"the pattern {HOPELESS!r} has not come to")):
        schema_faults(schema, value, formats=False)


def test_what_is_no_pattern_is_told() -> None:
    with pytest.raises(ValueError, match=r"'\(' is no pattern: missing \)"):
        schema_faults({"properties": {"a": {"pattern": "("}}}, {}, formats=False)


def test_letters_of_every_script_can_be_asked_for() -> None:
    """JSON Schema's patterns are those of ECMA-262, which Python's own engine does not read."""
    schema = {"pattern": r"^\p{L}+$"}
    assert schema_faults(schema, "Grüße", formats=False) == []
    assert schema_faults(schema, "Gr2", formats=False) == ["$: 'Gr2' does not match '^\\\\p{L}+$'"]


names = st.text("abx1_", max_size=4)
kinds = st.sampled_from([{}, {"type": "integer"}, {"type": "string", "pattern": "b"}, False, True])
patterns = st.sampled_from(["^a", "b$", "^x_", "[0-9]", "^(ab)*$", ""])


@given(
    schema=st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(names, kinds, max_size=2),
            "patternProperties": st.dictionaries(patterns, kinds, max_size=2),
            "additionalProperties": kinds,
            "propertyNames": st.builds(lambda one: {"pattern": one}, patterns),
            "pattern": patterns,
        },
    ),
    value=names | st.dictionaries(names, names | st.integers(), max_size=3),
    draft=st.sampled_from([None, DRAFT_7]),
)
def test_the_verdict_is_that_of_jsonschema(
    schema: dict[str, Any], value: object, draft: str | None
) -> None:
    if draft is not None:
        schema = {**schema, "$schema": draft}
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    assert (not schema_faults(schema, value, formats=False)) == kind(schema).is_valid(value)
