"""What a metric's class says of itself, in parts: for the reference and for `ragproof metrics`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Declared, declared
from ragproof.metrics import catalog

SECTIONS = (
    "Question",
    "Formula",
    "Range",
    "Edge cases",
    "Not to be confused with",
    "References",
    "Example",
)
"""Every metric's docstring has these, in this order, below its first line."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """One metric, ready to be shown."""

    declared: Declared
    """With the parameters at their defaults."""
    summary: str
    sections: Mapping[str, str]
    """Title to text on one line; the example keeps its lines."""
    reasons: tuple[str, ...]
    """Why it is skipped, the first that holds; one a need."""


def page(metric_id: str) -> Page:
    """Read the page of a metric; a user's class may lack sections.

    Raises UnknownMetric, and UsageError for a user's class that is no metric.
    """
    metric = catalog.load(metric_id)
    doc = inspect.getdoc(metric) or ""
    summary, *rest = re.split(rf"^({'|'.join(SECTIONS)}):", doc, flags=re.MULTILINE)
    sections = {
        title: inspect.cleandoc(f"\n{text}") if title == "Example" else " ".join(text.split())
        for title, text in zip(rest[::2], rest[1::2], strict=True)
    }
    return Page(
        declared=declared(catalog.build(metric_id)),
        summary=" ".join(summary.split()),
        sections=sections,
        reasons=tuple(need.reason for need in metric.spec.needs),
    )
