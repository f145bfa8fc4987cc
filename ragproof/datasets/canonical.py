"""The one way to write a case, and the hash over a dataset's cases."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import MISSING, fields
from datetime import date
from functools import cache
from hashlib import sha256
from operator import attrgetter
from typing import Any

from ragproof.core import Case


def dump(case: Case) -> str:
    """Write a case as one dataset line, without a line end.

    JSON in ASCII with sorted keys and no white space. `kind` is always written, another field
    only when it differs from its default: two lines that mean the same case dump the same.

    >>> from ragproof.core import QuestionCase
    >>> dump(QuestionCase(id="q1", question="When?", expected_source_ids=("a",)))
    '{"expected_source_ids":["a"],"id":"q1","kind":"qa","question":"When?"}'
    """
    return _ENCODER.encode(case)


def dataset_hash(cases: Iterable[Case]) -> str:
    """Hash the canonical lines, sorted by case id: sha256 in hex.

    The order of lines and fields, a byte order mark, line ends and defaults written out make no
    difference. Of a document given by its path, the path counts and not what the file holds.
    """
    digest = sha256()
    for case in sorted(cases, key=lambda case: case.id):
        digest.update(dump(case).encode("ascii"))
        digest.update(b"\n")
    return digest.hexdigest()


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, date):
        return value.isoformat()
    names, defaults, values = _fields(value.__class__)
    kept = {
        name: found
        for name, default, found in zip(names, defaults, values(value), strict=True)
        if found is not default and found != default
    }
    if isinstance(value, Case):
        kept["kind"] = value.kind
    return kept


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, ...], tuple[object, ...], attrgetter[Any]]:
    """Names, defaults and values; a field without default gets MISSING, which equals nothing."""
    names = tuple(one.name for one in fields(kind))
    defaults = tuple(
        one.default if one.default_factory is MISSING else one.default_factory()
        for one in fields(kind)
    )
    return names, defaults, attrgetter(*names)


_ENCODER = json.JSONEncoder(
    sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=_plain
)
