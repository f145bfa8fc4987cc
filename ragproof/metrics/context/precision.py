"""context.precision"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Json, Prompt, Scored, Spec, ToolMetric, Tools, Unit
from ragproof.core.needs import EXPECTED_ANSWER, JUDGE, QUESTION, SUPPLIED
from ragproof.metrics.supplied import each_once, some_supplied
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD, listed

PROMPT = Prompt(
    system=(
        "You decide of each passage whether it was of use for arriving at a reference answer to a "
        "question. Where several reference answers are given each is acceptable, and a passage "
        "that is of use for one of them is of use.\n"
        "- useful: it says, or plainly implies, something that the reference answer says.\n"
        "- useless: nothing of the reference answer is in it, even where it is about the same "
        "subject, or says something else about it.\n"
        "Decide on every passage by itself; that another one says the same makes it no less "
        "useful. Give every passage exactly one verdict. Length is neither a merit nor a fault.\n"
        + GUARD
        + "\n"
        'Reply with JSON and nothing else: {"verdicts": [{"id": "p1", "reason": "one sentence", '
        '"verdict": "useful" or "useless"}]}'
    ),
    user=(
        "Question:\n{question}\n\nReference answers:\n{expected_answers}\n\nPassages:\n{passages}\n"
    ),
)


@dataclass(frozen=True)
class Precision(ToolMetric[CaseRun]):
    """Whether the useful chunks come first in what the model was given; a judge decides on use.

    Question: Does what the answer needs stand at the top of the context?
    Formula: Σ precision@r over the ranks r of useful chunks / |useful chunks|, where precision@r
        is the share of useful chunks among the first r; 0 without any useful chunk. Useful is what
        holds something of the expected answer
    Range: 0, no chunk is useful, to 1, all useful ones stand before all others.
    Edge cases: Ranks are those of distinct chunks. A chunk without text is useless without being
        asked for. A context without chunks, or without any text, is not applicable: precision of
        nothing. A reply that leaves out, repeats or invents a chunk is sent back; a judge without
        a usable reply, its one repair included, is a judge error.
    Not to be confused with: `retrieval.precision_at_k` or `retrieval.average_precision`, which go
        by labelled ids and divide by k or by all that is relevant; what was not supplied does not
        lower this one: see `context.recall`.
    References: Es et al., EACL 2024 (Ragas, context precision); Manning, Raghavan and Schütze
        2008, section 8.4, for average precision.

    Example:
        >>> round(rank_weighted([True, False, True]), 4)
        0.8333
    """

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, EXPECTED_ANSWER, SUPPLIED),
        uses=(QUESTION,),
        on_request=True,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have each chunk compared with what is expected."""
        judge, expected, context = tools[JUDGE], run[EXPECTED_ANSWER], some_supplied(run)
        shown = context.shown
        asked = {
            "question": run[QUESTION],
            "expected_answers": listed("reference", (({}, one) for one in expected)),
            "passages": context.passages,
        }
        reply = await judge.ask(
            PROMPT, asked, Reply, check=lambda told: each_once(told.ids, [*shown])
        )
        useful = {shown[one.id].id for one in reply.verdicts if one.verdict is Use.USEFUL}
        verdicts = [chunk.id in useful for chunk in context.chunks]
        evidence: dict[str, Json] = {
            "useful": [chunk.id for chunk in context.chunks if chunk.id in useful],
            "useless": [chunk.id for chunk in context.chunks if chunk.id not in useful],
            "reasons": {shown[one.id].id: one.reason for one in reply.verdicts},
        }
        return Scored(rank_weighted(verdicts), evidence)


class Use(Choice):
    """Whether a passage was of use."""

    USEFUL = "useful"
    USELESS = "useless"


@dataclass(frozen=True)
class Verdict:
    """What was found of one passage."""

    id: str
    reason: str
    verdict: Use


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    verdicts: tuple[Verdict, ...]

    @property
    def ids(self) -> list[str]:
        """What there are verdicts on."""
        return [one.id for one in self.verdicts]


def rank_weighted(useful: Sequence[bool]) -> float:
    """The mean of precision at each rank of a useful chunk; 0 where none is useful."""
    ranks = [rank for rank, is_useful in enumerate(useful, 1) if is_useful]
    at_each = [found / rank for found, rank in enumerate(ranks, 1)]
    return sum(at_each) / len(at_each) if at_each else 0.0
