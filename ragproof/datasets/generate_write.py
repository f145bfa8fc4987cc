"""From an attempt to a case, or to why there is none: a model writes, a second look decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ragproof.core import Judge, Prompt, QuestionCase, UselessReply
from ragproof.datasets.attempts import Attempt
from ragproof.datasets.chunker import Passage
from ragproof.datasets.generate_cases import (
    adversarial_case,
    answered_case,
    joined_case,
    open_case,
    swapped_cases,
    talk_case,
)
from ragproof.datasets.generate_files import UNUSABLE
from ragproof.datasets.generate_prompts import (
    AGAINST_ANOTHER,
    CHECK,
    CONVERSATION,
    COUNTERFACTUAL,
    MULTI_HOP,
    NEAR_MISS,
    ON_ONE,
    OUT_OF_SCOPE,
    QA,
    Check,
    Draft,
    JoinedDraft,
    OpenDraft,
    SwapDraft,
    TalkDraft,
)
from ragproof.datasets.generate_rules import (
    agrees,
    contains,
    flawed,
    found,
    ill_asked,
    is_reworded,
    lacks_turn,
)
from ragproof.datasets.material import Material
from ragproof.text.untrusted import listed

T = TypeVar("T")
SEARCHED = 6
"""So many passages of the whole corpus are read before a question counts as unanswerable."""


class Turned(Exception):
    """What was written is no good; the reason, and what more there is to say of it."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True)
