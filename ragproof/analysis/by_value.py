"""A run's figures by the values of one tag: how good a parser is on which class of documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ragproof.analysis.by_tag import MANY
from ragproof.analysis.units import Units
from ragproof.core.outcome import Status
from ragproof.core.record import Column, RunRecord
from ragproof.core.spec import Layer, Unit

CLASSES = "document_class"
"""The tag by which documents are parted."""


@dataclass(frozen=True, slots=True)
class PartFigure:
    """A metric over the cases with one value of the tag."""

    value: float | None
    scored: int
    """Trials."""
    failed: int
    """Trials that it would have scored: they are in no figure."""


@dataclass(frozen=True, slots=True)
class Parts:
    """One metric by the values of a tag."""

    unit: Unit
    figures: Mapping[str, PartFigure]


ByMetric: TypeAlias = Mapping[str, Parts]


def parted(record: RunRecord, tag: str) -> ByMetric:
    """Part the metrics of cases that have any score; what the system takes is left out.

    Nothing where the tag has fewer than two values, or more than `MANY`: that tells case from case,
    not kind from kind. Cases without the tag are in no part.
    """
    values = [case.tags.get(tag) for case in record.cases]
    names = sorted({one for one in values if one is not None})
    if not 2 <= len(names) <= MANY:
        return {}
    units = Units.of(record.cases)
    code = np.array([-1 if one is None else names.index(one) for one in values], dtype=np.intp)
    found: dict[str, Parts] = {}
    for key, column in record.columns.items():
        if not _is_parted(column):
            continue
        scored = column.status == Status.SCORED
        figures = {}
        for at, name in enumerate(names):
            here = code == at
            count = int((scored & here).sum())
            value = units.sample(column, scored & here).figure if count else None
            figures[name] = PartFigure(value, count, int((column.lost & here).sum()))
        found[key] = Parts(column.declared.unit, figures)
    return found


def _is_parted(column: Column) -> bool:
    of_cases = column.subjects is None and column.declared.layer is not Layer.SYSTEM
    return of_cases and bool((column.status == Status.SCORED).any())
