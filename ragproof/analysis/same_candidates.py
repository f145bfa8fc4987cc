"""Whether two runs put the same candidates before their rerankers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.text.counting import counted

Sets = Mapping[tuple[str, int], frozenset[str] | None]
"""Case id and repeat to the ids of the candidates, None where they were not told."""
NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SameCandidates:
    """In how many trials of both runs the candidates are the same set, whatever their order."""

    same: int
    differ: int
    not_told: int
    """Trials of which either run does not tell the candidates."""
    named: tuple[str, ...]
    """The first cases in which they differ."""

    @property
    def told(self) -> str | None:
        """A warning; None where all sets are known to be the same."""
        total = self.same + self.differ + self.not_told
        if self.differ:
            named = ", ".join(self.named)
            return (
                "the candidates before reranking differ in "
                f"{self.differ:,} of {counted(total, 'case')} ({named}): "
                "the change is not the reranker's alone"
            )
        if self.not_told:
            return (
                f"in {self.not_told:,} of {counted(total, 'case')} the candidates before reranking "
                "are not told (`trace.candidates`): that they are the same is not known"
            )
        return None


def same_candidates(baseline: Sets, candidate: Sets) -> SameCandidates:
    """Compare the sets of the trials that both runs have."""
    same, differ, not_told = 0, list[str](), 0
    for key in sorted(baseline.keys() & candidate.keys()):
        before, after = baseline[key], candidate[key]
        if before is None or after is None:
            not_told += 1
        elif before == after:
            same += 1
        else:
            differ.append(key[0])
    named = tuple(dict.fromkeys(differ))[:NAMED]
    return SameCandidates(same=same, differ=len(differ), not_told=not_told, named=named)
