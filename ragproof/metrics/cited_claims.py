"""The claims of an answer, what each is cited for, and what of that bears it out; a judge says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import CaseRun, Chunk, Json, Prompt, Tools
from ragproof.core.needs import ANSWER, CITED, CONTEXT, JUDGE, QUESTION
from ragproof.metrics.supplied import distinct, telling
from ragproof.text.choice import Choice
from ragproof.text.citation_markers import markers
from ragproof.text.untrusted import GUARD, listed

PROMPT = Prompt(
    system=(
        "You check which claims of an answer are borne out by the passages that it cites for "
        "them.\n"
        "In the answer, [p1] or [p1, p2] after a statement cites these passages for it; [u1] cites "
        "something that does not exist. Where the list of citations says what a passage is cited "
        "for, it is cited for that; where it says `the whole answer`, for every claim.\n"
        "Claims: list every factual claim the answer makes, each once, in its order, with ids c1, "
        "c2 and so on. What the answer says of itself or does not know, greetings and questions "
        "are no claims. needs_citation is false only for what every reader knows without a "
        "source, and for what only sums up claims that are cited elsewhere in the answer.\n"
        "cites: the ids that are cited for this claim; none where nothing is. supported_by: those "
        "of them whose text says all of the claim, or a part of it; being on its subject is not "
        "enough. together: supported where what they say, taken together, is all of the claim, "
        "else unsupported. Being true is not support. Length is neither a merit nor a fault.\n"
        + GUARD
        + "\n"
        'Reply with JSON and nothing else: {"claims": [{"id": "c1", "text": "the claim", '
        '"needs_citation": true or false, "cites": ["p1"], "supported_by": ["p1"], "together": '
        '"supported" or "unsupported"}]}, and {"claims": []} where there are none.'
    ),
    user=(
        "Question:\n{question}\n\nAnswer:\n{answer}\n\nPassages:\n{passages}\n\n"
        "Citations:\n{citations}\n"
    ),
)


class Together(Choice):
    """Whether all that is cited for a claim, taken together, says it."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class CitedClaim:
    """One claim of the answer."""

    id: str
    text: str
    needs_citation: bool
    cites: tuple[str, ...]
    supported_by: tuple[str, ...]
    together: Together

    @property
    def is_supported(self) -> bool:
        """Whether all that is cited for it exists, and together says all of it."""
        exists = not any(one.startswith("u") for one in self.cites)
        return bool(self.cites) and exists and self.together is Together.SUPPORTED

    def account(self, names: Mapping[str, str]) -> dict[str, Json]:
        """What there is to say of it, by the ids of chunks."""
        return {
            "text": self.text,
            "needs_citation": self.needs_citation,
            "cites": [names[one] for one in self.cites],
            "supported_by": [names[one] for one in self.supported_by],
            "supported": self.is_supported,
        }


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    claims: tuple[CitedClaim, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """What an answer cites, by the ids under which a judge sees it: p1, or u1 where unknown."""

    names: Mapping[str, str]
    """Such an id to that of the chunk."""
    answer: str
    """With its markers naming such ids."""
    passages: Mapping[str, str]
    """Such an id to its text."""
    told: tuple[tuple[str, str], ...]
    """What the adapter says that something is cited for."""


def cited_of(run: CaseRun) -> Cited:
    """Gather what the adapter reports as cited or, where it reports nothing, the markers."""
    text, context = run[ANSWER].answer_text, telling(run[CONTEXT])
    chunks = {one.id: one for one in distinct(context)}
    reported = run.get(CITED) or ()
    found = markers(text, tuple(chunks))
    cited = [one.chunk_id for one in reported] or [name for one in found for name in one.ids]
    ids = _numbered(cited, chunks)
    said, past = "", 0
    for one in found:
        if shown := [ids[name] for name in one.ids if name in ids]:
            said, past = f"{said}{text[past : one.start]}[{', '.join(shown)}]", one.end
    marked = {name for one in found for name in one.ids}
    told = [
        (ids[one.chunk_id], one.claim or "the whole answer")
        for one in reported
        if one.claim or one.chunk_id not in marked
    ]
    return Cited(
        names={shown: name for name, shown in ids.items()},
        answer=said + text[past:],
        passages={shown: chunks[name].text for name, shown in ids.items() if name in chunks},
        told=tuple(dict.fromkeys(told)),
    )


def _numbered(cited: list[str], chunks: Mapping[str, Chunk]) -> dict[str, str]:
    ids: dict[str, str] = {}
    for name in dict.fromkeys(cited):
        kind = "p" if name in chunks and chunks[name].text.strip() else "u"
        ids[name] = f"{kind}{sum(one.startswith(kind) for one in ids.values()) + 1}"
    return ids


async def cited_claims(run: CaseRun, cited: Cited, tools: Tools) -> tuple[CitedClaim, ...]:
    """Have the judge list the claims and compare each with what is cited for it."""
    asked = {
        "question": run.get(QUESTION) or "",
        "answer": cited.answer,
        "passages": listed(
            "passage",
            (({"id": one}, text) for one, text in cited.passages.items() if one[0] == "p"),
        ),
        "citations": listed("citation", (({"of": one}, claim) for one, claim in cited.told)),
    }

    def check(reply: Reply) -> None:
        consistent(reply, cited.names)

    reply = await tools[JUDGE].ask(PROMPT, asked, Reply, check=check)
    return reply.claims


def consistent(reply: Reply, names: Mapping[str, str]) -> None:
    """Raise ValueError where a claim is told twice, or what is cited does not fit together.

    Example:
        >>> claim = CitedClaim("c1", "a", True, ("p2",), (), Together.UNSUPPORTED)
        >>> consistent(Reply((claim,)), {"p1": "x"})
        Traceback (most recent call last):
        ...
        ValueError: claim c1 cites p2; cited are: p1
    """
    seen: set[str] = set()
    for one in reply.claims:
        if not one.text.strip():
            raise ValueError(f"claim {one.id} is blank")
        if one.id in seen:
            raise ValueError(f"the id {one.id} is that of two claims; number them c1, c2, ...")
        seen.add(one.id)
        if strange := [each for each in one.cites if each not in names]:
            allowed = ", ".join(names) or "none"
            raise ValueError(f"claim {one.id} cites {', '.join(strange)}; cited are: {allowed}")
        if len(set(one.cites)) < len(one.cites):
            raise ValueError(f"claim {one.id} cites something twice; name each once")
        wrong = [each for each in one.supported_by if each not in one.cites or each[0] != "p"]
        if wrong or len(set(one.supported_by)) < len(one.supported_by):
            raise ValueError(f"claim {one.id}: supported_by must be passages that it cites, once")
        if one.together is Together.SUPPORTED and not one.supported_by:
            raise ValueError(f"claim {one.id} is supported together, but supported_by is empty")
