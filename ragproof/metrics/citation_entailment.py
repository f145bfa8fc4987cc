"""Which statements and citations of an answer a local model finds borne out, as ALCE has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ragproof.core import CaseRun, Json, PairModel, PairScore
from ragproof.metrics.entailed import joined, texts_of
from ragproof.metrics.statements import Stated, Statement, stated_by_markers


@dataclass(frozen=True, slots=True)
class Cited:
    """A statement, and what the model makes of all that is cited for it together."""

    statement: Statement
    found: PairScore | None
    """None where nothing is cited, or something that is not there."""
    supported: bool
    needed: tuple[str, ...] = ()
    """Ids that bear it out, alone or as a part that the others cannot do without."""

    def account(self) -> dict[str, Json]:
        """What there is to say of it."""
        return {
            "text": self.statement.text,
            "cites": list(self.statement.ids),
            "supported": self.supported,
            "supported_by": list(self.needed),
            "score": self.found.value if self.found else None,
            "logit": self.found.logit if self.found else None,
            "windows": self.found.windows if self.found else 0,
        }


async def cited_statements(run: CaseRun, model: PairModel, threshold: float) -> list[Cited]:
    """Hold each statement against the union of what is cited for it.

    Raises DoesNotArise for an answer that declines, or states nothing.
    """
    said, texts = _with_whole_answer(stated_by_markers(run)), texts_of(run)
    due = [one for one in said if one.ids and all(each in texts for each in one.ids)]
    pairs = [(joined(texts[each] for each in one.ids), one.plain) for one in due]
    found = dict(zip(due, await model.scores(pairs), strict=True))
    return [
        Cited(one, found.get(one), one in found and found[one].value >= threshold) for one in said
    ]


async def with_needed(
    cited: Sequence[Cited], run: CaseRun, model: PairModel, threshold: float
) -> list[Cited]:
    """Tell which citations of each supported statement bear it out.

    One does if it alone entails the statement, or if the others together do not. The only one of a
    supported statement does; none of a statement that is not supported does.
    """
    texts = texts_of(run)
    pairs = {(one, each): _held(one, each, texts) for one in cited for each in _open(one)}
    asked = [pair for both in pairs.values() for pair in both]
    scores = dict(zip(asked, await model.scores(asked), strict=True))
    found = []
    for one in cited:
        ids = one.statement.ids if one.supported else ()
        held = {each: pairs.get((one, each)) for each in ids}
        needed = tuple(each for each, both in held.items() if _counts(both, scores, threshold))
        found.append(replace(one, needed=needed))
    return found


def _open(one: Cited) -> Sequence[str]:
    """Citations of which the union does not tell whether they are needed."""
    return one.statement.ids if one.supported and len(one.statement.ids) > 1 else ()


def _held(one: Cited, each: str, texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The pair with this citation alone, and the one with all others."""
    others = joined(texts[other] for other in one.statement.ids if other != each)
    return (texts[each], one.statement.plain), (others, one.statement.plain)


def _counts(
    both: tuple[tuple[str, str], ...] | None,
    scores: Mapping[tuple[str, str], PairScore],
    threshold: float,
) -> bool:
    if both is None:  # there is no other
        return True
    alone, others = (scores[pair].value >= threshold for pair in both)
    return alone or not others


def _with_whole_answer(told: Stated) -> list[Statement]:
    """The statements; what is cited for no place in the answer is cited for each of them."""
    everywhere = [one.chunk_id for one in told.cited if not one.claim]
    everywhere = [one for one in everywhere if one not in told.used]
    return [
        replace(one, ids=tuple(dict.fromkeys([*one.ids, *everywhere]))) for one in told.statements
    ]
