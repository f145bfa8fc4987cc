"""How decisions and their clauses are put into words, the same on every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ragproof.analysis.decide import Adoption, Decided, Decisions, Finding, State
from ragproof.analysis.decide_evidence import Measured
from ragproof.analysis.decide_experiment import Progress
from ragproof.analysis.decide_rules import Bar, Basis, Clause
from ragproof.analysis.gate import in_unit
from ragproof.core.spec import Unit
from ragproof.reports.decision_wording import corrected, signed
from ragproof.reports.wording import figure
from ragproof.text.counting import counted

WORDS = {Adoption.ADOPT: "adopt", Adoption.REJECT: "reject", Adoption.INCONCLUSIVE: "inconclusive"}
ASKED = {
    Bar.MIN_GAIN: "gain at least",
    Bar.MIN: "at least",
    Bar.MAX: "at most",
    Bar.MAX_DROP: "drop at most",
    Bar.MAX_RISE: "rise at most",
}


def outcome(found: Decisions) -> str:
    """Say in one line what came of all rules."""
    counts = Counter(one.verdict for one in found.decided)
    listed = ", ".join(f"{counts[one]} {WORDS[one]}" for one in Adoption if counts[one])
    return f"{'Adopted' if found.adopted else 'Not adopted'}: {listed}"


def verdict(one: Decided) -> str:
    """Say what came of a rule, and what is done now: `inconclusive, not adopted: ...`."""
    word = WORDS[one.verdict]
    if one.verdict is Adoption.INCONCLUSIVE:
        word += ", not adopted"
    return f"{word}: {one.consequence}" if one.consequence else word


def asked_for(clause: Clause, unit: Unit | None) -> str:
    """Write what a clause asks: `gain at least 0.02 (interval), intent=refund`."""
    parts = [clause.metric]
    parts += [clause.statistic] if clause.statistic != "mean" else []
    parts += [{"agreement": "agreement with people"}.get(clause.estimate, "")]
    if clause.bar is not None:
        strict = clause.bar is Bar.MIN_GAIN and clause.bound == 0
        bound = in_unit(clause.bound, unit or Unit.FRACTION, 6)
        held = "as found" if clause.basis is Basis.POINT else "whole interval"
        asked = "gain above 0" if strict else f"{ASKED[clause.bar]} {bound}"
        parts += [f"{asked} ({held})"]
    cut = ", ".join(f"{tag}={'|'.join(values)}" for tag, values in clause.slice.items())
    return " ".join(filter(None, parts)) + (f", {cut}" if cut else "")


def found_to_be(finding: Finding) -> str:
    """Write the figures of a clause: `0.42 -> 0.51, gain +0.09 [+0.05, +0.13], 120 pairs`."""
    found = finding.measured
    if found is None:
        return finding.why or "nothing is known"
    unit = found.unit
    if found.corrected is not None:
        return corrected(found.corrected, unit)
    if not found.relative:
        ends = "" if found.bounds.ends is None else f" {interval(found)}"
        return f"{figure(found.value, unit)}{ends}, {counted(found.count, 'scored case')}"
    before, after = figure(found.baseline, unit), figure(found.candidate, unit)
    word = "gain" if finding.clause.bar is Bar.MIN_GAIN else "change"
    pairs = counted(found.count, "case") + " an arm" if found.arms else counted(found.count, "pair")
    ends = "" if found.bounds.ends is None else f" {interval(found)}"
    return f"{before} -> {after}, {word} {signed(found.value, unit)}{ends}, {pairs}"


def interval(found: Measured) -> str:
    """Write an interval, of a change with signs."""
    if found.bounds.ends is None:
        return ""
    write = signed if found.relative else figure
    return f"[{', '.join(write(end, found.unit) for end in found.bounds.ends)}]"


def more_on(finding: Finding) -> Iterator[str]:
    """What stands beneath a clause: why it is undecided, and what would settle it."""
    found = finding.measured
    if found is None:
        return
    if finding.why is not None:
        yield finding.why
    if finding.state is not State.UNDECIDED:
        return
    if found.unchanged is not None and finding.why is None:
        needed = finding.cases_needed
        told = "no pair changed; so few do not exclude that others would"
        yield f"{told}; {needed:,} cases without a change would settle it" if needed else told
    if finding.detectable is not None:
        least = figure(finding.detectable, found.unit)
        needed = finding.cases_needed
        told = f"a distance of {least} from the bound would have been seen"
        yield f"{told}; about {counted(needed, 'case')} would settle it" if needed else told


def registration(one: Decided) -> str:
    """Say whether the rule was fixed before both runs."""
    told = one.registered
    if told.stands:
        return f"pre-registered: {told.hash[:12]} stands in both runs"
    if not (told.baseline or told.candidate):
        where = "either run"
    else:
        where = "the candidate" if told.baseline else "the baseline"
    text = f"NOT pre-registered: its hash {told.hash[:12]} does not stand in {where}"
    changes = [f"{place} was {was}, now {now}" for place, (was, now) in told.changed.items()]
    return f"{text} ({'; '.join(changes)})" if changes else text


def plan(told: Progress) -> Iterator[str]:
    """What was fixed of an experiment, and how far it has come."""
    asked = told.asked
    yield f"estimand: {asked.estimand}"
    yield f"assigned by {asked.unit}; stops: {asked.stopping_rule}"
    sizes = f"{told.arms[0]:,} and {told.arms[1]:,}"
    looks = ", ".join(f"{one:,}" for one in sorted(asked.looks))
    many = "queries" if asked.unit == "query" else f"{asked.unit}s"
    planned = f"{many}: {sizes} of {asked.sample_size:,} planned an arm"
    yield f"{planned}; looks at {looks}" if looks else planned
    if told.power is not None:
        yield f"power for {asked.minimum_effect:g}: {told.power:.0%}"
