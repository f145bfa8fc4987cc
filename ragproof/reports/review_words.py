"""How the figures of reviews are put into words."""

from __future__ import annotations

from ragproof.analysis.agreement import Figure
from ragproof.analysis.annotators import TENTATIVE
from ragproof.analysis.prediction_powered import PredictionPowered
from ragproof.analysis.review_rate import Rate
from ragproof.analysis.review_signals import Association, Standing
from ragproof.text.counting import counted

BAD = "bad"
RULE = (
    "validated: p below 0.05 after Holm's adjustment over all signals, and the 95 % interval "
    "beyond no association; no association shown: the interval within {matters:g} of none; "
    "inconclusive: all else, and fewer than 5 effective answers on either side; withheld: what "
    f"would be concluded, but the reviewers' alpha is below {TENTATIVE}"
)


def share(value: float) -> str:
    """Write a share with one decimal, or more where it would read as none or all and is not.

    >>> share(0.125), share(0.25), share(0.0001), share(0.99999), share(1.0)
    ('12.5 %', '25.0 %', '0.01 %', '99.999 %', '100.0 %')
    """
    for digits in range(1, 7):
        text = f"{100 * value:.{digits}f}"
        if float(text) not in {0.0, 100.0} or float(text) == 100 * value:
            break
    return f"{text} %"


def interval(ends: tuple[float, float] | None) -> str:
    """Write the ends of a share's interval."""
    return "no interval" if ends is None else f"[{share(ends[0])}, {share(ends[1])}]"


def rate(found: Rate | None) -> str:
    """A share and its interval."""
    return "-" if found is None else f"{share(found.value)} {interval(found.ends)}"


def direction(one: Association) -> str | None:
    """What a validated signal points to; None of any other."""
    if one.standing not in (Standing.MORE, Standing.LESS):
        return None
    more = one.standing is Standing.MORE
    if one.label == BAD:
        return "bad answers" if more else "good answers"
    return f"{one.label.replace('_', ' ')}" if more else f"no {one.label.replace('_', ' ')}"


def verdict(one: Association) -> str:
    """What is concluded of a signal."""
    if (to := direction(one)) is not None:
        return f"validated: points to {to}"
    if one.standing is Standing.NONE:
        return "no association shown"
    if one.standing is Standing.WITHHELD:
        return "withheld"
    why = [counted(one.measured, "reviewed answer")]
    why += [f"about {one.needed:,} needed"] if one.needed else []
    return f"inconclusive ({', '.join(why)})"


def strength(one: Association) -> str:
    """How strong the association is, and what of it is known."""
    if one.auroc is not None:
        return f"AUROC {_figure(one.auroc)}"
    if one.having is None or one.lacking is None or one.difference is None:
        return "-"
    value = f"{100 * one.difference.value:+.1f}"
    ends = one.difference.ends
    span = "" if ends is None else f" [{100 * ends[0]:+.1f}, {100 * ends[1]:+.1f}]"
    rates = f"{share(one.having.value)} with, {share(one.lacking.value)} without"
    odds = "none: a rate is 0 or 100 %" if one.odds_ratio is None else _odds(one.odds_ratio)
    return f"{rates}: {value} points{span}; odds ratio {odds}"


def powered(one: PredictionPowered | str) -> str:
    """The share of bad answers that a judge and the random sample give together."""
    if isinstance(one, str):
        return one
    found, ends = one.tuned, one.tuned.ends
    turned = None if ends is None else (1 - ends[1], 1 - ends[0])
    labelled = counted(one.labelled, "random review")
    use = "the judge adds nothing" if one.weight == 0 else f"weight of the judge {one.weight:.2f}"
    return f"{share(1 - found.value)} {interval(turned)}, {labelled}; {use}"


def _odds(one: Figure) -> str:
    """Write an odds ratio; it may be of any size.

    >>> _odds(Figure(34.9, (3.61, 1.2e9)))
    '34.90 [3.61, 1e+09]'
    """
    value, *ends = (
        f"{of:.2f}" if 0.01 <= of < 10_000 else f"{of:.0e}" for of in (one.value, *(one.ends or ()))
    )
    return f"{value} [{', '.join(ends)}]" if ends else value


def _figure(one: Figure) -> str:
    ends = "" if one.ends is None else f" [{one.ends[0]:.2f}, {one.ends[1]:.2f}]"
    return f"{one.value:.2f}{ends}"
