"""JSON Schema: whether a value is as a schema says. Nothing is fetched, whatever it refers to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ragproof.core import UsageError
from ragproof.metrics import schema_patterns
from ragproof.metrics.schema_unevaluated import unevaluated

_SHOWN = 5
_LONGEST = 200


def schema_faults(schema: Mapping[str, Any], value: object, *, formats: bool) -> list[str]:
    """Say what in the value is not as the schema says, place first: the first few faults.

    The draft is the one that `$schema` names, 2020-12 without. `formats` has `format` checked
    too. Raises ValueError for a schema that is none, that refers to what is not in it, or that
    never comes to an end, by itself or by one of its patterns; UsageError where jsonschema is not
    installed.
    """
    validator = _validator(json.dumps(schema), formats)
    try:
        found = sorted(validator.iter_errors(value), key=lambda fault: fault.json_path)
    except RecursionError:
        raise ValueError("expected_schema refers to itself without end") from None
    except _jsonschema().exceptions._WrappedReferencingError as fault:
        raise ValueError(f"expected_schema refers to what is not in it: {fault}") from None
    return [f"{fault.json_path}: {fault.message}"[:_LONGEST] for fault in found[:_SHOWN]]


def allows_text(schema: Mapping[str, Any]) -> bool:
    """Whether the schema says outright that the value may be a text."""
    kind = schema.get("type")
    return kind == "string" or (isinstance(kind, list) and "string" in kind)


def _jsonschema() -> Any:  # noqa: ANN401 - a module
    try:
        import jsonschema  # noqa: PLC0415  an extra
    except ImportError:
        raise UsageError(
            "JSON Schema needs jsonschema. Install it: pip install 'ragproof[ontology]'"
        ) from None
    return jsonschema


@lru_cache(maxsize=256)
def _validator(schema: str, formats: bool) -> Any:  # noqa: ANN401, FBT001 - of jsonschema
    jsonschema = _jsonschema()
    from jsonschema_specifications import (  # type: ignore[import-untyped]  # noqa: PLC0415
        REGISTRY,
    )

    read = json.loads(schema)
    latest = jsonschema.Draft202012Validator
    kind = jsonschema.validators.validator_for(read, default=None if "$schema" in read else latest)
    if kind is None:
        raise ValueError(f"expected_schema names a draft that is not known: {read['$schema']!r}")
    patterns = jsonschema.FormatChecker(formats=())
    patterns.checks("regex")(schema_patterns.is_pattern)
    try:
        kind.check_schema(read, format_checker=patterns)
    except jsonschema.exceptions.SchemaError as fault:
        told = f"{fault.json_path}: {fault.message}"[:_LONGEST]
        raise ValueError(f"expected_schema is no JSON Schema: {told}") from None
    checker = kind.FORMAT_CHECKER if formats else None
    error = jsonschema.exceptions.ValidationError
    limited = {
        **schema_patterns.keywords(error),
        "unevaluatedProperties": unevaluated(error),
    }
    known = {name: rule for name, rule in limited.items() if name in kind.VALIDATORS}
    bounded = jsonschema.validators.extend(kind, known)
    read.pop("$schema", None)  # where a schema refers to itself it would choose the kind anew
    return bounded(read, registry=REGISTRY, format_checker=checker)
