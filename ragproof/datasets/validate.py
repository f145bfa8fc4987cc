"""Look a dataset through for what spoils figures though every line can be read."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from ragproof.core import Case, CaseKind, QuestionCase
from ragproof.core.case import Relation
from ragproof.core.garbage import uncollected
from ragproof.datasets.alike import alike
from ragproof.datasets.findings import Checked, Finding, Severity
from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.counting import counted
from ragproof.text.faults import shown

LEAST = 0.8
"""How much two questions share that are called near-duplicates."""
UNJUDGED = ("judged", "no")
"""The tag of a case whose gold nobody knows: it is not scored, and that is meant."""
SHORT = 4
"""An answer of one word needs so many letters before a question can be said to hold it."""
_EXPECTED = (
    *("expected_source_ids", "expected_spans", "expected_answer", "expected_nuggets"),
    *("expected_filter", "expected_intent", "expected_route", "expected_entities"),
    *("expected_schema", "expected_relation", "answerable_from_context", "adversarial_payload"),
    *("eligible_source_ids", "distractor_source_ids", "superseded_source_ids"),
)


@uncollected()
def validate(cases: Sequence[Case], least: float | None = LEAST) -> Checked:
    """Check what needs nothing but the cases; `least` None leaves near-duplicates out."""
    asked = [case for case in cases if isinstance(case, QuestionCase)]
    tokens = {case.id: tuple(answer_tokens(case.question)) for case in asked}
    findings = [*_same_questions(asked, tokens), *_split_groups(cases)]
    unchecked: dict[str, str] = {}
    if least is None:
        unchecked["near-duplicate"] = "not asked for"
    else:
        nearly, crowded = _nearly_same(asked, tokens, least)
        findings += nearly
        if crowded:
            unchecked["near-duplicate"] = (
                "so many questions resemble each other that not every pair was compared"
            )
    for case in asked:
        findings += _answered_by_itself(case, tokens[case.id])
        findings += _at_odds(case)
    findings += _without_gold(asked)
    return Checked(tuple(findings), unchecked)


def circumstances(case: QuestionCase) -> Hashable:
    """What else tells two cases of one question apart: conversation, date, caller, context."""
    task = case.metadata.get("task") or case.tags.get("task")
    injects = case.kind is CaseKind.INJECTION
    if not (case.history or case.as_of or case.caller or case.expected_filter or task or injects):
        return ""  # as most are
    return json.dumps(
        [
            [(turn.role, turn.content) for turn in case.history or ()],
            str(case.as_of),
            dict(case.caller or {}),
            dict(case.expected_filter or {}) if case.kind is CaseKind.QA else {},
            case.kind if injects else "",
            task,
        ],
        sort_keys=True,
        default=str,
    )


def _same_questions(
    asked: Sequence[QuestionCase], tokens: Mapping[str, tuple[str, ...]]
) -> Iterator[Finding]:
    for same in alike_groups((tokens[case.id], circumstances(case)) for case in asked):
        group = [asked[at] for at in same]
        if odds := _conflict(group):
            ids = tuple(case.id for case in group)
            yield Finding(check="gold-conflict", severity=Severity.ERROR, message=odds, cases=ids)
        elif len(twice := _unmeant(group)) > 1:
            yield Finding(
                check="duplicate",
                severity=Severity.WARNING,
                message=f"asked {len(twice)} times: {shown(group[0].question)}",
                cases=tuple(case.id for case in twice),
            )
        yield from _across_splits(group, Severity.ERROR, "the same question stands in")


def _unmeant(group: Sequence[QuestionCase]) -> list[QuestionCase]:
    """All but variants of one of them that ask the same otherwise, such as in capital letters."""
    names = {case.id for case in group}
    return [
        case
        for case in group
        if case.variant_of not in names or case.expected_relation is not Relation.SAME_ANSWER
    ]


def alike_groups(keys: Iterable[Hashable]) -> list[list[int]]:
    """Places of equal keys, of those that come more than once."""
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for at, key in enumerate(keys):
        places[key].append(at)
    return [group for group in places.values() if len(group) > 1]


def _conflict(group: Sequence[QuestionCase]) -> str:
    """In what the gold of the same question differs; empty where it does not."""
    about = f"for {shown(group[0].question)}"
    if len(kinds := sorted({case.kind for case in group})) > 1:
        return f"{about} the kind is {' and '.join(kinds)}"
    sources = {frozenset(relevant(case)) for case in group if case.expected_source_ids is not None}
    if len(sources) > 1:
        return f"{about} the expected sources differ"
    answers = [_answers(case) for case in group if case.expected_answer is not None]
    if any(not one & other for at, one in enumerate(answers) for other in answers[at + 1 :]):
        return f"{about} the expected answers have none in common"
    return ""


def relevant(case: QuestionCase) -> tuple[str, ...]:
    """The sources that a right answer rests on; those of grade 0 and below are none."""
    ids = case.expected_source_ids
    if isinstance(ids, Mapping):
        return tuple(source for source, grade in ids.items() if grade >= 1)
    return tuple(ids or ())


def answers(case: QuestionCase) -> tuple[str, ...]:
    """The acceptable answers."""
    said = case.expected_answer
    return (said,) if isinstance(said, str) else said or ()


def _answers(case: QuestionCase) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(answer_tokens(one)) for one in answers(case))


def _nearly_same(
    asked: Sequence[QuestionCase], tokens: Mapping[str, tuple[str, ...]], least: float
) -> tuple[list[Finding], bool]:
    """Near-duplicates among what is no duplicate; a variant may resemble its original."""
    firsts: dict[Hashable, QuestionCase] = {}
    for case in asked:
        firsts.setdefault((tokens[case.id], circumstances(case)), case)
    alone = [case for case in firsts.values() if case.variant_of is None]
    found, findings = alike([" ".join(tokens[case.id]) for case in alone], least), []
    for one in found.groups:
        members = [alone[at] for at in one.members]
        for same in alike_groups(circumstances(case) for case in members):
            group = [members[at] for at in same]
            findings.append(
                Finding(
                    check="near-duplicate",
                    severity=Severity.WARNING,
                    message=f"like each other: {shown(group[0].question)} and "
                    f"{shown(group[1].question)}",
                    cases=tuple(case.id for case in group),
                    similarity=one.similarity,
                )
            )
            findings += _across_splits(group, Severity.WARNING, "nearly the same question is in")
    return findings, found.crowded


def _split_groups(cases: Sequence[Case]) -> Iterator[Finding]:
    """Groups, and variants with their originals, that two splits share; then shared sources."""
    groups: defaultdict[tuple[str, str], list[Case]] = defaultdict(list)
    by_id = {case.id: case for case in cases}
    for case in cases:
        if case.group is not None:
            groups["group", case.group].append(case)
        if isinstance(case, QuestionCase) and case.variant_of in by_id:
            groups["variants of", case.variant_of].append(case)
    for (what, name), members in groups.items():
        whole = [by_id[name], *members] if what == "variants of" else members
        yield from _across_splits(whole, Severity.ERROR, f"{what} {shown(name)} stands in")
    yield from _shared_sources(cases)


def _across_splits(group: Sequence[Case], severity: Severity, what: str) -> Iterator[Finding]:
    splits = sorted({case.split for case in group if case.split is not None})
    if len(splits) > 1:
        yield Finding(
            check="split-leak",
            severity=severity,
            message=f"{what} {' and '.join(splits)}",
            cases=tuple(case.id for case in group),
        )


def _shared_sources(cases: Sequence[Case]) -> Iterator[Finding]:
    splits: defaultdict[str, set[str]] = defaultdict(set)
    for case in cases:
        if isinstance(case, QuestionCase) and case.split is not None:
            for source in relevant(case):
                splits[source].add(case.split)
    if shared := [source for source, found in splits.items() if len(found) > 1]:
        yield Finding(
            check="split-leak",
            severity=Severity.NOTE,
            message=f"{len(shared)} of {len(splits)} expected sources serve two splits, "
            f"{shown(shared[0])} among them; `ragproof dataset split --by source` keeps them apart",
        )


def _answered_by_itself(case: QuestionCase, question: tuple[str, ...]) -> Iterator[Finding]:
    said = f" {' '.join(question)} "
    before = case.history and [
        f" {' '.join(answer_tokens(turn.content))} " for turn in case.history
    ]
    for answer in answers(case):
        words = answer_tokens(answer)
        if len(words) < 2 and len("".join(words)) < SHORT:
            continue
        looked = f" {' '.join(words)} "
        where = "question" if looked in said else "conversation before it"
        if looked in said or any(looked in turn for turn in before or ()):
            yield Finding(
                check="answer-in-question",
                severity=Severity.WARNING,
                message=f"the {where} holds the expected answer {shown(answer)}",
                cases=(case.id,),
            )
            return


def _at_odds(case: QuestionCase) -> Iterator[Finding]:
    def odds(message: str, severity: Severity = Severity.ERROR) -> Finding:
        return Finding(check="labels-at-odds", severity=severity, message=message, cases=(case.id,))

    gold = set(relevant(case))
    if not gold and case.kind is not CaseKind.UNANSWERABLE:
        return
    for name, others in (
        ("distractor_source_ids", case.distractor_source_ids),
        ("superseded_source_ids", case.superseded_source_ids),
        ("planted_source_ids", case.planted_source_ids),
    ):
        if both := sorted(gold.intersection(others or ())):
            yield odds(f"{shown(both[0])} is expected, and one of {name}")
    if case.eligible_source_ids is not None and (
        hidden := sorted(gold.difference(case.eligible_source_ids))
    ):
        yield odds(
            f"{shown(hidden[0])} is expected, but not among eligible_source_ids: nobody who asks "
            "may see it",
            Severity.WARNING,
        )
    if case.kind is CaseKind.UNANSWERABLE:
        if gold:
            yield odds("unanswerable, yet it has expected sources", Severity.WARNING)
        if case.answerable_from_context:
            yield odds("unanswerable, yet answerable_from_context is true")


def _without_gold(asked: Sequence[QuestionCase]) -> Iterator[Finding]:
    name, value = UNJUDGED
    bare, unjudged = [], 0
    for case in asked:
        if case.kind is CaseKind.UNANSWERABLE or _has_gold(case):
            continue
        if case.tags.get(name) == value:
            unjudged += 1
        else:
            bare.append(case.id)
    if bare:
        yield Finding(
            check="no-gold",
            severity=Severity.WARNING,
            message=f"no label in {counted(len(bare), 'case')} that a score could rest on; if "
            "nobody judged them, say so by the tag `judged: no`",
            cases=tuple(bare),
        )
    if unjudged:
        yield Finding(
            check="no-gold",
            severity=Severity.NOTE,
            message=f"{unjudged} cases are marked as unjudged; they are asked and not scored",
        )


def _has_gold(case: QuestionCase) -> bool:
    if any(getattr(case, name) for name in _EXPECTED if name != "expected_source_ids"):
        return True
    return case.answerable_from_context is not None or bool(relevant(case))
