"""JSON as RFC 8259 has it, and no key twice in one object."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

_BLANK = re.compile(r"[ \t\r\n]*")


def parse(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Parse; raises ValueError that says what is wrong and where.

    Besides what `json` refuses: NaN and infinities, written out or by overflow; a key twice in
    one object; nesting too deep to read.

    >>> parse('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    ValueError: key "a" is there twice
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as fault:
        place = f"line {fault.lineno}, column" if fault.lineno > 1 else "column"
        raise ValueError(f"not JSON: {fault.msg} at {place} {fault.colno}") from None
    except RecursionError:
        raise ValueError("nested too deep") from None


def parse_each(text: str) -> Iterator[Any]:
    """Parse values that follow each other with nothing but white space between; raises as `parse`.

    >>> [*parse_each('{"a": 1} {"a": 2}')]
    [{'a': 1}, {'a': 2}]
    """
    at = _past_blanks(text, 0)
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as fault:
            place = f"line {fault.lineno}, column {fault.colno}"
            raise ValueError(f"not JSON: {fault.msg} at {place}") from None
        except RecursionError:
            raise ValueError("nested too deep") from None
        yield value
        at = _past_blanks(text, at)


def _past_blanks(text: str, at: int) -> int:
    blanks = _BLANK.match(text, at)
    return blanks.end() if blanks else at


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs; raises ValueError where a key comes twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {json.dumps(twice)} is there twice")
    return found


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not a number that JSON has")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large for a number")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=unique, parse_constant=_refuse, parse_float=_finite)
