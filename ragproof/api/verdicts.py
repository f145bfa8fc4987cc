"""The functions beside `evaluate`: look a run up, compare, gate, assert."""

from __future__ import annotations

import os
from pathlib import Path

from ragproof.api.decisions import Compared, Gated, Thresholds
from ragproof.api.result import Result
from ragproof.api.shelf import Shelf
from ragproof.core import Declared
from ragproof.metrics import catalog
from ragproof.store.open import open_store
from ragproof.wiring.perform import findings
from ragproof.wiring.plan import declarations, plan
from ragproof.wiring.wish import Wish


def open_run(
    reference: str = "latest",
    *,
    store: str | Path | None = None,
    project: str | None = None,
    config: str | Path | None = None,
) -> Result:
    """Look up a run of a store: its id or the beginning of it, its label, `latest`, `latest~1`.

    The store is that of the `config`, else `.ragproof/ragproof.db`. Raises UsageError that says
    what there is where no such run is there.
    """
    path = None if config is None else Path(config)
    where = None if store is None else str(store)
    loaded = Wish(config=path, ignore_config=path is None or None, store=where, project=project)
    read = loaded.load_config(os.environ)
    with open_store(read.store, create=False) as opened:
        run_id = opened.find(reference, read.runs_under).header.id
        return Result(findings(opened, run_id), Shelf(read.store, run_id, path))


def compare(
    baseline: Result,
    candidate: Result,
    *,
    common_cases: bool = False,
    allow_mixed_judges: bool = False,
) -> Compared:
    """Compare a candidate with a baseline, case by case.

    Raises UsageError that names the difference where the two were not measured alike.

    >>> import ragproof
    >>> case = {"id": "q1", "question": "?", "expected_answer": "yes"}
    >>> runs = [ragproof.evaluate([case], lambda question: {"answer_text": said},
    ...                           "generation.exact_match") for said in ("no", "yes")]
    >>> ragproof.compare(*runs).metrics["generation.exact_match"]["delta"]
    1.0
    """
    return candidate.compare(
        baseline, common_cases=common_cases, allow_mixed_judges=allow_mixed_judges
    )


def gate(
    result: Result,
    thresholds: Thresholds | None = None,
    baseline: Result | str | Path | None = None,
    *,
    common_cases: bool = False,
    allow_mixed_judges: bool = False,
) -> Gated:
    """Hold a result to thresholds; see `Result.gate`.

    >>> import ragproof
    >>> case = {"id": "q1", "question": "?", "expected_answer": "yes"}
    >>> result = ragproof.evaluate([case], lambda question: {"answer_text": "yes"},
    ...                            "generation.exact_match")
    >>> ragproof.gate(result, {"generation.exact_match": {"min": 0.9}}).passed
    True
    """
    return result.gate(
        thresholds, baseline, common_cases=common_cases, allow_mixed_judges=allow_mixed_judges
    )


def assert_gate(
    result: Result,
    thresholds: Thresholds | None = None,
    baseline: Result | str | Path | None = None,
    *,
    common_cases: bool = False,
    allow_mixed_judges: bool = False,
) -> Gated:
    """Raise AssertionError that explains each check, unless the gate passes; see `Result.gate`."""
    __tracebackhide__ = True  # pytest then shows the line that called this
    found = result.gate(
        thresholds, baseline, common_cases=common_cases, allow_mixed_judges=allow_mixed_judges
    )
    if not found.passed:
        raise AssertionError(found.explained())
    return found


def list_metrics(pattern: str = "*", *, k: int = 5) -> dict[str, Declared]:
    """Give each metric that ships, by id: unit, direction, what it pools to, its parameters.

    >>> import ragproof
    >>> ragproof.list_metrics("retrieval.mrr")["retrieval.mrr"].better
    <Better.HIGHER: 'higher'>
    """
    return declarations(plan([(one, {}) for one in catalog.matching(pattern)], k))
