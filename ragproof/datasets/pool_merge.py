"""Judgments and reviewed answers, merged into a dataset; who said so stands in each case."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from ragproof.core import Case, CaseKind, QuestionCase, UsageError
from ragproof.datasets.pool import grades, tokens_of
from ragproof.datasets.pool_lines import AnswerLine, PoolLine, SourceLine, Verdict, pool_lines
from ragproof.datasets.validate import UNJUDGED, answers
from ragproof.text.faults import shown

REVIEWED = "reviewed"
"""Under a case's metadata: what was merged into it, by whom, from which runs."""


class Prefer(StrEnum):
    """Who is right where dataset and reviews say different things."""

    DATASET = "dataset"
    REVIEWS = "reviews"


@dataclass(frozen=True, slots=True)
class Merged:
    """A dataset with judgments in it."""

    cases: tuple[Case, ...]
    merged: int
    """Grades."""
    answers: int
    """Answers that became expected ones."""
    confirmed: int
    """Reviews that say what the dataset says."""
    outvoted: int
    """Reviews that say otherwise, and were not preferred."""
    waiting: int
    """Lines without a grade or verdict."""


def merge(cases: Sequence[Case], path: Path, prefer: Prefer | None = None) -> Merged:
    """Put the grades and answers of a reviewed pool into the cases; see `merge_lines`."""
    return merge_lines(cases, pool_lines(path), prefer)


def merge_lines(
    cases: Sequence[Case], lines: Iterable[SourceLine | AnswerLine], prefer: Prefer | None = None
) -> Merged:
    """Put grades and answers into the cases.

    An answer that was found right becomes one of the acceptable ones, a corrected one the
    expected one. Raises UsageError for a line of the wrong form, an unknown case, two lines that
    contradict each other and, unless it is said whom to prefer, one that contradicts the dataset.
    """
    asked = {case.id: case for case in cases if isinstance(case, QuestionCase)}
    reviews: defaultdict[str, _Review] = defaultdict(_Review)
    waiting = 0
    for line in lines:
        if line.case_id not in asked:
            name = shown(line.case_id)
            raise UsageError(f"{line.place}: case_id: {name} is no question of the dataset")
        said = line.grade if isinstance(line, SourceLine) else line.verdict
        if said is None:
            waiting += 1
        else:
            reviews[line.case_id].note(line)
    desks = {name: _Desk(asked[name], one, prefer) for name, one in reviews.items()}
    changed = tuple(desks[case.id].work() if case.id in desks else case for case in cases)
    done = desks.values()
    return Merged(
        changed,
        sum(one.merged for one in done),
        sum(one.answers for one in done),
        sum(one.confirmed for one in done),
        sum(one.outvoted for one in done),
        waiting,
    )


@dataclass
class _Review:
    """What was said of one case."""

    sources: dict[str, SourceLine] = field(default_factory=dict[str, SourceLine])
    said: dict[tuple[str, ...], AnswerLine] = field(default_factory=dict)
    """Tokens of an answer to its verdict."""
    corrected: AnswerLine | None = None

    def note(self, line: SourceLine | AnswerLine) -> None:
        """Add a line; raises UsageError where an earlier one contradicts it."""
        if isinstance(line, SourceLine):
            before = self.sources.setdefault(line.source_id, line)
            if before.grade != line.grade:
                raise _odds(line, line.source_id, f"grade {line.grade}", f"{before.grade}", before)
            return
        first = self.said.setdefault(tokens_of(line.answer), line)
        if first.verdict is not line.verdict:
            raise _odds(line, line.answer, f"{line.verdict}", f"{first.verdict}", first)
        self._note_correction(line)

    def _note_correction(self, line: AnswerLine) -> None:
        better = self.corrected or line
        if better.corrected is not None:
            said = self.said.get(tokens_of(better.corrected))
            if said is not None and said.verdict is Verdict.WRONG:
                raise _odds(better, better.corrected, "corrected to it", "wrong", said)
        if line.corrected is None:
            return
        other = self.corrected
        if other is not None and tokens_of(other.corrected or "") != tokens_of(line.corrected):
            raise _odds(line, "corrected_answer", line.corrected, other.corrected or "", other)
        self.corrected = other or line


def _odds(line: PoolLine, what: str, got: str, before: str, first: PoolLine) -> UsageError:
    return UsageError(
        f"{line.place}: {shown(what)} for case {shown(line.case_id)}: got {got}, but it has "
        f"{before} already at {first.place}. Settle it before it is merged"
    )


