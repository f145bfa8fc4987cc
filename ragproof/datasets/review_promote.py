"""Reviewed answers of traffic, made cases of a golden set; what is there already stays as it is."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragproof.core import Case, QuestionCase, Split
from ragproof.datasets.pool import grades
from ragproof.datasets.pool_lines import AnswerLine, SourceLine
from ragproof.datasets.pool_lines import Verdict as Said
from ragproof.datasets.pool_merge import REVIEWED, merge_lines
from ragproof.datasets.review_lines import Review, Verdict
from ragproof.datasets.review_merge import majority
from ragproof.datasets.review_queue import KeyItem
from ragproof.datasets.validate import UNJUDGED, validate
from ragproof.text.follow_ups import patterns
from ragproof.text.refusal import refusal

SAME = ("gold-conflict", "duplicate", "near-duplicate")
"""What `ragproof dataset validate` says of questions that are there already."""
SAMPLED = "sampling"
KEPT_OUT = ("stratum", *UNJUDGED[:1])
"""Tags that say how a case was drawn, not what it is."""

BY_ID = "id:"
APART = "the reviewers disagree"
UNTOLD = "nobody could say"
NO_GOLD = "not good, and nobody said what is right"
REFUSED = "a refusal that was right: say by hand that nothing answers it"
THERE = "the question is in the set already, or nearly"
TAKEN = "the id is taken"
ASKED_ON = "a question that goes on from another, without the conversation (`history`)"
ELSEWHERE = "its session (`group`) is in another split of the set"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An answer of traffic, and what was said of it."""

    item: KeyItem
    case: QuestionCase
    answer: str
    run: str
    reviews: tuple[Review, ...]


@dataclass(frozen=True, slots=True)
class Promoted:
    """A golden set with reviewed traffic in it."""

    cases: tuple[Case, ...]
    """First those that were there, untouched; then the new ones."""
    new: tuple[str, ...]
    """Ids of the new ones."""
    left_out: Mapping[str, int]
    """Reason to the number of reviewed answers."""
    strata: Mapping[str, int]
    """Stratum to the number of new cases that it drew; a case may be of several."""
    unweighted: int
    """New cases that the random sample did not draw: their share is not that of traffic."""
    unseen: int
    """Sources of new cases that no passage showed: named by reviewers, from what they know."""


def promoted(
    golden: Sequence[Case], found: Iterable[Reviewed], split: Split | None, *, random_only: bool
) -> Promoted:
    """Add the answers of which it is known what is right; `split` is that of the new cases."""
    left_out: Counter[str] = Counter()
    ready: dict[str, tuple[QuestionCase, Reviewed]] = {}
    taken = {case.id for case in golden}
    apart = [case.group for case in golden if case.split and split not in (None, case.split)]
    elsewhere = {*apart} - {None}
    for one in found:
        if random_only and "random" not in one.item.strata:
            left_out["not of the random sample"] += 1
            continue
        made = _case(one, split) if _stands_alone(one.case) else ASKED_ON
        if isinstance(made, str):
            left_out[made] += 1
        elif made.id in taken:
            left_out[TAKEN] += 1
        elif made.group in elsewhere:
            left_out[ELSEWHERE] += 1
        else:
            ready[made.id] = (made, one)
    same = _there(golden, [case for case, _ in ready.values()])
    left_out[THERE] += len(same)
    new = [(case, one) for name, (case, one) in ready.items() if name not in same]
    return Promoted(
        cases=(*golden, *(case for case, _ in new)),
        new=tuple(case.id for case, _ in new),
        left_out={reason: number for reason, number in left_out.items() if number},
        strata=dict(Counter(name for _, one in new for name in one.item.strata)),
        unweighted=sum("random" not in one.item.strata for _, one in new),
        unseen=sum(len({*grades(case)} - {*one.item.sources}) for case, one in new),
    )


