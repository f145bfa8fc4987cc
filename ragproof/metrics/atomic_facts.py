"""The atomic facts of an answer, and what bears each out: taken apart, then checked, by a judge.

The two steps are two prompts, so that each can be measured by itself. What repeats an earlier fact,
and what informs of nothing, is told apart: padding an answer must not raise its share.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ragproof.core import (
    CaseRun,
    Chunk,
    DoesNotArise,
    Json,
    Judge,
    Prompt,
    QuestionCase,
    Scored,
)
from ragproof.core.needs import QUESTION
from ragproof.core.pipeline import Retrieve
from ragproof.metrics.supplied import each_once, telling
from ragproof.text.choice import Choice
from ragproof.text.quotes import occurs, unquoted
from ragproof.text.untrusted import GUARD, listed
from ragproof.text.wording import wording

EXTRACT = Prompt(
    system=(
        "You take an answer apart into atomic facts, so that each can be checked by itself.\n"
        "Facts: list every factual claim the answer makes, in its order, with ids f1, f2 and so "
        "on: the smallest statements that are true or false by themselves, in words that can be "
        "understood alone, with names in place of pronouns. Keep the modifiers, conditions, "
        "numbers, dates and negations that belong to a fact, so that none says more than the "
        "answer does. What the answer says of itself or its sources or does not know, greetings, "
        "advice to ask elsewhere and questions are no facts: an answer that only declines makes "
        "none, and an empty one makes none either.\n"
        "quote: the words of the answer that state the fact, word for word.\n"
        'repeats: the id of an earlier fact that already says all of this one, else "". List what '
        "repeats all the same. What says more, or of another number, time, place or thing, "
        "repeats nothing.\n"
        "trivial: true only for what tells the asker nothing: that what is asked about exists or "
        "is of the kind the question says it is, what is true by the meaning of its words, and "
        "the question said again. What could turn out to be false informs, and is not trivial.\n"
        "Do not judge whether anything is true. Length is neither a merit nor a fault.\n"
        + GUARD
        + " Only the facts need not be English: write them in the language of the answer, in which "
        "their sources are looked for.\n"
        'Reply with JSON and nothing else: {"facts": [{"id": "f1", "text": "the fact", "quote": '
        '"word for word", "repeats": "", "trivial": true or false}]}, and {"facts": []} where '
        "there are none."
    ),
    user="Question:\n{question}\n\nAnswer:\n{answer}\n",
)
VERIFY = Prompt(
    system=(
        "You check the facts that an answer states against passages.\n"
        "Each fact names the passages that were found for it. verdict: supported where these say "
        "it or plainly imply all of it; contradicted where they say what cannot be true together "
        "with it; else unsupported. Being true, likely or well known is not support, and being on "
        "its subject is not enough. supported_by: the ids of those of its passages that say it, or "
        "a part of it; [] unless it is supported.\n"
        "missing_modifier: where the passages say it only under a condition, of a part, for a time "
        "or within a limit that the fact leaves out, name what is left out; such a fact is "
        'unsupported. Else "".\n'
        "Then read the answer as a whole. misleading: where facts that are true one by one stand "
        "in such an order or connection that a reader takes from the answer what the passages do "
        "not say, as of what came first, what caused what, or who did what, name these facts, two "
        "or more, and the false impression. Facts that merely stand in another order mislead "
        "nobody. [] where there is nothing of the kind.\n"
        "Length is neither a merit nor a fault.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"facts": [{"id": "f1", "verdict": "supported" or '
        '"contradicted" or "unsupported", "supported_by": ["p1"], "missing_modifier": ""}], '
        '"misleading": [{"facts": ["f1", "f2"], "impression": "one sentence"}]}, with every fact '
        "exactly once."
    ),
    user=(
        "Question:\n{question}\n\nAnswer:\n{answer}\n\nFacts:\n{facts}\n\nPassages:\n{passages}\n"
    ),
)
FIGURES = ("distinct", "all")
Search: TypeAlias = Callable[[str], Awaitable[tuple[Chunk, ...]]]
"""What is found for a fact."""


class Verdict(Choice):
    """What the passages say of a fact."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class Fact:
    """One fact of the answer, as the judge lists it."""

    id: str
    text: str
    quote: str
    repeats: str
    trivial: bool


