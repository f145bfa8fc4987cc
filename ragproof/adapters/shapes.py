"""From what a pipeline hands over to the words of `core`, or one sentence that says what is wrong.

Mappings, objects with attributes and any iterable of them are taken. What a case would only seem
to have is refused: an id written as 5.0 would never match, a key `citation` would never be read.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import (
    Any,
    Generic,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)
from uuid import UUID

from pydantic_core import (
    CoreSchema,
    ErrorDetails,
    PydanticCustomError,
    SchemaValidator,
    ValidationError,
)
from pydantic_core import core_schema as schemas

from ragproof.adapters.misspelt import meant
from ragproof.adapters.plain import plain, plain_mapping, shown
from ragproof.core import AdapterError, Answer, Chunk, Citation, Parsed

T = TypeVar("T")
Before: TypeAlias = Callable[[Any], object]

_SHORT: Mapping[type, str] = {Answer: "answer_text", Citation: "chunk_id", Parsed: "text"}
"""Shapes that a bare string, or number, may stand for, and the field that it is."""
_ABSENT = object()
_KEYS_SHOWN = 8
_ALLOWED = {
    "text": "a string",
    "string_unicode": "a number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
}


class Shape(Generic[T]):
    """Reads foreign values into one of the types of `core`."""

    def __init__(self, hint: object, allowed: str, *, closed: bool = False) -> None:
        """Take the type, and in words what may be given for it.

        `closed` refuses unknown keys of the outermost mapping, not only near misses.
        """
        self._allowed = allowed
        self._validator = SchemaValidator(_schema(hint, closed=closed))

    def read(self, value: object, given_by: str) -> T:
        """Read a value, or raise AdapterError that says by what it was given and what is wrong."""
        try:
            found: T = self._validator.validate_python(value)
        except ValidationError as error:
            raise AdapterError(self._complaint(error, given_by)) from None
        return found

    def _complaint(self, error: ValidationError, given_by: str) -> str:
        first = error.errors(include_url=False, include_context=False)[0]
        if first["type"] == _OTHER and not first["loc"]:
            return f"{given_by} returned {shown(first['input'])}; it must return {self._allowed}"
        where = first["loc"][:-1] if first["type"] == _MISSING else first["loc"]
        place = ".".join(map(str, where))
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        return f"{given_by}: {place}{': ' if place else ''}{_said(first)}{more}"


_MISSING = "missing"
_KEYS, _OTHER, _TEXT = "keys", "other", "text"
"""Our own types of error: about the keys of a mapping, about a value, about a value not a text."""


def _said(error: ErrorDetails) -> str:
    kind, got = error["type"], error["input"]
    if kind == _KEYS:
        return error["msg"]
    if kind == _MISSING:
        return _missing(str(error["loc"][-1]), got)
    if kind == _TEXT and isinstance(got, float):
        return f"got {shown(got)}; write it as a string"
    return f"got {shown(got)}; allowed: {_ALLOWED.get(kind, error['msg'])}"


def _wrong(allowed: str, kind: str = _OTHER) -> PydanticCustomError:
    return PydanticCustomError(kind, "{message}", {"message": allowed})


def _schema(hint: Any, *, closed: bool = False) -> CoreSchema:  # noqa: ANN401  any annotation
    """The schema that reads values into an annotation."""
    if dataclasses.is_dataclass(hint):
        return _of_dataclass(hint, closed=closed)  # type: ignore[arg-type]
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (one,) = (arg for arg in args if arg is not types.NoneType)
        return schemas.nullable_schema(_schema(one))
    if origin is tuple and args[-1] is Ellipsis:
        return _after(_listed_out, schemas.tuple_variable_schema(_schema(args[0])))
    if origin is tuple:
        return schemas.tuple_positional_schema([_schema(arg) for arg in args])
    if origin is Mapping and args[1] is Any:
        return schemas.no_info_plain_validator_function(_plain_mapping)
    if origin is Mapping:
        return _after(_mapping, schemas.dict_schema(_schema(args[0]), _schema(args[1])))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return schemas.no_info_plain_validator_function(_Word(hint).read)
    return _LEAVES[hint]


def _after(before: Before, schema: CoreSchema) -> CoreSchema:
    return schemas.no_info_before_validator_function(before, schema)


def _of_dataclass(kind: type[Any], *, closed: bool) -> CoreSchema:
    hints = get_type_hints(kind)
    fields = dataclasses.fields(kind)
    arguments = [
        schemas.dataclass_field(
            field.name,
            _with_default(field, _SPECIAL.get((kind, field.name)) or _schema(hints[field.name])),
        )
        for field in fields
    ]
    return _after(
        _Keys(kind, closed=closed).read,
        schemas.dataclass_schema(
            kind,
            schemas.dataclass_args_schema(kind.__name__, arguments),
            [field.name for field in fields],
            slots=True,
            frozen=True,
        ),
    )


def _with_default(field: dataclasses.Field[Any], schema: CoreSchema) -> CoreSchema:
    if field.default is not dataclasses.MISSING:
        return schemas.with_default_schema(schema, default=field.default)
    if field.default_factory is not dataclasses.MISSING:
        return schemas.with_default_schema(schema, default_factory=field.default_factory)
    return schema


class _Word:
    """One of a few words."""

    def __init__(self, words: type[StrEnum]) -> None:
        self._words = {word.value: word for word in words}

    def read(self, value: object) -> StrEnum:
        if not isinstance(value, str) or value not in self._words:
            raise _wrong(", ".join(self._words))
        return self._words[value]


class _Keys:
    """What a mapping or object that stands for a dataclass must and may have."""

    def __init__(self, kind: type[Any], *, closed: bool) -> None:
        fields = dataclasses.fields(kind)
        self._known = frozenset(field.name for field in fields)
        self._needed = frozenset(field.name for field in fields if _is_needed(field))
        self._filled = [
            field.name for field in fields if not _is_needed(field) and field.default is not None
        ]
        self._short = _SHORT.get(kind)
        self._closed = closed
        self._allowed = " or ".join(
            (["a string"] if self._short else [])
            + [f"a mapping with {', '.join(field.name for field in fields)}"]
        )

    def read(self, value: object) -> Mapping[str, object]:
        """Take what is known; None is as good as not given where there is a default."""
        given = value if type(value) is dict else self._opened(value)
        for name in self._filled:
            if given.get(name, _ABSENT) is None:
                given = {key: item for key, item in given.items() if key != name}
        return given if given.keys() <= self._known else self._sifted(given)

    def _sifted(self, given: Mapping[Any, object]) -> Mapping[str, object]:
        """Leave out unknown keys, unless one is a misspelt key or stands in for a missing one."""
        for key in given.keys() - self._known:
            near = meant(str(key), self._known)
            if near and near not in given:
                raise _wrong(f"there is no key {shown(key)}. Did you mean {near!r}?", _KEYS)
            if self._closed:
                allowed = ", ".join(sorted(self._known))
                raise _wrong(f"there is no key {shown(key)}. Allowed: {allowed}", _KEYS)
        if missing := self._needed - given.keys():
            raise _wrong(_missing(min(missing), given), _KEYS)
        return {key: item for key, item in given.items() if key in self._known}

    def _opened(self, value: object) -> Mapping[Any, object]:
        if isinstance(value, Mapping):
            return dict(value)
        if self._short and isinstance(value, str | int) and not isinstance(value, bool):
            return {self._short: value}
        found: dict[Any, object] = {}
        if type(value).__module__ != "builtins":  # a str has a `title`, a list an `index`
            found = {name: getattr(value, name, _ABSENT) for name in self._known}
            found = {name: item for name, item in found.items() if item is not _ABSENT}
        if not found.keys() & self._needed:
            raise _wrong(self._allowed)
        return dict.fromkeys(getattr(value, "__dict__", ())) | found


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    return field.default is field.default_factory is dataclasses.MISSING


def _missing(name: str, given: Mapping[Any, object]) -> str:
    keys = [shown(key) for key in list(given)[:_KEYS_SHOWN]]
    more = ", ..." if len(given) > _KEYS_SHOWN else ""
    return f"{name} is missing; given are the keys {', '.join(keys) or '(none)'}{more}"


def _listed_out(value: object) -> object:
    """Any iterable that has an order and is not one value by itself."""
    if isinstance(value, list | tuple):
        return value
    one = isinstance(value, str | bytes | Mapping | AbstractSet)
    if one or not isinstance(value, Iterable):
        raise _wrong("a list")
    return list(value)


def _mapping(value: object) -> object:
    if not isinstance(value, Mapping):
        raise _wrong("a mapping")
    return dict(value)


def _plain_mapping(value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise _wrong("a mapping")
    return {**plain_mapping(value)}


def _metadata(value: object) -> dict[str, object]:
    """Of a chunk: the document's id is matched like the chunk's own."""
    made = _plain_mapping(value)
    if type(document := cast("Mapping[str, object]", value).get("document_id")) not in _MATCHED:
        try:
            made["document_id"] = _ID.validate_python(document)
        except ValidationError as error:
            raise _wrong(f"document_id: {_said(error.errors()[0])}", _KEYS) from None
    return made


_MATCHED = frozenset({str, type(None)})


def _as_text(value: object) -> str:
    """Pipelines number their chunks; but pandas makes 5.0 of a 5, and that matches nothing."""
    index = None if isinstance(value, bool) else getattr(value, "__index__", None)
    if index:  # an int, numpy's included
        return str(index())
    if isinstance(value, UUID):
        return str(value)
    raise ValueError


_STRING = schemas.union_schema(
    [schemas.str_schema(strict=True), schemas.no_info_plain_validator_function(_as_text)],
    mode="left_to_right",
    custom_error_type=_TEXT,
    custom_error_message="a string",
)
_ID = SchemaValidator(_STRING)
_LEAVES: Mapping[object, CoreSchema] = {
    str: _STRING,
    int: schemas.int_schema(),
    float: schemas.float_schema(allow_inf_nan=False),
    bool: schemas.bool_schema(strict=True),
    Any: schemas.no_info_plain_validator_function(plain),
}
_SPECIAL: Mapping[tuple[type, str], CoreSchema] = {
    (Chunk, "metadata"): schemas.no_info_plain_validator_function(_metadata)
}
CHUNKS: Shape[tuple[Chunk, ...]] = Shape(tuple[Chunk, ...], "a list of chunks")
ANSWER: Shape[Answer] = Shape(Answer, "a string or a mapping with answer_text")
PARSED: Shape[Parsed] = Shape(Parsed, "a string or a mapping with text")
