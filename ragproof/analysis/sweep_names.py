"""What the points of a sweep are called. Light, so that a config can be read without numpy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

Params: TypeAlias = Mapping[str, Any]
"""Name of a parameter to its value; a dotted name leads into nested ones."""


def point_name(params: Params) -> str:
    """Write parameters in one line.

    >>> point_name({"size": 128, "mode": "page", "deep": [1, 2]})
    'size=128, mode=page, deep=[1, 2]'
    """
    return ", ".join(f"{name}={value_name(value)}" for name, value in params.items())


def value_name(value: object) -> str:
    """Write a parameter's value: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)
