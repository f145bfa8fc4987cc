"""`unevaluatedProperties` of JSON Schema, patterns held to the time limit that all others have.

JSON Schema 2019-09 and 2020-12, core, 11.3: a property is evaluated by what stands beside the
keyword, and by every schema applied in place to the same object that the object meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeAlias

from ragproof.metrics.schema_patterns import has

Keyword: TypeAlias = Callable[[Any, Any, Any, Any], Iterator[Exception]]


def unevaluated(error: type[Exception]) -> Keyword:
    """The keyword; `error` says what is not as it should be."""

    def keyword(validator: Any, told: Any, instance: Any, schema: Any) -> Iterator[Exception]:  # noqa: ANN401
        if not validator.is_type(instance, "object"):
            return
        beside = {key: rule for key, rule in schema.items() if key != "unevaluatedProperties"}
        seen = _evaluated(validator, instance, beside)
        extras = sorted(instance.keys() - seen)
        if told is False and extras:
            yield error(f"properties that nothing allows: {', '.join(map(repr, extras))}")
        elif told is not False:
            for name in extras:
                yield from validator.descend(instance[name], told, path=name)

    return keyword


def _evaluated(validator: Any, instance: Mapping[str, Any], schema: Any) -> set[str]:  # noqa: ANN401
    """The names that a schema, which the object is held to, has evaluated."""
    if not isinstance(schema, Mapping):
        return set()
    patterns = schema.get("patternProperties", {})
    found = {
        name
        for name in instance
        if name in schema.get("properties", {}) or any(has(one, name) for one in patterns)
    }
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in schema:
            found.update(
                name
                for name, value in instance.items()
                if _meets(validator, value, schema[keyword])
            )
    for within, other in _in_place(validator, instance, schema):
        found |= _evaluated(within, instance, other)
    return found


def _in_place(
    validator: Any,  # noqa: ANN401
    instance: Mapping[str, Any],
    schema: Mapping[str, Any],
) -> Iterator[tuple[Any, Any]]:
    """The schemas applied to the object itself that it meets, each with what resolves its names."""
    for resolved in _referred(validator, schema):
        yield (
            validator.evolve(schema=resolved.contents, _resolver=resolved.resolver),
            resolved.contents,
        )
    dependent = schema.get("dependentSchemas", {})
    some = [other for name, other in dependent.items() if name in instance]
    every = chain(some, *(schema.get(one, ()) for one in ("allOf", "anyOf", "oneOf")))
    for other in every:
        if _meets(validator, instance, other):
            yield validator, other
    if "if" in schema:
        met = _meets(validator, instance, schema["if"])
        if met:
            yield validator, schema["if"]
        yield validator, schema.get("then" if met else "else")


def _referred(validator: Any, schema: Mapping[str, Any]) -> Iterator[Any]:  # noqa: ANN401
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in schema:
            yield validator._resolver.lookup(schema[keyword])  # there is no public way
    if "$recursiveRef" in schema:
        from referencing.jsonschema import lookup_recursive_ref  # noqa: PLC0415  of an extra

        yield lookup_recursive_ref(validator._resolver)


def _meets(validator: Any, value: object, schema: Any) -> bool:  # noqa: ANN401
    return next(validator.descend(value, schema), None) is None
