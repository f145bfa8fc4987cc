"""Hold a candidate and a baseline to the decision rules of the config."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.analysis.comparable import Obstacle, changes_told, obstacles
from ragproof.analysis.decide import Decided, Decisions, Registration, decide
from ragproof.analysis.decide_rules import AdoptionRule, nonsense
from ragproof.analysis.joining import Join
from ragproof.analysis.prediction_powered import HumanScore
from ragproof.core import Declared, RunHeader, UsageError
from ragproof.core.record import RunRecord
from ragproof.text.files import at_home
from ragproof.text.nearest import nearest
from ragproof.wiring.baselines import NOTHING_TOLERATED, Tolerated, hindrance
from ragproof.wiring.candidates import candidates_told
from ragproof.wiring.fixed_rules import hash_of
from ragproof.wiring.human_labels import in_range, read_labels
from ragproof.wiring.looking import Looking
from ragproof.wiring.schema import Config


@dataclass(frozen=True, kw_only=True)
class Question:
    """What the command line says of a decision."""

    rule: str | None = None
    """One rule's name; None for all."""
    baseline: str
    candidate: str = "latest"
    tolerated: Tolerated = NOTHING_TOLERATED


def decisions(looking: Looking, question: Question) -> Decisions:
    """Decide; raises UsageError where the runs do not fit, naming the difference."""
    config, store = looking.config, looking.store
    rules = _asked(config, question.rule)
    names = (question.baseline, question.candidate)
    before, after = (store.find(one, looking.project).header for one in names)
    if before.id == after.id:
        raise UsageError(f"{names[0]!r} and {names[1]!r} are one run ({before.id}); name two")
    arms = _are_arms(before, after, question.tolerated)
    _refuse_misfits(rules, before, after, question.tolerated, arms=arms)
    records = store.record(before.id), store.record(after.id)
    if not arms and not Join.of_cases(*records).names:
        raise UsageError(f"runs {before.id} and {after.id} have no case in common")
    refuse_nonsense(config, {key: one.declared for key, one in records[1].columns.items()})
    decided = tuple(
        decide(
            rule,
            *records,
            registration(rule, before, after),
            _labels(config, rule, records),
            min_completion=config.gate.min_completion,
            arms=arms,
        )
        for rule in rules
    )
    return Decisions(
        baseline=records[0],
        candidate=records[1],
        decided=decided,
        told=tuple(changes_told(before, after)),
        doubts=tuple(
            one.text
            for one in obstacles(before, after)
            if not (arms and one.obstacle is Obstacle.DATASET)
        ),
        notes=tuple(_notes(looking, records, decided)),
    )


def _asked(config: Config, name: str | None) -> list[AdoptionRule]:
    known = {one: config.decisions[one].rule(one) for one in config.decisions}
    if not known:
        raise UsageError(
            "there is no rule to decide by. Write one before the runs, such as `decisions: "
            "{reranker: {recipe: keep_reranker, min_gain: 0.02, max_latency_rise: 0.2}}`"
        )
    if name is None:
        return [*known.values()]
    if name not in known:
        close = nearest(name, known) or f" There are: {', '.join(known)}"
        raise UsageError(f"There is no rule {name!r} in decisions.{close}")
    return [known[name]]


def _are_arms(before: RunHeader, after: RunHeader, tolerated: Tolerated) -> bool:
    """Whether the runs are of different cases, and no one asked for those that both have."""
    return before.dataset.hash != after.dataset.hash and not tolerated.common_cases


def _refuse_misfits(
    rules: Sequence[AdoptionRule],
    before: RunHeader,
    after: RunHeader,
    tolerated: Tolerated,
    *,
    arms: bool,
) -> None:
    """As a comparison does; but each arm of an experiment has cases of its own."""
    for rule in rules:
        allowed: Collection[Obstacle] = tolerated.obstacles
        if arms and rule.experiment is not None:
            allowed = {*allowed, Obstacle.DATASET}
        if why := hindrance(before, after, allowed):
            hint = ""
            if arms and rule.experiment is None:
                hint = ". Runs of two arms of traffic are for a rule with `experiment`"
            raise UsageError(
                f"rule {rule.name!r}: runs {before.id} and {after.id} are not compared: {why}{hint}"
            )


def refuse_nonsense(config: Config, declared: Mapping[str, Declared]) -> None:
    """Raise UsageError for clauses that nothing could meet, or nothing miss.

    `declared` is metric key to declaration, as for the thresholds of a gate.
    """
    faults = []
    for name, one in config.decisions.items():
        for clause in one.rule(name).clauses:
            key = clause.metric
            known = declared.get(key) or declared.get(key.partition("[")[0])
            if known is not None and clause.estimate != "agreement":
                where = config.where("decisions", name)
                faults += [f"{where}: {name}: {key}: {told}" for told in nonsense(clause, known)]
    if faults:
        raise UsageError("\n".join(faults))


def registration(rule: AdoptionRule, before: RunHeader, after: RunHeader) -> Registration:
    """Whether the rule's hash stands in the headers of both runs, written at their start."""
    now = rule.fixed
    own = hash_of(now)
    stands = [own in header.rules.values() for header in (before, after)]
    earlier = [
        header.decisions[rule.name]
        for header, there in zip((before, after), stands, strict=True)
        if not there and rule.name in header.decisions
    ]
    was = earlier[0] if earlier else {}
    changed = dict(_changes(was, now)) if was else {}
    return Registration(hash=own, baseline=stands[0], candidate=stands[1], changed=changed)


def _changes(was: Any, now: Any, place: str = "") -> Iterator[tuple[str, tuple[Any, Any]]]:  # noqa: ANN401 - plain data
    """The places at which two rules differ, and what each says there."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in sorted({*was, *now}):
            yield from _changes(was.get(name), now.get(name), f"{place}.{name}" if place else name)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for at, (one, other) in enumerate(zip(was, now, strict=True)):
            named = one.get("metric", at) if isinstance(one, Mapping) else at
            yield from _changes(one, other, f"{place}[{named}]")
    elif was != now:
        yield place, (was, now)


def _labels(
    config: Config, rule: AdoptionRule, records: tuple[RunRecord, RunRecord]
) -> tuple[HumanScore, ...]:
    """The labels of a rule that asks for some."""
    asked = [*dict.fromkeys(one.metric for one in rule.clauses if one.estimate != "plain")]
    given = config.decisions[rule.name].human_labels or config.gate.human_labels
    if not asked or given is None:
        return ()
    path: Path = config.folder / at_home(given)
    with config.blamed("decisions", rule.name):
        labels = read_labels(path, asked)
        for record in records:
            in_range(labels, record, path)
    return labels


def _notes(
    looking: Looking, records: tuple[RunRecord, RunRecord], decided: Sequence[Decided]
) -> Iterator[str]:
    """What a reader should know before believing a verdict."""
    after = records[1]
    asked = dict.fromkeys(one.clause.metric for each in decided for one in each.findings)
    for metric in asked:
        if metric not in after.columns and (close := nearest(metric, after.columns)):
            yield f"the candidate has no {metric}.{close}"
    found = candidates_told(looking.store, looking.store, records, asked)
    if found is not None and (told := found.told):
        yield told
