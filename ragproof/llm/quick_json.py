"""JSON as fast as can be had: by orjson where it is installed, and otherwise the same."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any


def _orjson() -> Any:  # noqa: ANN401  a module, or None
    try:
        return import_module("orjson")
    except ImportError:
        return None


ORJSON: Any = _orjson()
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def dumps(value: object) -> bytes:
    """Give the JSON of a value. What orjson refuses, such as huge integers, is left to Python."""
    if ORJSON is not None:
        try:
            written: bytes = ORJSON.dumps(value)
        except TypeError:
            pass
        else:
            return written
    return _ENCODER.encode(value).encode()


def loads(data: bytes) -> Any:  # noqa: ANN401  any JSON
    """Read JSON in any encoding of Unicode, with or without BOM.

    Raises ValueError, or RecursionError for what nests too deeply.
    """
    if ORJSON is not None:
        try:
            return ORJSON.loads(data)
        except ValueError:
            pass
    return json.loads(data)
