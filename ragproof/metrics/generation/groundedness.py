"""generation.groundedness"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Prompt,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, CONTEXT, JUDGE, QUESTION
from ragproof.metrics.supplied import telling
from ragproof.text.choice import Choice
from ragproof.text.quotes import occurs
from ragproof.text.untrusted import GUARD, listed
from ragproof.text.wording import wording

PROMPT = Prompt(
    system=(
        "You take an answer apart into atomic factual claims and check each against passages.\n"
        "Claims: list every factual claim the answer makes, each once, in the order of the "
        "answer, in words that can be understood alone, with ids c1, c2, c3 and so on. Keep the "
        "modifiers, numbers, dates and negations that belong to it. What the answer says of "
        "itself, its sources or what it does not know, greetings, advice to ask elsewhere and "
        "questions are no claims: an answer that only declines makes none, and an empty one "
        "makes none either.\n"
        "Support: a claim is supported where the passages say it or plainly imply all of it; "
        "being true, likely or well known is not enough. A claim that says more than the "
        "passages, or something else, is unsupported. For each supported claim copy a quote from "
        "a passage word for word. For each unsupported claim name the failure: fabrication "
        "(nothing in the passages speaks of it), overgeneralization (they say it of less, or "
        "under a condition that is dropped), wrong_entity (they say it of someone or something "
        "else), stale_fact (they say it was so, or that it has been replaced). Where none of "
        "these fits, a contradiction above all, it is fabrication.\n"
        "Every claim is either supported or unsupported. Length is neither a merit nor a "
        "fault.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"outcome": "scored", or "no_claims" where there are '
        'none, "claims": [{"id": "c1", "text": "the claim"}], "supported": [{"id": "c1", '
        '"quote": "word for word"}], "unsupported": [{"id": "c2", "failure_mode": '
        '"fabrication" or "overgeneralization" or "wrong_entity" or "stale_fact", "reason": '
        '"one sentence"}]}'
    ),
    user="Question:\n{question}\n\nPassages:\n{context}\n\nAnswer:\n{answer}\n",
)


@dataclass(frozen=True)
class Groundedness(ToolMetric[CaseRun]):
    """Share of the answer's claims that the context supports; a judge decides.

    Question: Does the answer say only what its sources say?
    Formula: |supported claims| / |claims|, the claims and their support told by one call
    Range: 0, nothing it claims is supported, to 1, all is.
    Edge cases: An answer without a factual claim, such as a refusal, is not applicable. The
        context is the answer's own `retrieved_chunks`, else those of `retrieve`; where there
        are none, it is scored and the evidence says so; where there are some and none tells its
        text, it is not applicable. Claims that are
        blank, listed twice, in no list of support or in both are sent back. A quote that no
        chunk has, white space aside, is flagged and counted in `false_quotes`; with
        `strict_quotes` its claim is unsupported. A judge without a usable reply, its one repair
        included, is a judge error.
    Not to be confused with: `generation.correctness`: sources can be wrong; or
        `generation.citation_support`, which asks of each citation.
    References: Es et al., EACL 2024 (Ragas, faithfulness); Min et al., EMNLP 2023 (FActScore),
        for atomic claims.

    Example:
        >>> claims = (Claim("c1", "Cats purr."), Claim("c2", "Cats fly."))
        >>> made_up = Unsupported("c2", FailureMode.FABRICATION, "no passage speaks of flying")
        >>> reply = Reply(Outcome.SCORED, claims, (Supported("c1", "Cats purr"),), (made_up,))
        >>> partitioned(reply)
        >>> partitioned(Reply(Outcome.SCORED, claims, (Supported("c1", "Cats purr"),), ()))
        Traceback (most recent call last):
        ...
        ValueError: claim c2 is neither supported nor unsupported
    """

    strict_quotes: bool = False

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, ANSWER, CONTEXT),
        uses=(QUESTION,),
        version=2,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the claims listed and checked."""
        judge, answer = tools[JUDGE], run[ANSWER]
        texts = [chunk.text for chunk in telling(run[CONTEXT]) if chunk.text.strip()]
        asked = {
            "question": run[QUESTION],
            "context": listed("passage", (({}, text) for text in texts)),
            "answer": answer.answer_text,
        }
        reply = await judge.ask(PROMPT, asked, Reply, check=partitioned)
        claims = list(self._accounts(reply, texts))
        evidence: dict[str, Json] = {
            "claims": claims,
            "false_quotes": sum(one["quote_found"] is False for one in claims),
            "empty_context": not texts,
        }
        if not claims:
            raise DoesNotArise("the answer makes no factual claim", evidence)
        supported = sum(one["verdict"] == "supported" for one in claims)
        return Scored(supported / len(claims), evidence)

    def _accounts(self, reply: Reply, texts: list[str]) -> Iterator[dict[str, Json]]:
        """What there is to say of each claim."""
        supported = {one.id: one for one in reply.supported}
        unsupported = {one.id: one for one in reply.unsupported}
        for claim in reply.claims:
            account: dict[str, Json] = {"id": claim.id, "text": claim.text}
            if (held := supported.get(claim.id)) is not None:
                found = occurs(held.quote, texts)
                account["verdict"] = (
                    "supported" if found or not self.strict_quotes else "unsupported"
                )
                account |= {"quote": held.quote, "quote_found": found, "failure_mode": "none"}
            else:
                failed = unsupported[claim.id]
                account |= {"verdict": "unsupported", "quote": None, "quote_found": None}
                account |= {"failure_mode": failed.failure_mode, "reason": failed.reason}
            yield account


