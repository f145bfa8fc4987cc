"""What an evaluation came to, from Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ragproof.analysis.findings import LISTED, Findings
from ragproof.analysis.summary import Line
from ragproof.analysis.worst import FailedCase
from ragproof.api.decisions import Compared, Gated, Thresholds, compared, held
from ragproof.api.shelf import Shelf
from ragproof.core import Case, Failed, Finished, Level, Observation, Outcome, Scored
from ragproof.core.record import RunRecord
from ragproof.reports.frames import frame
from ragproof.reports.html import run_html
from ragproof.reports.json import summary
from ragproof.reports.markdown import run_markdown
from ragproof.reports.table_files import rows
from ragproof.text.files import write_whole
from ragproof.wiring.perform import findings


@dataclass(frozen=True)
class CaseResult:
    """One case: what was asked, what the pipeline did, and what each metric made of it."""

    case: Case
    observation: Observation
    outcomes: Mapping[str, Outcome]
    """Metric key to outcome: scored, skipped, not applicable or failed."""
    repeat: int = 0

    @classmethod
    def of(cls, saved: Finished) -> CaseResult:
        """Read what was saved of a case."""
        assert saved.run is not None
        outcomes = {row.key: row.outcome for row in saved.rows}
        return cls(saved.run.case, saved.run.observation, outcomes, saved.run.repeat)

    @property
    def id(self) -> str:
        """The case's id."""
        return self.case.id

    @property
    def failure(self) -> Failed | None:
        """Why the pipeline gave no observation, where it did not."""
        return self.observation.failure

    @property
    def scores(self) -> Mapping[str, float]:
        """Metric key to value, for the metrics that scored the case; the others are not in it."""
        return {key: one.value for key, one in self.outcomes.items() if isinstance(one, Scored)}


class Result:
    """A run: its figures, its cases, and what may be decided on it."""

    def __init__(self, found: Findings, shelf: Shelf) -> None:
        self._found = found
        self._shelf = shelf

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self._shelf.run_id

    @property
    def status(self) -> str:
        """`completed`, or why not: `partial`, `failed`, `interrupted`, `aborted:budget`."""
        return self.record.state.value

    @property
    def record(self) -> RunRecord:
        """The run in columns: header, cases, and an array for each metric key."""
        return self._found.record

    @cached_property
    def document(self) -> dict[str, Any]:
        """What `ragproof run --json` prints."""
        return summary(self._found)

    @property
    def summary(self) -> Mapping[str, Mapping[str, Any]]:
        """Metric key to figures: `mean` (None where nothing was scored), `ci95`, `scored`, ..."""
        figures: dict[str, dict[str, Any]] = self.document["metrics"]
        return figures

    @property
    def lines(self) -> tuple[Line, ...]:
        """The figures as objects, in order of the metric's key."""
        return self._found.summary.lines

    def mean(self, metric: str) -> float | None:
        """Give the mean of a metric, None where nothing was scored; raises KeyError without it."""
        value: float | None = self.summary[metric]["mean"]
        return value

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know before believing the figures."""
        return self._found.warnings

    @property
    def failures(self) -> tuple[FailedCase, ...]:
        """The cases of which the pipeline gave no observation, and why; possibly not all."""
        return self._found.failures

    @cached_property
    def cases(self) -> tuple[CaseResult, ...]:
        """Every case, in order of id and repeat."""
        return tuple(CaseResult.of(one) for one in self._saved() if one.level is Level.CASE)

    def to_rows(self) -> list[dict[str, Any]]:
        """Give a row for each case and metric, with evidence, as `ragproof export` writes them."""
        return [dict(row) for row in rows(self.record.header, self._saved())]

    def to_pandas(self) -> Any:  # noqa: ANN401  pandas need not be there
        """Give a data frame of pandas: a row for each case and metric, a column for each tag."""
        return frame(self.record, "pandas")

    def to_polars(self) -> Any:  # noqa: ANN401  polars need not be there
        """Give the same as a data frame of polars."""
        return frame(self.record, "polars")

    def report_html(self, path: str | Path) -> Path:
        """Write the report, one file that loads nothing, and return its path."""
        target = Path(path)
        write_whole(target, run_html(self._up_close()))
        return target

    def report_markdown(self) -> str:
        """Give a short report, for a comment on a pull request."""
        return run_markdown(self._up_close())

    def compare(
        self, baseline: Result, *, common_cases: bool = False, allow_mixed_judges: bool = False
    ) -> Compared:
        """Compare with a baseline, case by case.

        Raises UsageError that names the difference where the two were not measured alike.
        """
        return compared(
            baseline._shelf,
            self._shelf,
            common_cases=common_cases,
            allow_mixed_judges=allow_mixed_judges,
        )

    def gate(
        self,
        thresholds: Thresholds | None = None,
        baseline: Result | str | Path | None = None,
        *,
        common_cases: bool = False,
        allow_mixed_judges: bool = False,
    ) -> Gated:
        """Hold the run to thresholds, as `ragproof gate` does.

        Args:
            thresholds: Metric key to a rule or a list of rules, as in the config; a whole `gate`
                section; or the path of a config. Default the config that the run was made with.
            baseline: What `max_drop` and `max_rise` compare with: a result, a run of the same
                store, or a file.
            common_cases: Compare the cases that both have, where datasets differ.
            allow_mixed_judges: Compare although judges or prompts differ.

        Raises UsageError for rules that make no sense and for a baseline that does not fit.
        """
        return held(
            self._shelf,
            thresholds,
            baseline._shelf if isinstance(baseline, Result) else baseline,
            common_cases=common_cases,
            allow_mixed_judges=allow_mixed_judges,
        )

    def __repr__(self) -> str:
        cases = self._found.summary.cases
        name = f" {self.record.header.label!r}" if self.record.header.label else ""
        figures = sum(line.mean is not None for line in self._found.summary.lines)
        return (
            f"<ragproof.Result {self.run_id}{name}: {self.status}, {cases.ok} of {cases.total} "
            f"cases observed, {figures} figures>"
        )

    def _repr_markdown_(self) -> str:
        """What a notebook shows."""
        return run_markdown(self._found)

    def _up_close(self) -> Findings:
        with self._shelf.opened() as kept:
            return findings(
                kept.store, kept.id, self.record.state, self._found.warnings, up_close=LISTED
            )

    def _saved(self) -> Iterator[Finished]:
        with self._shelf.opened() as kept:
            yield from kept.store.saved(kept.id)
