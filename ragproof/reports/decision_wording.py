"""How changes, verdicts and requirements are put into words, the same on every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ragproof.analysis.comparison import ChangedCase, Compared, Comparison, greatest_change
from ragproof.analysis.gate import Check, Gate, Verdict
from ragproof.analysis.power import SIGNIFICANT
from ragproof.analysis.prediction_powered import PredictionPowered
from ragproof.core.header import RunHeader
from ragproof.core.spec import Better, Unit
from ragproof.reports.wording import by_family, figure
from ragproof.text.counting import counted

FIGURES = 4
"""So many metrics of a changed case are shown."""
NAMED = "better", "worse", "changed"
"""What a change can be called that was found."""


def signed(value: float | None, unit: Unit) -> str:
    """Write a change with its sign.

    >>> signed(-0.05, Unit.FRACTION), signed(0.0, Unit.FRACTION), signed(None, Unit.SECONDS)
    ('-0.05', '0', '-')
    """
    if value is None or value == 0:
        return "-" if value is None else "0"
    text = figure(abs(value), unit)
    if not text.strip("0. ms"):  # smaller than what is shown of it
        return "~0"
    return ("-" if value < 0 else "+") + text


def interval_of(one: Compared) -> str:
    """Write the interval of a change, empty where there is none."""
    ends = one.change.bounds.ends
    return "" if ends is None else f"[{', '.join(signed(end, one.declared.unit) for end in ends)}]"


def p_value(p: float | None) -> str:
    """Write a p-value so that it never reads as 0.

    >>> p_value(0.0001), p_value(0.0321), p_value(1.0), p_value(None)
    ('<0.001', '0.032', '1', '')
    """
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.2g}"


def p_values(one: Compared) -> str:
    """Write the p-value and, in brackets, the adjusted one, which an exploratory metric has not."""
    if one.p_adjusted is None:
        return ""
    if one.exploratory:
        return p_value(one.change.p_value)
    return f"{p_value(one.change.p_value)} ({p_value(one.p_adjusted)})"


def figures_of(case: ChangedCase) -> list[tuple[str, str]]:
    """Write what changed in a case: metric key, and before and after; the first few."""
    told = [(key, f"{was:.3g} -> {now:.3g}") for key, (was, now) in case.figures.items()]
    rest = len(told) - FIGURES
    return told[:FIGURES] + ([("", f"and {rest} more")] if rest > 0 else [])


def found_to_be(one: Compared) -> str:
    """Say in a word what the change is, empty where none was shown."""
    if not one.is_shown:
        return ""
    if one.gain is None or one.declared.better is Better.NEITHER:
        return NAMED[2]
    return NAMED[0] if one.gain > 0 else NAMED[1]


def called(one: Compared) -> str:
    """Say what the change is, and whether that was found by looking at many metrics."""
    word = found_to_be(one)
    return f"{word} (exploratory)" if word and one.exploratory else word


def tested_over(found: Comparison) -> str:
    """Say over what p-values are adjusted, and what is not."""
    told = f"over {counted(found.tested, 'metric')} (Holm), {found.confirmatory.chosen}"
    others = any(one.exploratory for one in found.metrics)
    return f"{told}; others are exploratory, not adjusted" if others else told


def without_a_better(found: Comparison) -> str:
    """Say what better and worse count where neither way is better; empty where there is no such."""
    there_is = any(one.declared.better is Better.NEITHER for one in found.metrics)
    return " Where neither way is better: higher, lower, equal." if there_is else ""


def reach(one: Compared) -> str:
    """Say what the comparison could not have seen; empty where a change was shown."""
    if found_to_be(one) or one.change.is_none:
        return ""
    p = one.change.p_value
    if one.is_found:
        return "inconclusive: the test finds it, but the interval reaches to no change"
    if p is not None and p <= SIGNIFICANT:
        return "inconclusive: it would count alone, but not among so many tested (Holm)"
    if one.change.bounds.ends is not None and one.is_beyond:
        return "inconclusive: the interval lies beyond no change, but the test does not find it"
    if one.detectable is None:
        return "inconclusive: too few pairs, or too alike, to tell chance from change"
    least = figure(one.detectable, one.declared.unit)
    told = f"inconclusive: changes below {least} would go unseen"
    if one.detectable >= greatest_change(one.declared):
        told = "inconclusive: so few pairs would show no change at all"
    needed = one.cases_needed or 0
    return (
        f"{told}; {counted(needed, 'case')} would show this one"
        if needed > one.change.pairs
        else told
    )


def verdicts(found: Comparison) -> str:
    """Count what the changes were found to be: `worse 2, inconclusive 5; exploratory: better 1`."""
    main = _counted([one for one in found.metrics if not one.exploratory])
    rest = _counted([one for one in found.metrics if one.exploratory])
    told = [main] if main else []
    told += [f"exploratory: {rest}"] if rest else []
    return "; ".join(told) or "nothing was compared"


def _counted(metrics: Sequence[Compared]) -> str:
    counts = Counter(
        found_to_be(one) or ("unchanged" if one.change.is_none else "inconclusive")
        for one in metrics
    )
    order = (NAMED[1], NAMED[0], NAMED[2], "inconclusive", "unchanged")
    return ", ".join(f"{word} {counts[word]}" for word in order if counts[word])


def joined(found: Comparison) -> str:
    """Say how the cases of two runs match."""
    cases = found.cases
    parts = [f"{counted(cases.common, 'case')} in common"]
    parts += [f"{cases.only_baseline:,} only in the baseline"] if cases.only_baseline else []
    parts += [f"{cases.only_candidate:,} only in the candidate"] if cases.only_candidate else []
    if cases.failed:
        each = f"baseline {cases.failed_baseline:,}, candidate {cases.failed_candidate:,}"
        parts.append(f"{cases.failed:,} failed in either ({each})")
    return ", ".join(parts)


def apart(found: Comparison) -> Iterator[tuple[str, str]]:
    """Say why metrics were not compared, each reason once with its metrics."""
    by_reason: dict[str, list[str]] = {}
    for key, why in found.apart.items():
        by_reason.setdefault(why, []).append(key)
    for why, keys in sorted(by_reason.items(), key=lambda one: len(one[1])):
        yield why, ", ".join(by_family(keys))


def warnings(found: Comparison) -> tuple[str, ...]:
    """What makes a comparison doubtful."""
    told = None if found.candidates is None else found.candidates.told
    return found.doubts if told is None else (*found.doubts, told)


def corrected(found: PredictionPowered | str, unit: Unit) -> str:
    """Write a mean as human labels correct it, with the judge's own."""
    if isinstance(found, str):
        return f"not corrected by human labels: {found}"
    ends = found.tuned.ends
    interval = "" if ends is None else f" [{', '.join(figure(end, unit) for end in ends)}]"
    text = f"prediction-powered {figure(found.tuned.value, unit)}{interval}"
    share = f"{counted(found.labelled, 'case')} of {found.cases:,} labelled"
    told = f"{text}, {share}; judged {figure(found.judged, unit)}"
    return told if found.doubt is None else f"{told}; {found.doubt}"


