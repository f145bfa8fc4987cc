"""context.nugget_recall"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Judge,
    Nugget,
    Prompt,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import JUDGE, NUGGETS, QUESTION, SUPPLIED
from ragproof.metrics.saying import said
from ragproof.metrics.supplied import Supplied, each_once, supplied
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD, listed

PROMPT = Prompt(
    system=(
        "You look for pieces of information, called nuggets, in passages that were retrieved for "
        "a question.\n"
        "- conveyed: the passages, alone or together, say or plainly imply all of the nugget, in "
        "whatever words or language.\n"
        "- partly: they convey a part of it and leave out or change another.\n"
        "- missing: they say nothing of it, or the opposite.\n"
        "Go by what the passages say, not by what you know. Give every nugget exactly one "
        "verdict. Length is neither a merit nor a fault.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"verdicts": [{"id": "n1", "reason": "one sentence", '
        '"verdict": "conveyed" or "partly" or "missing"}]}'
    ),
    user="Question:\n{question}\n\nPassages:\n{passages}\n\nNuggets:\n{nuggets}\n",
)


@dataclass(frozen=True)
class NuggetRecall(ToolMetric[CaseRun]):
    """Share of the expected nuggets that the context conveys; by a judge where there is one.

    Question: How much of what a good answer has was the model given?
    Formula: |nuggets conveyed by the context| / |expected nuggets|; with `vital_only` of those
        that are vital
    Range: 0, none is conveyed, to 1, all are.
    Edge cases: With a judge only the judge decides; a nugget that is conveyed in part does not
        count, and the evidence tells which those are. Without one a nugget is conveyed where its
        text or one of its aliases stands in a chunk, but for case and punctuation; one without
        aliases may be conveyed in any words, so that a case that has such a one is not
        applicable: to count it only where its own words are found would leave out the misses.
        An empty context scores 0; one whose chunks all lack text, or
        `vital_only` without a vital nugget, is not applicable. A judge without a usable reply,
        its one repair included, is a judge error and never decided by words.
    Not to be confused with: `context.recall`, which takes an expected answer apart itself; or
        the nuggets that the answer has: what is not conveyed cannot be answered.
    References: Voorhees, TREC 2003 question answering track, for nuggets; Pradeep et al., 2024
        (AutoNuggetizer), for nuggets assigned by a model.

    Example:
        >>> nuggets = [Nugget(text="It opened in 1889.", vital=True, aliases=("1889",))]
        >>> by_words(nuggets, ["The tower was opened in 1889."])
        [<Verdict.CONVEYED: 'conveyed'>]
    """

    vital_only: bool = False

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(NUGGETS, SUPPLIED),
        uses=(JUDGE, QUESTION),
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Look for each nugget."""
        nuggets = [one for one in run[NUGGETS] if one.vital or not self.vital_only]
        context = supplied(run)
        if not nuggets:
            raise DoesNotArise("no expected nugget is vital")
        if not context.chunks:
            verdicts = [Verdict.MISSING] * len(nuggets)
        elif tools.judge is None:
            verdicts = by_words(nuggets, context.texts)
        else:
            verdicts = await by_judge(nuggets, context, run[QUESTION], tools.judge)
        evidence = _account(nuggets, verdicts, context, judged=tools.judge is not None)
        by_chance = tools.judge is None and not all(one.aliases for one in nuggets)
        if context.chunks and by_chance:
            raise DoesNotArise("a nugget without aliases takes a judge to be found", evidence)
        return Scored(verdicts.count(Verdict.CONVEYED) / len(nuggets), evidence)


class Verdict(Choice):
    """Whether the passages convey a nugget."""

    CONVEYED = "conveyed"
    PARTLY = "partly"
    MISSING = "missing"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class One:
    """What was found of one nugget."""

    id: str
    reason: str
    verdict: Verdict


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    verdicts: tuple[One, ...]


def decided(reply: Reply, asked: Sequence[str]) -> None:
    """Raise ValueError unless each nugget has one verdict, and that is one."""
    each_once((one.id for one in reply.verdicts), asked)
    for one in reply.verdicts:
        if one.verdict is Verdict.UNDECIDED:
            raise ValueError(f"{one.id}: got undecided; allowed: conveyed, partly or missing")


def by_words(nuggets: Sequence[Nugget], texts: Sequence[str]) -> list[Verdict]:
    """A verdict a nugget, by its own words and its aliases alone."""

    def verdict(nugget: Nugget) -> Verdict:
        ways = [one for one in (nugget.text, *nugget.aliases) if one.strip()]
        if any(said(text, ways) is not None for text in texts):
            return Verdict.CONVEYED
        return Verdict.MISSING if nugget.aliases else Verdict.UNDECIDED

    return [verdict(one) for one in nuggets]


async def by_judge(
    nuggets: Sequence[Nugget], context: Supplied, question: str, judge: Judge
) -> list[Verdict]:
    """A verdict a nugget, all asked for in one call."""
    ids = [f"n{n}" for n in range(1, len(nuggets) + 1)]
    named = zip(ids, nuggets, strict=True)
    asked = {
        "question": question,
        "passages": context.passages,
        "nuggets": listed("nugget", (({"id": id_}, one.text) for id_, one in named)),
    }
    reply = await judge.ask(PROMPT, asked, Reply, check=lambda told: decided(told, ids))
    found = {one.id: one.verdict for one in reply.verdicts}
    return [found[one] for one in ids]


def _account(
    nuggets: Sequence[Nugget], verdicts: Sequence[Verdict], context: Supplied, *, judged: bool
) -> dict[str, Json]:
    return {
        "nuggets": [
            {"text": one.text, "vital": one.vital, "verdict": verdict}
            for one, verdict in zip(nuggets, verdicts, strict=True)
        ],
        "by": "judge" if judged else "words",
        "empty_context": not context.chunks,
    }