@dataclass(frozen=True)
class Facts:
    """The shape of the reply on what the facts are."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Checked:
    """What the judge finds of one fact."""

    id: str
    verdict: Verdict
    supported_by: tuple[str, ...]
    missing_modifier: str


@dataclass(frozen=True)
class Misleading:
    """Facts that together give a false impression."""

    facts: tuple[str, ...]
    impression: str


@dataclass(frozen=True)
class Checks:
    """The shape of the reply on what bears the facts out."""

    facts: tuple[Checked, ...]
    misleading: tuple[Misleading, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The facts of an answer and all that there is to know of them."""

    facts: tuple[Fact, ...]
    evidence: Mapping[str, tuple[Chunk, ...]]
    """Fact to its passages, those with text; what repeats another has none of its own."""
    checked: Mapping[str, Checked]
    borne_by: Mapping[str, tuple[Chunk, ...]]
    """Supported fact to the passages that say it."""
    misleading: tuple[Misleading, ...]
    false_quotes: frozenset[str]
    """Facts whose quote is not in the answer."""
    unquoted: tuple[str, ...]
    """Sentences of the answer that no fact quotes."""

    @property
    def misled(self) -> frozenset[str]:
        """The facts that have a part in a false impression."""
        return frozenset(name for one in self.misleading for name in one.facts)

    def verdict(self, fact: Fact) -> Verdict:
        """Of the fact, or of what it repeats."""
        return self.checked[fact.repeats or fact.id].verdict

    def padding(self, fact: Fact) -> str | None:
        """Why it does not count. What sources contradict has told something: it counts."""
        if fact.repeats:
            return "repeated"
        trivial = fact.trivial and self.verdict(fact) is not Verdict.CONTRADICTED
        return "trivial" if trivial else None

    def score(self, figure: str, *, strict_order: bool) -> Scored:
        """The share that is supported. Raises DoesNotArise where there is nothing to share."""
        shares: dict[str, tuple[int, int]] = {}
        out = self.misled if strict_order else frozenset[str]()
        for name in FIGURES:
            counted = [one for one in self.facts if name == "all" or self.padding(one) is None]
            held = [
                one
                for one in counted
                if self.verdict(one) is Verdict.SUPPORTED and (one.repeats or one.id) not in out
            ]
            shares[name] = len(held), len(counted)
        told = self._account(shares)
        supported, counted_facts = shares[figure]
        if not self.facts:
            raise DoesNotArise("the answer makes no factual claim", told)
        if not counted_facts:
            raise DoesNotArise("the answer claims only what is trivial", told)
        return Scored(supported / counted_facts, told)

    def _account(self, shares: Mapping[str, tuple[int, int]]) -> dict[str, Json]:
        padding = [self.padding(one) for one in self.facts]
        texts = {one.id: one.text for one in self.facts}
        return {
            "facts": [self._told(one) for one in self.facts],
            "figures": {
                name: {"supported": held, "facts": counted}
                for name, (held, counted) in shares.items()
            },
            "repeated": padding.count("repeated"),
            "trivial": padding.count("trivial"),
            "missing_modifier": sum(bool(one.missing_modifier) for one in self.checked.values()),
            "misleading": [
                {"facts": [texts[name] for name in one.facts], "impression": one.impression}
                for one in self.misleading
            ],
            "without_evidence": sum(not passages for passages in self.evidence.values()),
            "false_quotes": len(self.false_quotes),
            "unquoted": [*self.unquoted],
        }

    def _told(self, fact: Fact) -> dict[str, Json]:
        told: dict[str, Json] = {
            "text": fact.text,
            "quote": fact.quote,
            "quote_found": fact.id not in self.false_quotes,
            "padding": self.padding(fact),
            "verdict": str(self.verdict(fact)),
        }
        if fact.repeats:
            return told | {"repeats": next(o.text for o in self.facts if o.id == fact.repeats)}
        one = self.checked[fact.id]
        return told | {
            "evidence": [chunk.id for chunk in self.evidence[fact.id]],
            "supported_by": [chunk.id for chunk in self.borne_by.get(fact.id, ())],
            "missing_modifier": one.missing_modifier,
        }