def run_name(header: RunHeader) -> str:
    """Name a run by its id and label."""
    return f"{header.id} ({header.label})" if header.label else header.id


def asked_for(check: Check) -> str:
    """Write a requirement: `mean min 0.85, intent=refund, guardrail`."""
    asked = check.asked
    parts = [f"{asked.statistic} {asked.limit} {asked.bound:g}"]
    parts += [f"{tag}={'|'.join(values)}" for tag, values in asked.slice.items()]
    parts += [str(asked.role)] if asked.role != "primary" else []
    parts += ["non-inferiority"] if asked.non_inferiority else []
    return ", ".join(parts)


def more_on(check: Check) -> Iterator[str]:
    """What stands beneath a verdict: what could not be seen, and who waived it."""
    if check.verdict is Verdict.INCONCLUSIVE and check.detectable is not None:
        assert check.evidence.line is not None
        unit = check.evidence.line.column.declared.unit
        told = f"a change of {figure(check.detectable, unit)} would have been seen"
        needed = check.cases_needed
        yield f"{told}; about {counted(needed, 'case')} would settle it" if needed else told
    line, labelled = check.evidence.line, check.evidence.corrected
    if labelled is not None and line is not None and check.asked.estimate == "plain":
        yield corrected(labelled, line.column.declared.unit)
    if check.waiver is not None:
        yield f"waived until {check.waiver.expires}: {check.waiver.reason}"


def outcome(gate: Gate) -> str:
    """Say in one line whether the gate passed, and how the checks came out."""
    if gate.errors:
        word = "Gate could not be checked"
    else:
        word = "Gate passed" if gate.passed else "Gate did not pass"
    counts = Counter(check.verdict for check in gate.checks)
    listed = ", ".join(f"{counts[one]} {one}" for one in Verdict if counts[one])
    return f"{word}: {listed}"
