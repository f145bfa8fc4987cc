"""How often each label was given and expected, the F1 of each, and how sure such a figure is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ragproof.core import Json


@dataclass(frozen=True, slots=True)
class Labelled:
    """Counts over a set: how often each label was given, was expected, and both."""

    given: Counter[str]
    expected: Counter[str]
    right: Counter[str]
    wrong: Counter[tuple[str, str]]
    """Label given and label expected, where they differ."""
    trials: int
    """So often each case is in the set. Its repeats are no further cases."""

    @classmethod
    def of(cls, given: Sequence[str], expected: Sequence[str], trials: int = 1) -> Labelled:
        """Count what was given for each case against what was expected."""
        pairs = Counter(zip(given, expected, strict=True))
        right = Counter({one: n for (one, other), n in pairs.items() if one == other})
        wrong = Counter({both: n for both, n in pairs.items() if both[0] != both[1]})
        return cls(Counter(given), Counter(expected), right, wrong, trials)

    def f1(self, label: str) -> float:
        """F1 of one label: 2 TP / (2 TP + FP + FN)."""
        return 2 * self.right[label] / (self.given[label] + self.expected[label])

    def worth(self, label: str) -> float:
        """So many cases an F1 is worth: of as many, a share is as sure.

        F1 is 2 J / (1 + J) of J, the share that is right of the cases that have the label either
        way; Hand, Christen and Kirielle 2021, Machine Learning 110:451. Its variance is that of J,
        carried over.
        """
        return 2 * self._either(label) / (2 - self.f1(label)) ** 2 / self.trials

    def macro(self, labels: Collection[str]) -> tuple[float, float, dict[str, Json]]:
        """The mean of the F1 of these labels, how many cases it is worth, and the F1 of each.

        Its variance is the sum over cases of what each adds to it, linearised. That knows nothing
        of the errors that a rare label was spared by chance; so the figure is worth no more than
        its labels are together, where each error lowers the F1 of two.
        """
        f1 = {label: self.f1(label) for label in sorted(labels)}
        mean = sum(f1.values()) / len(f1)
        together = sum((2 - value) / self._either(label) for label, value in f1.items())
        worth = len(f1) ** 2 / together
        if (variance := self._variance(f1)) > 0:
            worth = min(worth, mean * (1 - mean) / variance)
        return mean, worth / self.trials, {**f1}

    def _either(self, label: str) -> int:
        """How many cases were given a label or were expected to have it."""
        return self.given[label] + self.expected[label] - self.right[label]

    def _variance(self, f1: dict[str, float]) -> float:
        """Of the mean of these figures, over the trials."""
        size = self.given.total()
        if size < 2:
            return 0.0
        share = {
            label: value / (self.given[label] + self.expected[label]) for label, value in f1.items()
        }
        total = 0.0
        for (got, wanted), times in self.wrong.items():
            total += times * (share.get(got, 0.0) + share.get(wanted, 0.0)) ** 2
        for label, value in f1.items():
            sides = self.given[label] + self.expected[label]
            total += self.right[label] * ((2 - 2 * value) / sides) ** 2
        return size / (size - 1) * total / len(f1) ** 2
