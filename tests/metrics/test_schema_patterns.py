"""Patterns of JSON Schemas: what they find, and that none is waited for without end."""

from __future__ import annotations

import re
import time
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
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
BY_PATTERN: dict[str, Any] = {"patternProperties": {HOPELESS: {}}}


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
        ({"patternProperties": {HOPELESS: {}}, "unevaluatedProperties": False}, {RUN: 1}),
        ({"unevaluatedProperties": False, "allOf": [BY_PATTERN]}, {RUN: 1}),
        ({"unevaluatedProperties": {}, "anyOf": [{"not": BY_PATTERN}, BY_PATTERN]}, {RUN: 1}),
        (
            {"unevaluatedProperties": False, "$ref": "#/$defs/a", "$defs": {"a": BY_PATTERN}},
            {RUN: 1},
        ),
        (
            {"$schema": DRAFT_2019, "unevaluatedProperties": False, **BY_PATTERN},
            {RUN: 1},
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


def test_a_pattern_beside_what_is_not_evaluated_ends_in_its_time() -> None:
    """With the limit as it is shipped: Python's own engine would look at this for ages."""
    schema = {"patternProperties": {HOPELESS: {}}, "unevaluatedProperties": False}
    begun = time.monotonic()
    with pytest.raises(ValueError, match="has not come to an end after 2 seconds"):
        schema_faults(schema, {RUN: 1}, formats=False)
    assert time.monotonic() - begun < 60


def test_properties_that_nothing_allows_are_named() -> None:
    schema = {
        "unevaluatedProperties": False,
        "properties": {"a": {}},
        "anyOf": [{"patternProperties": {"^b": {"type": "integer"}}}, {"required": ["z"]}],
    }
    assert schema_faults(schema, {"a": 1, "b1": 2}, formats=False) == []
    told = ["$: properties that nothing allows: 'c', 'd'"]
    assert schema_faults(schema, {"a": 1, "b1": 2, "d": 3, "c": 4}, formats=False) == told


def test_what_further_properties_have_to_be_is_held_to_those_alone_that_nothing_evaluates() -> None:
    schema = {
        "$schema": DRAFT_2019,
        "unevaluatedProperties": {"type": "string"},
        "if": {"properties": {"a": {"const": 1}}, "required": ["a"]},
        "then": {"properties": {"b": {}}},
        "else": {"additionalProperties": {"type": "integer"}},
    }
    assert schema_faults(schema, {"a": 1, "b": 2, "c": "x"}, formats=False) == []
    assert schema_faults(schema, {"a": 1, "c": 2}, formats=False) == [
        "$.c: 2 is not of type 'string'"
    ]
    assert schema_faults(schema, {"c": 2}, formats=False) == []


def test_what_refers_to_itself_evaluates_too() -> None:
    tree: dict[str, Any] = {"$recursiveAnchor": True, "properties": {"of": {"$recursiveRef": "#"}}}
    schema: dict[str, Any] = {"$schema": DRAFT_2019, "$ref": "#/$defs/t", "$defs": {"t": tree}}
    schema = {**schema, "unevaluatedProperties": False}
    assert schema_faults(schema, {"of": {"of": {}}}, formats=False) == []
    assert schema_faults(schema, {"of": {}, "x": 1}, formats=False) != []


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas of objects, with what can be applied in place."""
    several = st.lists(inner, min_size=1, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(names, kinds, max_size=2),
            "patternProperties": st.dictionaries(patterns, kinds, max_size=2),
            "unevaluatedProperties": kinds,
            "additionalProperties": kinds,
            "allOf": several,
            "anyOf": several,
            "oneOf": several,
            "if": inner,
            "then": inner,
            "else": inner,
            "dependentSchemas": st.dictionaries(names, inner, max_size=2),
            "$ref": st.just("#/$defs/other"),
        },
    )


@given(
    schema=st.recursive(objects(st.just({})), objects, max_leaves=4),
    other=objects(st.just({})).map(lambda one: {k: v for k, v in one.items() if k != "$ref"}),
    value=st.dictionaries(names, names | st.integers(), max_size=3),
)
def test_what_is_not_evaluated_is_what_jsonschema_says(
    schema: dict[str, Any], other: dict[str, Any], value: object
) -> None:
    whole = {**schema, "unevaluatedProperties": False, "$defs": {"other": other}}
    known = jsonschema.Draft202012Validator(whole).is_valid(value)
    assert (not schema_faults(whole, value, formats=False)) == known