class Outcome(Choice):
    """Whether there is something to score."""

    SCORED = "scored"
    NO_CLAIMS = "no_claims"


class FailureMode(Choice):
    """In what way a claim is unsupported."""

    FABRICATION = "fabrication"
    OVERGENERALIZATION = "overgeneralization"
    WRONG_ENTITY = "wrong_entity"
    STALE_FACT = "stale_fact"


@dataclass(frozen=True)
class Claim:
    """One claim of the answer."""

    id: str
    text: str


@dataclass(frozen=True)
class Supported:
    """A claim that the passages support, and the words that do."""

    id: str
    quote: str


@dataclass(frozen=True)
class Unsupported:
    """A claim that the passages do not support, and how it fails."""

    id: str
    failure_mode: FailureMode
    reason: str


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    outcome: Outcome
    claims: tuple[Claim, ...]
    supported: tuple[Supported, ...]
    unsupported: tuple[Unsupported, ...]


def partitioned(reply: Reply) -> None:
    """Raise ValueError unless every claim is there once, and supported or unsupported, not both."""
    texts = Counter(wording(one.text) for one in reply.claims)
    ids = Counter(one.id for one in reply.claims)
    for claim in reply.claims:
        if ids[claim.id] > 1:
            raise ValueError(f"the id {claim.id!r} is that of two claims; number them c1, c2, ...")
        if not claim.text.strip():
            raise ValueError(f"claim {claim.id} is blank")
        if texts[wording(claim.text)] > 1:
            raise ValueError(f"claim {claim.id} is listed twice; list every claim once")
    if (reply.outcome is Outcome.SCORED) != bool(reply.claims):
        rule = "scored where there are claims, no_claims where there are none"
        raise ValueError(f"the outcome is {reply.outcome} of {len(reply.claims)} claims; {rule}")
    _verdicts_match_claims(reply)


def _verdicts_match_claims(reply: Reply) -> None:
    claims = {one.id for one in reply.claims}
    ways = Counter(one.id for one in reply.supported) + Counter(one.id for one in reply.unsupported)
    both = {one.id for one in reply.supported} & {one.id for one in reply.unsupported}
    for one, times in ways.items():
        if one not in claims:
            raise ValueError(f"{one!r} has a verdict but is no claim")
        if one in both:
            raise ValueError(f"claim {one} is both supported and unsupported")
        if times > 1:
            raise ValueError(f"claim {one} has {times} verdicts; give it one")
    for claim in reply.claims:
        if claim.id not in ways:
            raise ValueError(f"claim {claim.id} is neither supported nor unsupported")
