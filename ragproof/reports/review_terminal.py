"""What reviews say, on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragproof.analysis.annotators import TENTATIVE
from ragproof.analysis.prediction_powered import PredictionPowered
from ragproof.analysis.review_agreement import Reviewers
from ragproof.analysis.review_figures import VERDICTS, Figures, Slice
from ragproof.analysis.review_rate import Rate
from ragproof.analysis.review_signals import Association, Standing
from ragproof.datasets.review_queue import KeyHead
from ragproof.reports import review_words as words
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

CONFLICTS = 10
"""So many are named on the screen; a merge names all."""
PART = ("bad", "95 % interval", "reviewed")
_STYLES = {
    Standing.MORE: "green",
    Standing.LESS: "green",
    Standing.OPEN: "yellow",
    Standing.WITHHELD: "yellow",
}


def print_table(page: Page, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table with dim titles."""
    widths = page.fitted([titles, *rows])
    page.cells([(one, "dim") for one in titles], widths)
    for row in rows:
        page.cells([(one, "") for one in row], widths)


def print_strata(page: Page, strata: Sequence[tuple[str, int, int]]) -> None:
    """Print what was drawn of what."""
    rows = [[f"  {one_line(name, 60)}", f"{pool:,}", f"{drawn:,}"] for name, pool, drawn in strata]
    print_table(page, ("  stratum", "answers", "drawn"), rows)


def print_rates(page: Page, head: KeyHead, told: Figures) -> None:
    """Print the rates of the whole traffic, and what they leave out."""
    page.line(f"Reviews of run {head.run}, drawn {head.drawn_at[:10]}", "bold")
    page.line(
        f"{told.reviewed:,} of {counted(told.drawn, 'drawn answer')} judged"
        + (f", {told.waiting:,} waiting" if told.waiting else "")
        + (f"; nobody could say of {told.cannot_say:,}" if told.cannot_say else "")
    )
    page.heading(f"All {head.population:,} answers, weighted by the chance to be drawn")
    rows = [
        [f"  {name}", words.share(one.value), words.interval(one.ends), f"{one.effective:.0f}"]
        for name in VERDICTS
        if (one := told.rates.get(name)) is not None
    ]
    print_table(page, ("  verdict", "rate", "95 % interval", "effective answers"), rows)
    if told.reviewed < told.drawn:
        low, high = map(words.share, told.possible)
        page.line(f"Were those that are missing all good, {low} would be bad; all bad, {high}.")
    if told.with_unanswered is not None:
        page.line(
            f"{head.unanswered:,} of {counted(head.unanswered + head.population, 'case')} have no "
            f"answer at all; bad or without an answer: {words.rate(told.with_unanswered)}"
        )
    if head.drawn_before:
        page.line(f"{head.drawn_before:,} that were drawn before are in no rate.", "yellow")


def print_parts(page: Page, told: Figures, slices: Sequence[Slice]) -> None:
    """Print the slices, and apart from them what each stratum drew."""
    if slices:
        page.heading("By tag: bad answers, weighted; each interval by itself")
        rows = [_part(f"{one.tag}={one.value}", one.bad, one.drawn) for one in slices]
        print_table(page, ("  slice", *PART), rows)
    if len(told.strata) > 1:
        page.heading("Within what each stratum drew: no rate of the traffic")
        rows = [_part(one.name, one.bad, one.drawn) for one in told.strata]
        print_table(page, ("  stratum", *PART), rows)


def _part(name: str, bad: Rate | None, drawn: int) -> list[str]:
    named = f"  {one_line(name, 40)}"
    if bad is None:
        return [named, "-", "", f"0 of {drawn:,}"]
    reviewed = f"{bad.answers:,} of {drawn:,}"
    return [named, words.share(bad.value), words.interval(bad.ends), reviewed]


def print_agreement(
    page: Page, agreed: Reviewers, conflicts: Mapping[str, Mapping[str, str]]
) -> None:
    """Print how far reviewers agree, and where they do not."""
    page.heading("Reviewers")
    if agreed.same is None:
        page.line("No answer has two reviews: how far people agree is not known.", "yellow")
        return
    alpha = "not defined" if agreed.alpha is None else f"{agreed.alpha:.2f}"
    page.line(
        f"They agree on {words.share(agreed.same.value)} {words.interval(agreed.same.ends)} of "
        f"{counted(agreed.answers, 'answer')} with two; Krippendorff's alpha {alpha}"
    )
    if agreed.is_low:
        page.line(f"Below {TENTATIVE}: do not conclude from these verdicts.", "yellow")
    for one, other, number, kappa in agreed.pairs:
        value = "not defined" if kappa is None else f"{kappa.value:.2f}"
        ends = (
            "" if kappa is None or kappa.ends is None else " [{:.2f}, {:.2f}]".format(*kappa.ends)
        )
        page.line(f"{one}, {other}: kappa {value}{ends}, {counted(number, 'answer')}", indent=2)
    print_conflicts(page, conflicts, CONFLICTS)


def print_conflicts(
    page: Page, conflicts: Mapping[str, Mapping[str, str]], most: int | None = None
) -> None:
    """Print the answers of which reviewers say different things."""
    for item, by in [*conflicts.items()][:most]:
        said = ", ".join(f"{one_line(name, 30)} {verdict}" for name, verdict in by.items())
        page.line(f"{one_line(item, 20)}: {said}", indent=2)
    if most is not None and len(conflicts) > most:
        page.line(f"... {len(conflicts)} in all: ragproof review merge", indent=2)


def print_signals(
    page: Page, found: Sequence[Association], unlooked: str | None, matters: float
) -> None:
    """Print each signal with its strength and what is concluded."""
    page.heading("Signals: candidates until they go with blind verdicts")
    if unlooked is not None:
        page.line(f"Not looked at: {unlooked}", "yellow")
    elif not found:
        page.line("The run has none (monitoring.* metrics, judged metrics, confidence).")
    else:
        page.line(
            "needed: reviewed answers, drawn as these were, that would show a difference of "
            f"{100 * matters:g} points 80 times in 100",
            "dim",
        )
    for reason in {one.reason for one in found if one.standing is Standing.WITHHELD}:
        page.line(f"withheld: {reason}", "yellow")
    idle: dict[str, list[str]] = {}
    for one in found:
        beside = "" if one.label == words.BAD else f" beside {one.label}"
        if one.effect is None:
            idle.setdefault(one.reason or "", []).append(f"{one.signal}{beside}")
            continue
        page.line(f"{one.signal}{beside}", "bold", indent=2)
        page.line(words.verdict(one), _STYLES.get(one.standing, ""), indent=4)
        page.line(words.strength(one), indent=4)
        if one.reason is not None and one.standing is not Standing.WITHHELD:
            page.line(one.reason, "dim", indent=4)
    for reason, names in idle.items():
        page.line(f"inconclusive, {reason}:", "yellow", indent=2)
        page.line(", ".join(names), indent=4)


def print_powered(page: Page, powered: Mapping[str, PredictionPowered | str]) -> None:
    """Print what judge and random reviews say together."""
    if not powered:
        return
    page.heading("Bad answers by judge and random reviews together")
    for name, one in powered.items():
        page.line(f"{name}: {words.powered(one)}", indent=2)
        if not isinstance(one, str) and one.doubt:
            page.line(one.doubt, "yellow", indent=4)