async def found_facts(
    run: CaseRun, judge: Judge, answer: str, *, given: Sequence[Chunk] = (), search: Search | None
) -> Found:
    """Have the facts of the answer listed, evidence for each gathered, and each checked.

    `given` is evidence of every fact; what the search finds is that of one. A fact for which there
    is no passage is unsupported, and nobody is asked of it. Raises DoesNotArise where there are
    passages and none tells its text.
    """
    asked = {"question": run.get(QUESTION) or "", "answer": answer}
    facts = told_apart((await judge.ask(EXTRACT, asked, Facts, check=well_listed)).facts)
    evidence: dict[str, tuple[Chunk, ...]] = {}
    for one in facts:  # one after the other: how much is asked at once, the run decides
        if not one.repeats:
            more = () if search is None else await search(one.text)
            evidence[one.id] = each_text((*given, *more))
    telling([chunk for some in evidence.values() for chunk in some])
    told = {name: tuple(c for c in some if c.text.strip()) for name, some in evidence.items()}
    checks, borne_by = await _checked(
        judge, asked, [one for one in facts if told.get(one.id)], told
    )
    unknown = [one.id for one in facts if not one.repeats and not told[one.id]]
    nothing = {name: Checked(name, Verdict.UNSUPPORTED, (), "") for name in unknown}
    return Found(
        facts=facts,
        evidence=told,
        checked={one.id: one for one in checks.facts} | nothing,
        borne_by=borne_by,
        misleading=checks.misleading,
        false_quotes=frozenset(one.id for one in facts if not occurs(one.quote, [answer])),
        unquoted=tuple(unquoted(answer, (one.quote for one in facts))),
    )


def searching(run: CaseRun, retrieve: Retrieve, passages: int) -> Search:
    """What the pipeline finds for a fact, which stands alone: no conversation leads up to it."""
    case = run.case
    if isinstance(case, QuestionCase) and case.history:
        case = replace(case, history=None)

    async def search(fact: str) -> tuple[Chunk, ...]:
        return (await retrieve(case, fact, passages))[:passages]

    return search


async def _checked(
    judge: Judge,
    asked: Mapping[str, str],
    facts: Sequence[Fact],
    evidence: Mapping[str, Sequence[Chunk]],
) -> tuple[Checks, dict[str, tuple[Chunk, ...]]]:
    """Have facts compared with their passages, each shown once; and which bear each fact out."""
    if not facts:
        return Checks((), ()), {}
    pool = each_text(chunk for one in facts for chunk in evidence[one.id])
    shown = {f"p{number}": chunk for number, chunk in enumerate(pool, 1)}
    names = {said_by(chunk): name for name, chunk in shown.items()}
    ids = {one.id: [names[said_by(chunk)] for chunk in evidence[one.id]] for one in facts}
    variables = {
        **asked,
        "facts": listed(
            "fact", (({"id": o.id, "passages": " ".join(ids[o.id])}, o.text) for o in facts)
        ),
        "passages": listed("passage", (({"id": name}, one.text) for name, one in shown.items())),
    }

    def check(reply: Checks) -> None:
        well_checked(reply, ids)

    reply = await judge.ask(VERIFY, variables, Checks, check=check)
    return reply, {
        one.id: tuple(shown[name] for name in dict.fromkeys(one.supported_by))
        for one in reply.facts
    }


