"""generation.citation_support"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    Json,
    Judge,
    Prompt,
    Scored,
    SourceMatch,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, CITATIONS, CONTEXT, JUDGE, QUESTION
from ragproof.metrics.supplied import telling
from ragproof.text.choice import Choice
from ragproof.text.quotes import occurs
from ragproof.text.untrusted import GUARD, listed

PROMPT = Prompt(
    system=(
        "You check whether the passages that an answer cites support what it cites them for.\n"
        "Each passage has an id, p1, p2 and so on, and the chunk_id by which the answer may name "
        "it. What it is cited for is given below the passages as claims of that id; where no "
        "claim is given, it is the sentence of the answer that cites it or, where the answer "
        "does not mark the place, the part of the answer that this passage speaks of.\n"
        "supported: the passage says or plainly implies what it is cited for, or the part of it "
        "that it is cited for beside other passages. unsupported: it says something else, less, "
        "or the opposite; or the answer says nothing for which it could be cited. Being on the "
        "same subject is not support, and being true is not either. For a supported one copy a "
        "quote from the passage word for word, else leave the quote empty.\n"
        "Give every passage exactly one verdict. Length is neither a merit nor a fault.\n"
        + GUARD
        + "\n"
        'Reply with JSON and nothing else: {"verdicts": [{"id": "p1", "quote": "word for word", '
        '"reason": "one sentence", "verdict": "supported" or "unsupported"}]}'
    ),
    user=(
        "Question:\n{question}\n\nAnswer:\n{answer}\n\nCited passages:\n{passages}\n\n"
        "Claims they are cited for:\n{claims}\n"
    ),
)


@dataclass(frozen=True)
class CitationSupport(ToolMetric[CaseRun]):
    """Share of the cited ids whose text supports what it is cited for; a judge decides.

    Question: Does what the answer cites bear it out?
    Formula: |supported cited ids| / |cited ids|, all asked for in one call
    Range: 0, no citation supports the answer, to 1, all do.
    Edge cases: An id cited twice counts once, for all it is cited for. An id that was not
        retrieved, or whose text is empty, is unsupported without being asked for; so is one for
        which the judge gives no verdict; where no retrieved chunk tells its text, it is not
        applicable. A verdict for something that was not cited, or a second
        one, is sent back. The retrieved set is the answer's own `retrieved_chunks`, else that of
        `retrieve`; with `source_match: document` a cited document is the text of its retrieved
        chunks. A quote that the cited text does not have is flagged and counted in
        `false_quotes`; with `strict_quotes` it makes the citation unsupported. A judge without a
        usable reply, its one repair included, is a judge error.
    Not to be confused with: `generation.citation_validity`, which only asks whether what is cited
        was retrieved; or `generation.groundedness`, which asks of every claim, cited or not.
    References: Liu, Zhang and Liang, EMNLP Findings 2023; Gao et al., EMNLP 2023 (ALCE).

    Example:
        >>> reply = Reply((Verdict("p1", "Cats purr", "says so", Support.SUPPORTED),))
        >>> of_what_was_asked(reply, ["p1", "p2"])
        >>> of_what_was_asked(reply, ["p2"])
        Traceback (most recent call last):
        ...
        ValueError: there is a verdict for 'p1', which was not asked for; asked for: p2
    """

    strict_quotes: bool = False

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, ANSWER, CITATIONS, CONTEXT),
        uses=(QUESTION,),
        version=2,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have each cited text compared with what it is cited for."""
        judge, _ = tools[JUDGE], run[ANSWER]
        cited = {one: f"p{n}" for n, one in enumerate(_claims(run), 1)}
        texts = {one: text for one, text in _texts(run).items() if one in cited and text.strip()}
        verdicts = await _verdicts(run, judge, cited, texts) if texts else {}
        accounts = list(self._accounts(cited, texts, verdicts))
        supported = sum(one["verdict"] == Support.SUPPORTED for one in accounts)
        evidence: dict[str, Json] = {
            "citations": accounts,
            "false_quotes": sum(one["quote_found"] is False for one in accounts),
        }
        return Scored(supported / len(cited), evidence)

    def _accounts(
        self, cited: Mapping[str, str], texts: Mapping[str, str], verdicts: Mapping[str, Verdict]
    ) -> Iterator[dict[str, Json]]:
        """What there is to say of each cited id."""
        for chunk_id, number in cited.items():
            account: dict[str, Json] = {"chunk_id": chunk_id, "verdict": Support.UNSUPPORTED}
            account |= {"quote": None, "quote_found": None}
            if chunk_id not in texts:
                account["reason"] = "there is no retrieved text of this id"
            elif (told := verdicts.get(number)) is None:
                account["reason"] = "the judge gave no verdict"
            else:
                account |= {"verdict": told.verdict, "reason": told.reason}
                if told.verdict is Support.SUPPORTED:
                    found = occurs(told.quote, [texts[chunk_id]])
                    account |= {"quote": told.quote, "quote_found": found}
                    if self.strict_quotes and not found:
                        account["verdict"] = Support.UNSUPPORTED
            yield account


class Support(Choice):
    """Whether a passage supports what it is cited for."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class Verdict:
    """What was found of one passage."""

    id: str
    quote: str
    reason: str
    verdict: Support


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    verdicts: tuple[Verdict, ...]


def of_what_was_asked(reply: Reply, asked: list[str]) -> None:
    """Raise ValueError where a verdict is for something else, or the second for the same."""
    for number, times in Counter(one.id for one in reply.verdicts).items():
        if number not in asked:
            told = f"there is a verdict for {number!r}, which was not asked for"
            raise ValueError(f"{told}; asked for: {', '.join(asked)}")
        if times > 1:
            raise ValueError(f"{number} has {times} verdicts; give it one")


async def _verdicts(
    run: CaseRun, judge: Judge, cited: Mapping[str, str], texts: Mapping[str, str]
) -> dict[str, Verdict]:
    """Number of the passage to what the judge says of it."""
    numbers = [cited[one] for one in cited if one in texts]
    passages = [({"id": cited[one], "chunk_id": one}, texts[one]) for one in cited if one in texts]
    claims = [
        ({"id": cited[one]}, claim)
        for one, claims in _claims(run).items()
        if one in texts
        for claim in claims
    ]
    asked = {
        "question": run[QUESTION],
        "answer": run[ANSWER].answer_text,
        "passages": listed("passage", passages),
        "claims": listed("claim", claims),
    }
    reply = await judge.ask(
        PROMPT, asked, Reply, check=lambda told: of_what_was_asked(told, numbers)
    )
    return {one.id: one for one in reply.verdicts}


def _claims(run: CaseRun) -> dict[str, list[str]]:
    """Each cited id and the claims it is cited for, in the order of the answer."""
    claims: dict[str, list[str]] = {}
    for one in run[CITATIONS]:
        listed_so_far = claims.setdefault(one.chunk_id, [])
        if one.claim and one.claim not in listed_so_far:
            listed_so_far.append(one.claim)
    return claims


def _texts(run: CaseRun) -> dict[str, str]:
    """Text of each id that a citation may name; a document has the text of all its chunks."""
    texts: dict[str, str] = {}
    parts: dict[str, list[str]] = {}
    for chunk in telling(run[CONTEXT]):
        texts.setdefault(chunk.id, chunk.text)
        parts.setdefault(SourceMatch.DOCUMENT.source(chunk), []).append(chunk.text)
    if run.source_match is SourceMatch.DOCUMENT:
        texts = {one: "\n\n".join(some) for one, some in parts.items()} | texts
    return texts
