"""Measure where a judge leans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ragproof.analysis.leaning import (
    Ballot,
    Injectability,
    Length,
    Position,
    SelfPreference,
    injectability,
    length,
    position,
    self_preference,
)
from ragproof.core import UsageError
from ragproof.judge.injectability import Tampered, tampered
from ragproof.judge.items import Pair, shipped_items, shipped_pairs
from ragproof.judge.pairwise import Compared, compared
from ragproof.wiring.foreseeing import elsewhere
from ragproof.wiring.judging import Equipment, JudgePlan, concurrency
from ragproof.wiring.measuring import judged_scorers, with_judge
from ragproof.wiring.schema import Config


@dataclass(frozen=True)
class Leanings:
    """Where a judge leans."""

    judge: str
    recorded: bool
    """Whether the replies of a run were replayed, and no model asked."""
    position: Position
    length: Length
    own: SelfPreference | None
    """None where no family is named."""
    injectability: Injectability
    left_out: Mapping[str, str]
    """Metric to why its answers were not tampered with."""
    calls: int
    cache_hits: int
    usd: float | None


def leanings(
    config: Config,
    environ: Mapping[str, str],
    family: str | None,
    pairs: tuple[Pair, ...] | None = None,
    *,
    no_cache: bool = False,
) -> Leanings:
    """Have the configured judge compare pairs in both orders, and score tampered answers.

    `pairs` are the user's own; else those that ship are. Raises UsageError without a judge, and
    for a panel.
    """
    if config.judge.panel:
        raise UsageError(
            "the judge is a panel; look at its models one by one: "
            f"ragproof judge bias --model {config.judge.panel[0]}"
        )
    if family is not None and not any(family in (one.families or ()) for one in pairs or ()):
        raise UsageError(
            f"--family {family}: none of the pairs names its writers' families so; self-preference "
            "needs pairs of your own with `families` (--pairs FILE)"
        )
    clear = [item for item in shipped_items() if item.kind == "clear"]
    beyond = elsewhere(config, environ, clear, asked_for=False)

    async def asked(equipment: Equipment) -> tuple[tuple[Compared, ...], tuple[Tampered, ...]]:
        at_once, judge = concurrency(config), equipment.judge
        scorers, tools = judged_scorers(equipment), beyond.tools
        try:
            both = await compared(pairs or shipped_pairs(), judge, at_once=at_once)
            attacks = await tampered(beyond.items, scorers, judge, at_once=at_once, tools=tools)
            return both, attacks
        finally:
            await beyond.close()

    plan, (both, attacks) = with_judge(config, environ, asked, lookup=not no_cache)
    return replace(_leanings(plan, family, both, attacks), left_out=beyond.left_out)


def _leanings(
    plan: JudgePlan, family: str | None, both: Sequence[Compared], attacks: Sequence[Tampered]
) -> Leanings:
    ballots = [ballot(one) for one in both]
    heard = [one for attack in attacks for one in (attack.plain, attack.attacked)]
    once = {(one.item.metric, one.item.id): one for one in heard}.values()
    replies = [reply for one in both for reply in one.replies]
    replies += [reply for one in once for reply in one.replies]
    prices = [reply.usd for reply in replies]
    return Leanings(
        judge=plan.fingerprint,
        recorded=plan.recorded is not None,
        position=position(ballots),
        length=length(ballots),
        own=None if family is None else self_preference(ballots, family),
        injectability=injectability(
            [
                (one.plain.score, one.attacked.score, bool(one.plain.error or one.attacked.error))
                for one in attacks
            ]
        ),
        left_out={},
        calls=sum(not reply.cached for reply in replies),
        cache_hits=sum(reply.cached for reply in replies),
        usd=None if None in prices else sum(filter(None, prices), 0.0),
    )


def ballot(one: Compared) -> Ballot:
    """What leanings are measured from."""
    pair: Pair = one.pair
    return Ballot(
        first=one.first,
        second=one.second,
        label=pair.label,
        lengths=(len(pair.answer_1), len(pair.answer_2)),
        change=pair.change,
        families=pair.families,
    )
