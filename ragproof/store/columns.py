"""Result rows to the columns of a run record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ragproof.core import Level, Outcome, Scored, Status
from ragproof.core.header import Declared
from ragproof.core.outcome import Failed
from ragproof.core.record import Column

Result: TypeAlias = tuple[int, float | None, float | None, str | None]
"""What `packed` gives; value, weight, reason."""
Ints: TypeAlias = NDArray[np.int32]
Table: TypeAlias = NDArray[Any]
T = TypeVar("T")

UNLABELLED = "no figure of this label"
ROW = np.dtype(
    [
        ("subject", np.int32),
        ("metric", np.int32),
        ("status", np.int8),
        ("applies", np.bool_),
        ("value", np.float64),
        ("weight", np.float64),
        ("reason", np.int32),  # into the distinct ones
    ]
)
BLANK = np.array((-1, -1, Status.NOT_APPLICABLE, True, np.nan, 0.0, 1), ROW)


def packed(subject: T, metric: T, status: T, applies: T) -> T:
    """Four small numbers in one: a driver makes each number an object, and there are millions.

    They may be columns too, the subject a 64-bit one. At most 2^20 metric keys and 8 statuses.
    """
    code: Any = subject
    for number, room in ((metric, 1 << 20), (status, 8), (applies, 2)):
        code = code * room + number
    return cast("T", code)


class Heap:
    """All results of a run in 30 bytes each; of equal reasons one is kept."""

    def __init__(self, decoded: Callable[[str], str] = str) -> None:
        self._decoded = decoded
        self._reasons = _Numbers({None: 0, UNLABELLED: 1})
        self._parts: list[Table] = [np.empty(0, ROW)]

    def add(self, results: Sequence[Result]) -> None:
        """Take some rows."""
        if not results:
            return
        codes, values, weights, reasons = zip(*results, strict=True)
        part = np.empty(len(results), ROW)
        code = np.array(codes, np.int64)
        for name, room in (("applies", 2), ("status", 8), ("metric", 1 << 20)):
            code, part[name] = np.divmod(code, room)
        part["subject"] = code
        part["value"] = np.array(values, np.float64)
        part["weight"] = np.array(weights, np.float64)
        said = reasons.count(None) < len(reasons)
        part["reason"] = [self._reasons[one] for one in reasons] if said else 0
        self._parts.append(part)

    def columns(
        self,
        metrics: Mapping[str, Declared],
        keys: Sequence[tuple[str, str]],
        place: Ints,
        cases: int,
        names: Sequence[str],
    ) -> dict[str, Column]:
        """Lay the rows out by metric.

        `keys` are the metric keys by their numbers, each with the key less its label. `place`
        leads from a subject's number to its row in the case table or, for groups and sets, to its
        place in `names`.
        """
        rows = np.concatenate(self._parts)
        self._parts.clear()
        numbers = rows["metric"].astype(np.min_scalar_type(len(keys)))  # small ones sort by radix
        rows = rows[np.argsort(numbers, kind="stable")]
        ends = np.searchsorted(rows["metric"], np.arange(len(keys) + 1))
        rows["subject"] = place[rows["subject"]]
        rows["weight"][rows["status"] != Status.SCORED] = 0.0
        heard = {key: rows[ends[n] : ends[n + 1]] for n, (key, _) in enumerate(keys)}
        laid: dict[str, Column] = {}
        for metric, declared in metrics.items():
            mine = sorted(key for key, of in keys if of == metric)
            labels = [key for key in mine if key != metric] or [metric]
            if declared.level is Level.CASE:
                who, told = np.arange(cases, dtype=np.int32), None
            else:
                who = np.unique(
                    np.concatenate([rows["subject"][:0], *(heard[key]["subject"] for key in mine)])
                )
                told = tuple(names[one] for one in who.tolist())
            for key in labels:
                found = [heard[one] for one in dict.fromkeys((metric, key)) if one in heard]
                laid[key] = self._column(declared, told, who, found)
        return laid

    def _column(
        self,
        declared: Declared,
        subjects: tuple[str, ...] | None,
        who: Ints,
        found: Sequence[Table],
    ) -> Column:
        """One column; what befell the whole metric befell each label, so that lies beneath."""
        rows = np.full(who.size, BLANK)
        for part in found:
            rows[np.searchsorted(who, part["subject"])] = part
        reasons = np.array([one and self._decoded(one) for one in self._reasons], dtype=object)
        return Column(
            declared=declared,
            subjects=subjects,
            status=rows["status"].copy(),
            values=rows["value"].copy(),
            weights=rows["weight"].copy(),
            applies=rows["applies"].copy(),
            reasons=tuple(reasons[rows["reason"]].tolist()),
        )


class _Numbers(dict["str | None", int]):
    """Numbers texts in the order of their coming."""

    def __missing__(self, text: str | None) -> int:
        number = self[text] = len(self)
        return number


def result(subject: int, metric: int, outcome: Outcome, *, applies: bool) -> Result:
    """One row for the heap."""
    code = packed(subject, metric, Status.of(outcome), applies)
    match outcome:
        case Scored():
            return code, outcome.value, outcome.weight, None
        case Failed():
            return code, None, None, f"{outcome.cause}: {outcome.message}"
        case _:
            return code, None, None, outcome.reason
