"""The functions of the API, bound to a config: what a test suite is handed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ragproof.api.asking import Asked, Cases
from ragproof.api.decisions import Compared, Gated, Thresholds
from ragproof.api.evaluation import evaluate
from ragproof.api.result import Result
from ragproof.api.verdicts import assert_gate, compare, gate, open_run


class Bound:
    """Evaluates, compares and gates with a config and a baseline that need not be named."""

    def __init__(
        self, config: str | None, baseline: str | None, heard: Callable[[Result], None]
    ) -> None:
        """Take the path of a config, the baseline, and who hears of every result."""
        self.config = config
        self.baseline = baseline
        self._heard = heard

    def evaluate(
        self,
        cases: Cases | None = None,
        adapter: object | None = None,
        metrics: Asked | Iterable[Asked] | None = None,
        **more: Any,  # noqa: ANN401  those of `ragproof.evaluate`
    ) -> Result:
        """Evaluate, as `ragproof.evaluate` does; without a config nothing is kept."""
        result = evaluate(cases, adapter, metrics, **{"config": self.config, **more})
        self._heard(result)
        return result

    def gate(
        self,
        result: Result,
        thresholds: Thresholds | None = None,
        baseline: Result | str | Path | None = None,
        **more: bool,
    ) -> Gated:
        """Hold a result to thresholds, by default those of the config."""
        asked = self.config if thresholds is None else thresholds
        return gate(result, asked, self.baseline if baseline is None else baseline, **more)

    def assert_gate(
        self,
        result: Result,
        thresholds: Thresholds | None = None,
        baseline: Result | str | Path | None = None,
        **more: bool,
    ) -> Gated:
        """Fail the test with what was asked and found, unless the gate passes."""
        __tracebackhide__ = True
        asked = self.config if thresholds is None else thresholds
        return assert_gate(result, asked, self.baseline if baseline is None else baseline, **more)

    def compare(self, baseline: Result, candidate: Result, **more: bool) -> Compared:
        """Compare a candidate with a baseline."""
        return compare(baseline, candidate, **more)

    def open_run(self, reference: str = "latest", *, store: str | Path | None = None) -> Result:
        """Look up a run, by default in the store of the config."""
        return open_run(reference, store=store, config=self.config)