def said_by(chunk: Chunk) -> tuple[str, str]:
    """By what two passages are one: a pipeline may cut a chunk to what it was asked for.

    Example:
        >>> said_by(Chunk(id="a", text="It is red.", score=0.5))
        ('a', 'It is red.')
    """
    return chunk.id, chunk.text


def each_text(chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    """Each passage once, where it stands first.

    Example:
        >>> parts = Chunk(id="a", text="Red."), Chunk(id="a", text="Blue.")
        >>> [one.text for one in each_text((*parts, *parts))]
        ['Red.', 'Blue.']
    """
    first: dict[tuple[str, str], Chunk] = {}
    for one in chunks:
        first.setdefault(said_by(one), one)
    return tuple(first.values())


def well_listed(reply: Facts) -> None:
    """Raise ValueError where a fact is blank, has the id of another, or repeats none before it.

    Example:
        >>> one, two = Fact("f1", "It is red.", "", "", False), Fact("f2", "Red.", "", "f1", False)
        >>> well_listed(Facts((one, two)))
        >>> well_listed(Facts((two, one)))
        Traceback (most recent call last):
        ...
        ValueError: fact f2 repeats f1; facts before it: none
    """
    seen: dict[str, None] = {}
    for one in reply.facts:
        if not one.id.strip() or not one.text.strip():
            raise ValueError(f"fact {one.id or '(no id)'} is blank")
        if one.id in seen:
            raise ValueError(f"the id {one.id} is that of two facts; number them f1, f2, ...")
        if one.repeats and one.repeats not in seen:
            before = ", ".join(seen) or "none"
            raise ValueError(f"fact {one.id} repeats {one.repeats}; facts before it: {before}")
        seen[one.id] = None


def told_apart(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts, those that repeat one naming the first that says it; equal words repeat, too.

    Example:
        >>> says = ("f1", "It is red.", ""), ("f2", "It's red.", "f1"), ("f3", "it is  red.", "f2")
        >>> facts = [Fact(id, text, "", repeats, False) for id, text, repeats in says]
        >>> [one.repeats for one in told_apart(facts)]
        ['', 'f1', 'f1']
    """
    first: dict[str, str] = {}
    by_words: dict[str, str] = {}
    found: list[Fact] = []
    for one in facts:
        words = wording(one.text)
        repeats = first[one.repeats] if one.repeats else by_words.get(words, "")
        first[one.id] = by_words[words] = repeats or one.id
        found.append(replace(one, repeats=repeats))
    return tuple(found)


def well_checked(reply: Checks, passages: Mapping[str, Sequence[str]]) -> None:
    """Raise ValueError unless every fact has one verdict, which fits what it is said to rest on.

    `passages` is fact to the ids of its own.
    """
    each_once([one.id for one in reply.facts], passages)
    for one in reply.facts:
        if strange := [name for name in one.supported_by if name not in passages[one.id]]:
            allowed = ", ".join(passages[one.id])
            raise ValueError(f"fact {one.id}: {strange[0]} is none of its passages: {allowed}")
        if (one.verdict is Verdict.SUPPORTED) != bool(one.supported_by):
            raise ValueError(
                f"fact {one.id} is {one.verdict}, supported_by {len(one.supported_by)} passages; "
                "it names some where it is supported, and none else"
            )
        if one.missing_modifier.strip() and one.verdict is not Verdict.UNSUPPORTED:
            raise ValueError(f"fact {one.id} lacks a modifier, so it is unsupported")
    for group in reply.misleading:
        if strange := [name for name in group.facts if name not in passages]:
            raise ValueError(f"misleading: {strange[0]} is no fact; facts: {', '.join(passages)}")
        if len(set(group.facts)) < 2 or not group.impression.strip():
            raise ValueError("misleading: name two facts or more, and the false impression")