def _stands_alone(case: QuestionCase) -> bool:
    """Whether who has not seen the turns before it can answer it, as far as its words tell."""
    return bool(case.history) or not patterns(case.question)


def _there(golden: Sequence[Case], new: Sequence[QuestionCase]) -> set[str]:
    """Those whose question the set has, exactly or nearly, or another new case before them."""
    order = {case.id: at for at, case in enumerate([*golden, *new])}
    fresh = {case.id for case in new}
    found: set[str] = set()
    for finding in validate([*golden, *new]).findings if new else ():
        if finding.check in SAME:
            first = min(finding.cases, key=order.__getitem__)
            found |= (fresh & {*finding.cases}) - {first}
    return found


def _case(one: Reviewed, split: Split | None) -> QuestionCase | str:
    """The case, as a reviewed pool would make it; a text says why there is none."""
    said = [review for review in one.reviews if review.verdict not in (None, Verdict.CANNOT_SAY)]
    if not said:
        return UNTOLD
    verdict = majority(str(review.verdict) for review in said)
    if verdict is None:
        return APART
    said = [one for one in said if (one.verdict is Verdict.GOOD) is (verdict is Verdict.GOOD)]
    better = {review.better_answer for review in said if review.better_answer}
    if len(better) > 1:
        return APART
    if verdict is Verdict.GOOD and not better and _refuses(one.answer):
        return REFUSED
    lines = list(_lines(one, said, verdict))
    done = merge_lines([_asked(one, split)], lines).cases[0]
    if not isinstance(done, QuestionCase) or REVIEWED not in done.metadata:
        return NO_GOLD
    return done


def _refuses(answer: str) -> bool:
    found = refusal(answer)
    return found is not None and found.refused


def _lines(
    one: Reviewed, said: Sequence[Review], verdict: Verdict
) -> Iterable[AnswerLine | SourceLine]:
    """What the reviewers that agree said, as lines of a pool of answers and of sources."""
    better = next((review for review in said if review.better_answer), None)
    by = better or next(review for review in said if review.verdict is verdict)
    line = AnswerLine(
        place=by.place,
        case_id=one.case.id,
        reviewer=by.reviewer,
        runs=(one.run,),
        answer=one.answer,
        verdict=Said.RIGHT if verdict is Verdict.GOOD else Said.WRONG,
    )
    if better is None:
        yield line
    elif verdict is Verdict.GOOD:
        yield line
        yield dataclasses.replace(line, answer=better.better_answer or "")
    else:
        yield dataclasses.replace(line, corrected=better.better_answer)
    marked = {sourced(name, one.item): review for review in said for name in review.sources}
    for source, review in marked.items():
        if source is None:
            continue
        yield SourceLine(
            place=review.place,
            case_id=one.case.id,
            reviewer=review.reviewer,
            runs=(one.run,),
            source_id=source,
            grade=1,
        )


def sourced(name: str, item: KeyItem) -> str | None:
    """The id of a source that a reviewer marked: a number of a passage, or an id.

    An id that is a number itself and is not among the passages is written `id:17`. None for a
    number that no passage has.
    """
    if not (name.isdecimal() and name.isascii()):
        return name.removeprefix(BY_ID)
    if 0 < int(name) <= len(item.sources):
        return item.sources[int(name) - 1]
    return name if name in item.sources else None


def _asked(one: Reviewed, split: Split | None) -> QuestionCase:
    """The case of the traffic without truth, and with how it was drawn."""
    case = one.case
    name, value = UNJUDGED
    tags = {tag: told for tag, told in case.tags.items() if tag not in KEPT_OUT}
    drawn = {"strata": list(one.item.strata), "weight": 1 / one.item.probability}
    return QuestionCase(
        id=case.id,
        question=case.question,
        history=case.history,
        caller=case.caller,
        as_of=case.as_of,
        group=case.group,
        tags={**tags, name: value},
        split=split,
        metadata={SAMPLED: drawn},
    )
