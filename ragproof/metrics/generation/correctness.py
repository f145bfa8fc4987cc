"""generation.correctness"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Pool,
    Prompt,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, EXPECTED_ANSWER, JUDGE, QUESTION
from ragproof.text.choice import Choice
from ragproof.text.untrusted import GUARD, listed

PROMPT = Prompt(
    system=(
        "You check an answer against a reference answer, aspect by aspect. Where several "
        "reference answers are given each is acceptable: take the one to which the answer comes "
        "nearest.\n"
        "- relations: who does what to whom, what is part, cause or condition of what, in which "
        "order.\n"
        "- entities: persons, products, places, organisations, documents.\n"
        "- quantities: numbers, amounts, dates, durations, units.\n"
        "- negation: what is denied, excluded, forbidden or an exception.\n"
        "- required_information: what the question asks for and the reference gives.\n"
        "Give each one verdict. ok: the answer agrees with the reference, in whatever words. "
        "wrong: it contradicts the reference, or, for required_information, leaves some of it "
        "out. not_applicable: neither the reference nor the answer has anything of that kind; "
        "also where the answer merely leaves it out, which counts as required_information "
        "alone.\n"
        "Judge only by the reference, not by what you know; what the answer adds and the "
        "reference is silent on is not wrong. Length is neither a merit nor a fault.\n"
        + GUARD
        + "\n"
        "Reply with JSON and nothing else, all five aspects in this order, each in the form of "
        'the first: {"relations": {"reason": "one sentence", "verdict": "ok" or "wrong" or '
        '"not_applicable"}, "entities": {...}, "quantities": {...}, "negation": {...}, '
        '"required_information": {...}}'
    ),
    user=("Question:\n{question}\n\nReference answers:\n{expected_answers}\n\nAnswer:\n{answer}\n"),
)


@dataclass(frozen=True)
class Correctness(ToolMetric[CaseRun]):
    """Share of five aspects in which a long answer agrees with the expected one; a judge decides.

    Question: Is the answer right, and if not, in what is it wrong?
    Formula: aspects that are ok / aspects that are ok or wrong, of relations, entities,
        quantities, negation and required information; over a run the sums are divided, so that
        each aspect of each answer counts once
    Range: 0, wrong in every aspect that applies, to 1, right in all.
    Edge cases: An aspect that neither the expected answer nor the answer has is left out, and
        where none is left the case is not applicable. What is left out counts as required
        information alone, so an answer that declines scores 0. Of several expected answers the
        nearest counts. What is added beyond the expected is not wrong.
    Not to be confused with: `generation.groundedness`, which asks whether the sources say it; or
        similarity of wording, which a wrong number hardly changes.
    References: Kamalloo et al., ACL 2023, for why lexical match does not suffice.

    Example:
        >>> ok, wrong = Aspect("", Agreement.OK), Aspect("", Agreement.WRONG)
        >>> none = Aspect("", Agreement.NOT_APPLICABLE)
        >>> reply = Reply(ok, ok, wrong, none, ok)
        >>> [one.verdict.value for one in reply.applicable().values()]
        ['ok', 'ok', 'wrong', 'ok']
    """

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, ANSWER, EXPECTED_ANSWER),
        uses=(QUESTION,),
        pool=Pool.RATIO,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the aspects compared one by one."""
        judge, answer, expected = tools[JUDGE], run[ANSWER], run[EXPECTED_ANSWER]
        asked = {
            "question": run[QUESTION],
            "expected_answers": listed("reference", (({}, one) for one in expected)),
            "answer": answer.answer_text,
        }
        reply = await judge.ask(PROMPT, asked, Reply)
        evidence = {name: dataclasses.asdict(one) for name, one in reply.aspects().items()}
        if not (applicable := reply.applicable().values()):
            raise DoesNotArise("no aspect of correctness applies to the answer", evidence)
        right = sum(one.verdict is Agreement.OK for one in applicable)
        return Scored(right / len(applicable), evidence, weight=len(applicable))


class Agreement(Choice):
    """Whether an aspect of the answer agrees with the reference."""

    OK = "ok"
    WRONG = "wrong"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True)
class Aspect:
    """What was found of one aspect."""

    reason: str
    verdict: Agreement


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    relations: Aspect
    entities: Aspect
    quantities: Aspect
    negation: Aspect
    required_information: Aspect

    def aspects(self) -> dict[str, Aspect]:
        """Name to aspect, all five."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def applicable(self) -> dict[str, Aspect]:
        """Those that count."""
        told = self.aspects().items()
        return {name: one for name, one in told if one.verdict is not Agreement.NOT_APPLICABLE}
