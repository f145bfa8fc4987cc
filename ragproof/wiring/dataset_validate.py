"""Look a dataset through, with the corpus and a run beside it where they are named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragproof.analysis.annotators import TENTATIVE, Agreed, agreed
from ragproof.core import Case, Status, UsageError
from ragproof.core.record import RunRecord
from ragproof.datasets import Dataset, load
from ragproof.datasets.corpus import load_corpus
from ragproof.datasets.findings import CHECKS, Finding, Severity
from ragproof.datasets.validate import validate
from ragproof.datasets.validate_corpus import against_corpus
from ragproof.text.faults import shown
from ragproof.text.nearest import nearest
from ragproof.wiring.looking import open_for_reading

ANNOTATIONS = "annotations"
"""Under `metadata`: annotator to label."""
EASY = ("generation.answer_correctness", "generation.token_f1", "echo.exact_match")
"""The first that the run scored says whether a case was answered."""


@dataclass(frozen=True, kw_only=True)
class ValidateRequest:
    """What is looked through, and against what."""

    dataset: Path
    corpus: Path | None = None
    run: str | None = None
    """One that answered without retrieval."""
    metric: str | None = None
    easy_at: float = 0.8
    least: float | None = 0.8
    config: Path | None = None
    store: str | None = None


@dataclass(frozen=True, kw_only=True)
class Validation:
    """All that was found."""

    dataset: Dataset
    findings: tuple[Finding, ...]
    """The gravest first, then by check."""
    unchecked: Mapping[str, str]
    """Check to the reason why it was not made."""
    annotators: Agreed | None

    def worst(self, level: Severity) -> int:
        """How many findings are of this severity and above."""
        return sum(one.severity.rank <= level.rank for one in self.findings)


def validated(request: ValidateRequest, environ: Mapping[str, str]) -> Validation:
    """Read and check; raises UsageError where something cannot be read at all."""
    dataset = load(request.dataset)
    checked = validate(dataset.cases, request.least)
    findings, unchecked = list(checked.findings), dict(checked.unchecked)
    if request.corpus is None:
        for name in ("unknown-source", "span-outside", "question-copied"):
            unchecked[name] = "no corpus was given (--corpus)"
    else:
        findings += against_corpus(dataset.cases, load_corpus(request.corpus))
    annotators, disagreed = _annotated(dataset.cases)
    findings += disagreed
    if annotators is None:
        unchecked["annotators-disagree"] = f"no case has metadata.{ANNOTATIONS} of two annotators"
    if request.run is None:
        unchecked["too-easy"] = "no run without retrieval was given (--closed-book)"
    else:
        with open_for_reading(request.config, request.store, environ) as looking:
            record = looking.store.record(
                looking.store.find(request.run, looking.project).header.id
            )
        findings += _too_easy(dataset.cases, record, request)
    order = {name: at for at, name in enumerate(CHECKS)}
    findings.sort(key=lambda one: (one.severity.rank, order[one.check]))
    return Validation(
        dataset=dataset, findings=tuple(findings), unchecked=unchecked, annotators=annotators
    )


def _annotated(cases: Sequence[Case]) -> tuple[Agreed | None, list[Finding]]:
    labels = {case.id: _labels(case.metadata.get(ANNOTATIONS)) for case in cases}
    found = agreed(labels.values())
    if not found.cases:
        return None, []
    apart = tuple(name for name, one in labels.items() if len(set(one.values())) > 1)
    findings = []
    if apart:
        alpha = "not defined" if found.alpha is None else f"{found.alpha:.2f}"
        low = found.alpha is not None and found.alpha < TENTATIVE
        findings.append(
            Finding(
                check="annotators-disagree",
                severity=Severity.WARNING if low else Severity.NOTE,
                message=f"on {len(apart)} of {found.cases} cases with several labels; "
                f"Krippendorff's alpha is {alpha}"
                + (f", below {TENTATIVE}: do not conclude from these labels" if low else ""),
                cases=apart,
            )
        )
    return found, findings


def _labels(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {
        str(who): json.dumps(sorted(map(str, said)) if isinstance(said, list) else said)
        for who, said in value.items()
        if said is not None
    }


def _too_easy(
    cases: Sequence[Case], record: RunRecord, request: ValidateRequest
) -> Iterator[Finding]:
    key = request.metric or next((one for one in EASY if one in record.columns), "")
    if key not in record.columns or record.columns[key].subjects is not None:
        scored = sorted(key for key, one in record.columns.items() if one.subjects is None)
        raise UsageError(
            f"--easy-metric: got {shown(key)}; the run {record.header.id} scored: "
            f"{', '.join(scored) or 'nothing'}.{nearest(key, scored)}"
        )
    column, here = record.columns[key], {case.id for case in cases}
    rows = zip(record.cases, column.status.tolist(), column.values.tolist(), strict=True)
    high = {
        row.id: value
        for row, status, value in rows
        if status == Status.SCORED and value >= request.easy_at and row.id in here
    }
    if high:
        yield Finding(
            check="too-easy",
            severity=Severity.WARNING,
            message=f"{len(high)} of {len(here)} cases reach {request.easy_at:g} of {key} without "
            "retrieval: they do not show whether retrieval works",
            cases=tuple(high),
        )
