"""Which passages are asked about, by whom and how: drawn by the seed, one attempt after another."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ragproof.datasets.chunker import Passage
from ragproof.datasets.generate_prompts import AGAINST_ANOTHER, CATEGORIES, ON_ONE, PERSONAS
from ragproof.datasets.material import Material, spread

CHALLENGES: Mapping[str, tuple[str, ...]] = {
    "qa": ("",),
    "unanswerable": ("near_miss", "near_miss", "out_of_scope"),
    "multi_hop": ("",),
    "adversarial": (*AGAINST_ANOTHER, "counterfactual", *ON_ONE),
    "conversation": ("",),
}
"""Kinds that a model writes, in the order in which they are made, and what each comes in."""
TWO_PASSAGES = frozenset({*AGAINST_ANOTHER, "counterfactual"})
_CLOSEST = 3
"""Of so many near passages the second is drawn."""


@dataclass(frozen=True)
class Mix:
    """Who asks, and how; what is there twice is drawn twice as often."""

    personas: tuple[tuple[str, str], ...] = tuple(PERSONAS.items())
    """Name and description."""
    categories: tuple[tuple[str, str], ...] = tuple(CATEGORIES.items())


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One try at a case."""

    id: str
    """The case's, if one comes of it."""
    kind: str
    challenge: str
    passage: Passage
    other: Passage | None = None
    """A second one, near the first; None where none is needed, or there is none."""
    persona: tuple[str, str]
    category: tuple[str, str]
    round: int = 0
    """How often all passages were asked about before."""

    @property
    def needs_other(self) -> bool:
        """Whether it takes two passages."""
        return self.kind == "multi_hop" or self.challenge in TWO_PASSAGES


@dataclass(frozen=True)
class Draw:
    """The attempts at each kind: the same for the same corpus, seed and mix."""

    material: Material
    seed: int = 0
    mix: Mix = field(default_factory=Mix)

    def attempts(self, kind: str) -> Iterator[Attempt]:
        """Draw attempts without end; how many are wanted changes none of them."""
        all_ = len(self.material.asked_about)
        for number, passage in enumerate(spread(self.material, self.seed, kind)):
            chance = random.Random(f"{self.seed}:{kind}:{number}")  # noqa: S311  as in `spread`
            challenge = CHALLENGES[kind][number % len(CHALLENGES[kind])]
            found = Attempt(
                id=f"{kind.replace('_', '-')}-{number + 1:04}",
                kind=kind,
                challenge=challenge,
                passage=passage,
                persona=chance.choice(self.mix.personas),
                category=chance.choice(self.mix.categories),
                round=number // all_,
            )
            yield self._with_other(found, chance) if found.needs_other else found

    def _with_other(self, one: Attempt, chance: random.Random) -> Attempt:
        near = self.material.near(one.passage)
        apart = [other for other in near if other.document_id != one.passage.document_id]
        choice = (apart or near)[:_CLOSEST]
        other = chance.choice(choice) if choice else None
        return Attempt(**{**vars(one), "other": other})