class Rejected:
    """An attempt of which nothing came, and why."""

    reason: str
    detail: str = ""
    draft: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the model wrote, as far as it got."""


@dataclass(frozen=True)
class Made:
    """The cases of an attempt: one, or an original and what varies it, the original first."""

    cases: tuple[QuestionCase, ...]


@dataclass
class Desk:
    """Where one attempt is worked on."""

    judge: Judge
    material: Material
    attempt: Attempt
    draft: Mapping[str, Any] = field(default_factory=dict[str, Any])

    async def work(self) -> Made | Rejected:
        """Carry the attempt out.

        Raises JudgeError where the model cannot be reached, and OverBudget and StoreError.
        """
        if self.attempt.needs_other and self.attempt.other is None:
            return Rejected("the corpus has no second passage near this one")
        try:
            return Made(await _WORK[self.attempt.kind](self))
        except Turned as turned:
            return Rejected(turned.reason, turned.detail, self.draft)

    async def written(self, prompt: Prompt, shape: type[T]) -> T:
        """Have something written."""
        attempt = self.attempt
        asked = {
            "persona": attempt.persona[1],
            "category": attempt.category[1],
            "passage": attempt.passage.text,
        }
        if attempt.other is not None:
            asked["other"] = attempt.other.text
        draft = await self._asked(prompt, asked, shape, repeat=attempt.round)
        self.draft = dict(vars(draft))
        return draft

    async def checked(
        self, question: str, passages: Sequence[Passage], history: Sequence[str] = ()
    ) -> Check:
        """Have it read again by whoever sees only question and passages."""
        asked = {
            "history": "\n".join(history) or "(none)",
            "question": question,
            "passages": listed("passage", (({}, one.text) for one in passages)),
        }
        return await self._asked(CHECK, asked, Check)

    async def confirm(
        self,
        question: str,
        answer: str,
        passages: Sequence[Passage],
        history: Sequence[str] = (),
    ) -> None:
        """Raise Turned unless the second look comes to the same answer."""
        told = await self.checked(question, passages, history)
        _well_asked(told)
        if told.verdict != "answered":
            raise Turned("the second look finds no answer", told.reason)
        if not agrees(answer, told.answer):
            raise Turned("the second look answers otherwise", told.answer)

    async def withheld(self, question: str, answer: str, passage: Passage, reason: str) -> None:
        """Raise Turned where this passage alone gives the answer."""
        told = await self.checked(question, [passage])
        if told.verdict == "answered" and agrees(answer, told.answer):
            raise Turned(reason, told.answer)

    async def _asked(
        self, prompt: Prompt, asked: Mapping[str, str], shape: type[T], repeat: int = 0
    ) -> T:
        try:
            return await self.judge.ask(prompt, asked, shape, repeat=repeat)
        except UselessReply as fault:
            raise Turned(UNUSABLE, str(fault)) from fault


def _well_asked(told: Check) -> None:
    if not told.same_language:
        raise Turned("the question is in another language than the passage", told.reason)
    if not told.self_contained:
        raise Turned("the question cannot be understood alone", told.reason)


def _sound(reason: str | None) -> None:
    if reason is not None:
        raise Turned(reason)


async def _qa(desk: Desk) -> tuple[QuestionCase, ...]:
    draft = await desk.written(QA, Draft)
    passage = desk.attempt.passage
    _sound(flawed(draft.question, draft.answer, draft.quote, passage.text))
    await desk.confirm(draft.question, draft.answer, [passage])
    return (answered_case(desk.attempt, draft),)


async def _unanswerable(desk: Desk) -> tuple[QuestionCase, ...]:
    near = desk.attempt.challenge == "near_miss"
    draft = await desk.written(NEAR_MISS if near else OUT_OF_SCOPE, OpenDraft)
    passage, search = desk.attempt.passage, desk.material.search
    _sound(ill_asked(draft.question, passage.text))
    hits = search(draft.question, SEARCHED)
    if near and not hits:
        raise Turned("nothing in the corpus is near the question")
    more = [*hits, *search(draft.missing, SEARCHED // 2), passage]
    told = await desk.checked(draft.question, list({one.place: one for one in more}.values()))
    _well_asked(told)
    if told.verdict == "answered":
        raise Turned("the corpus answers the question", told.answer or told.reason)
    return (open_case(desk.attempt, draft, [one.place for one in hits]),)


async def _multi_hop(desk: Desk) -> tuple[QuestionCase, ...]:
    draft = await desk.written(MULTI_HOP, JoinedDraft)
    one, two = desk.attempt.passage, desk.attempt.other
    assert two is not None
    holds = [quote for quote in (draft.quote_a, draft.quote_b) if contains(quote, draft.answer)]
    in_first = bool(holds) and holds[0] == draft.quote_a
    first, second = (one, two) if in_first else (two, one)
    quotes = (draft.quote_a, draft.quote_b) if in_first else (draft.quote_b, draft.quote_a)
    _sound(flawed(draft.question, draft.answer, quotes[0], first.text))
    _sound(ill_asked(draft.question, second.text))
    if found(quotes[1], second.text) is None:
        raise Turned("the quote does not stand in the passage", quotes[1])
    await desk.confirm(draft.question, draft.answer, [one, two])
    reason = "one passage alone is enough"
    await desk.withheld(draft.question, draft.answer, one, reason)
    await desk.withheld(draft.question, draft.answer, two, reason)
    return (joined_case(desk.attempt, draft),)


async def _conversation(desk: Desk) -> tuple[QuestionCase, ...]:
    draft = await desk.written(CONVERSATION, TalkDraft)
    passage = desk.attempt.passage
    _sound(flawed(draft.standalone, draft.answer, draft.quote, passage.text))
    _sound(ill_asked(draft.question, passage.text))
    talk = (f"user: {draft.first_question}", f"assistant: {draft.first_answer}")
    if not draft.first_question.strip() or not draft.first_answer.strip():
        raise Turned("the conversation has no beginning")
    if any(contains(one, draft.answer) for one in (*talk, draft.question)):
        raise Turned("the answer stands in the conversation")
    await desk.confirm(draft.question, draft.answer, [passage], talk)
    alone = await desk.checked(draft.question, [passage])
    if alone.self_contained:
        raise Turned("the follow-up is understood without the conversation")
    return (talk_case(desk.attempt, draft),)


async def _adversarial(desk: Desk) -> tuple[QuestionCase, ...]:
    challenge = desk.attempt.challenge
    if challenge == "counterfactual":
        return await _swapped(desk)
    prompt = AGAINST_ANOTHER.get(challenge) or ON_ONE[challenge]
    draft = await desk.written(prompt, Draft)
    passage, other = desk.attempt.passage, desk.attempt.other
    _sound(flawed(draft.question, draft.answer, draft.quote, passage.text))
    if other is None:
        _sound(lacks_turn(draft.question, challenge))
        await desk.confirm(draft.question, draft.answer, [passage])
    else:
        await desk.confirm(draft.question, draft.answer, [passage, other])
        reason = "the passage that is to mislead gives the right answer"
        await desk.withheld(draft.question, draft.answer, other, reason)
    return (adversarial_case(desk.attempt, draft),)


async def _swapped(desk: Desk) -> tuple[QuestionCase, ...]:
    draft = await desk.written(COUNTERFACTUAL, SwapDraft)
    one, two = desk.attempt.passage, desk.attempt.other
    assert two is not None
    before = (draft.original_question, draft.original_answer, draft.original_quote)
    _sound(flawed(*before, one.text))
    _sound(flawed(draft.question, draft.answer, draft.quote, two.text))
    if agrees(draft.original_answer, draft.answer):
        raise Turned("the swap does not change the answer")
    if not is_reworded(draft.original_question, draft.question):
        raise Turned("the swapped question is not the original with one thing swapped")
    await desk.confirm(draft.original_question, draft.original_answer, [one, two])
    await desk.confirm(draft.question, draft.answer, [one, two])
    return swapped_cases(desk.attempt, draft)


_WORK = {
    "qa": _qa,
    "unanswerable": _unanswerable,
    "multi_hop": _multi_hop,
    "conversation": _conversation,
    "adversarial": _adversarial,
}