@dataclass
class _Desk:
    """Where one case and its review become one."""

    case: QuestionCase
    review: _Review
    prefer: Prefer | None
    merged: int = 0
    answers: int = 0
    confirmed: int = 0
    outvoted: int = 0
    record: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def work(self) -> QuestionCase:
        """Give the case as it is after the review."""
        changes: dict[str, Any] = {}
        if (found := self._graded()) is not None:
            changes["expected_source_ids"] = found
        changes |= self._answered()
        if not self.record:
            return self.case
        name, value = UNJUDGED
        before = self.case.metadata.get(REVIEWED)
        kept = before if isinstance(before, list) else []
        return dataclasses.replace(
            self.case,
            **changes,
            tags={tag: one for tag, one in self.case.tags.items() if (tag, one) != (name, value)},
            metadata={**self.case.metadata, REVIEWED: [*kept, *self.record]},
        )

    def _graded(self) -> Mapping[str, int] | None:
        found = dict(grades(self.case))
        begun = dict(found)
        for source, line in self.review.sources.items():
            before = found.get(source)
            if before == line.grade:
                self.confirmed += 1
                continue
            if before is not None:
                odds = f"{shown(source)}: got grade {line.grade}, but it has {before} already"
                if not self._is_preferred(line, odds):
                    continue
            found[source] = line.grade or 0
            self.merged += 1
            self._write(line, source_id=source, grade=line.grade)
        return found if found != begun else None

    def _answered(self) -> dict[str, Any]:
        """The fields that answers change: first what is wrong goes, then what is right comes."""
        found, kind = list(answers(self.case)), self.case.kind
        for line in self._called(Verdict.WRONG):
            found = self._without(found, line)
        better = self.review.corrected
        if better is not None and better.corrected is not None:
            if any(tokens_of(one) == tokens_of(better.corrected) for one in found):
                self.confirmed += 1
            elif self._may_replace(found, better):
                found = [better.corrected]
                kind = CaseKind.QA if kind is CaseKind.UNANSWERABLE else kind
                self.answers += 1
                self._write(better, corrected_answer=better.corrected)
        for line in self._called(Verdict.RIGHT):
            found = self._with(found, line, kind)
        changes: dict[str, Any] = {}
        if kind is not self.case.kind:
            changes["kind"] = kind
        if tuple(found) != answers(self.case):
            changes["expected_answer"] = found[0] if len(found) == 1 else tuple(found) or None
        return changes

    def _called(self, verdict: Verdict) -> list[AnswerLine]:
        return [one for one in self.review.said.values() if one.verdict is verdict]

    def _without(self, found: list[str], line: AnswerLine) -> list[str]:
        """The acceptable answers but for one that is wrong."""
        same = [one for one in found if tokens_of(one) == tokens_of(line.answer)]
        odds = f"{shown(line.answer)} is wrong, but it is an expected answer"
        if not same or not self._is_preferred(line, odds):
            return found
        self._write(line, answer=line.answer, verdict=Verdict.WRONG.value)
        return [one for one in found if one not in same]

    def _with(self, found: list[str], line: AnswerLine, kind: CaseKind) -> list[str]:
        """The acceptable answers and one that is right, unless it says one of them."""
        if kind is CaseKind.UNANSWERABLE or self._holds(found, line.answer):
            self.confirmed += 1
            return found
        self.answers += 1
        self._write(line, answer=line.answer, verdict=Verdict.RIGHT.value)
        return [*found, line.answer]

    def _may_replace(self, found: Sequence[str], line: AnswerLine) -> bool:
        if self.case.kind is CaseKind.UNANSWERABLE:
            return self._is_preferred(line, "it has a corrected answer, but it is unanswerable")
        if not found:
            return True
        odds = f"the corrected answer is {shown(line.corrected)}, expected is {shown(found[0])}"
        return self._is_preferred(line, odds)

    def _holds(self, found: Sequence[str], answer: str) -> bool:
        """Whether an answer says one of those expected: its words stand in it, in a row."""
        looked = f" {' '.join(tokens_of(answer))} "
        return any(f" {' '.join(tokens_of(one))} " in looked for one in found)

    def _is_preferred(self, line: PoolLine, odds: str) -> bool:
        """Whether the review counts; raises UsageError where nobody said."""
        if self.prefer is None:
            raise UsageError(
                f"{line.place}: case {shown(line.case_id)}: {odds}. Say who is right: "
                "--prefer reviews or --prefer dataset"
            )
        self.outvoted += self.prefer is Prefer.DATASET
        return self.prefer is Prefer.REVIEWS

    def _write(self, line: PoolLine, **said: Any) -> None:  # noqa: ANN401  any JSON value
        by = {"reviewer": line.reviewer} if line.reviewer is not None else {}
        of = {"runs": list(line.runs)} if line.runs else {}
        self.record.append({**said, **by, **of})
