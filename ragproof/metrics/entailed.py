"""What a local model says of statements and the passages that may bear them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragproof.core import CaseRun, Json, PairModel, PairScore
from ragproof.core.needs import CONTEXT
from ragproof.metrics.supplied import distinct, telling


@dataclass(frozen=True, slots=True)
class Best:
    """The passage by which a statement is borne out most."""

    statement: str
    passage: str | None
    """Its id; None where there is no passage."""
    found: PairScore | None

    @property
    def score(self) -> float:
        """The probability that the passage entails the statement; 0 without one."""
        return self.found.value if self.found else 0.0

    def account(self, threshold: float) -> dict[str, Json]:
        """What there is to say of it."""
        return {
            "text": self.statement,
            "supported": self.score >= threshold,
            "score": self.score,
            "logit": self.found.logit if self.found else None,
            "chunk": self.passage,
            "windows": self.found.windows if self.found else 0,
        }


def texts_of(run: CaseRun) -> dict[str, str]:
    """Id to text of the context's chunks that have text. Raises DoesNotArise where none has."""
    chunks = telling(run[CONTEXT])
    return {one.id: one.text for one in distinct(chunks) if one.text.strip()}


async def best_of(
    statements: Sequence[str], passages: Mapping[str, str], model: PairModel
) -> list[Best]:
    """Hold every statement against every passage; of equals the first passage counts."""
    pairs = [(text, said) for said in statements for text in passages.values()]
    scores = iter(await model.scores(pairs))
    found = []
    for said in statements:
        told = [(one, next(scores)) for one in passages]
        passage, score = max(told, key=lambda one: one[1].value, default=(None, None))
        found.append(Best(said, passage, score))
    return found


def joined(texts: Iterable[str]) -> str:
    """Several passages as one premise."""
    return "\n\n".join(texts)
