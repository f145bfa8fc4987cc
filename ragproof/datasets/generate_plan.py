"""What generating will ask of the model, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from ragproof.core import Prompt
from ragproof.datasets.attempts import CHALLENGES, TWO_PASSAGES, Attempt, Draw
from ragproof.datasets.generate import TRIES
from ragproof.datasets.generate_prompts import (
    AGAINST_ANOTHER,
    CHECK,
    CONVERSATION,
    COUNTERFACTUAL,
    MULTI_HOP,
    NEAR_MISS,
    ON_ONE,
    QA,
)
from ragproof.datasets.generate_write import SEARCHED

WRITES: Mapping[str, Prompt] = {
    "qa": QA,
    "unanswerable": NEAR_MISS,
    "multi_hop": MULTI_HOP,
    "conversation": CONVERSATION,
    "counterfactual": COUNTERFACTUAL,
    **AGAINST_ANOTHER,
    **ON_ONE,
}
_AROUND = 400
"""Characters of a question, of who asks and of the marks around texts."""


@dataclass(frozen=True)
class KindPlan:
    """The calls that one kind takes."""

    wanted: int
    calls: int
    """If every attempt succeeds."""
    most_calls: int
    """If all attempts are made, each to its end and every reply but the last repaired."""
    characters: int
    """Sent, if every attempt succeeds."""
    most_characters: int
    """Sent at most."""


def plan(draw: Draw, wanted: Mapping[str, int]) -> dict[str, KindPlan]:
    """Count calls and what they send, from the attempts that will be made first."""
    found = {}
    for kind in CHALLENGES:
        if number := wanted.get(kind, 0):
            sizes = [[*_sizes(one)] for one in islice(draw.attempts(kind), number)]
            calls = sum(map(len, sizes))
            most = 2 * TRIES * calls
            sent = sum(map(sum, sizes))
            most_sent = sent * 3 * TRIES  # a repair sends the question again, and the reply
            found[kind] = KindPlan(number, calls, most, sent, most_sent)
    return found


def _sizes(attempt: Attempt) -> Iterator[int]:
    """Characters of the calls of an attempt that succeeds."""
    one = len(attempt.passage.text) + _AROUND
    both = one + (len(attempt.other.text) if attempt.other is not None else 0)
    prompt = WRITES.get(attempt.challenge) or WRITES.get(attempt.kind) or QA
    yield len(prompt.system) + (both if attempt.needs_other else one)
    check = len(CHECK.system)
    if attempt.kind == "unanswerable":
        yield check + one * (SEARCHED + SEARCHED // 2 + 1)
    elif attempt.kind == "multi_hop":
        yield from (check + both, check + one, check + one)
    elif attempt.kind == "conversation":
        yield from (check + one, check + one)
    elif attempt.challenge == "counterfactual":
        yield from (check + both, check + both)
    elif attempt.challenge in TWO_PASSAGES:
        yield from (check + both, check + one)
    else:
        yield check + one
