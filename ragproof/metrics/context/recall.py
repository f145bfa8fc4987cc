"""context.recall"""

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
from ragproof.core.needs import EXPECTED_ANSWER, JUDGE, QUESTION, SUPPLIED
from ragproof.metrics.supplied import supplied
from ragproof.text.choice import Choice
from ragproof.text.quotes import occurs
from ragproof.text.untrusted import GUARD, listed
from ragproof.text.wording import wording

PROMPT = Prompt(
    system=(
        "You take a reference answer apart into statements and look for each in passages.\n"
        "Statements: list every statement of fact that the reference answer makes, each once, in "
        "its order, in words that can be understood alone together with the question; a bare name "
        "or number that answers the question is one statement. Where several reference answers "
        "are given each is acceptable: take apart the one that the passages bear out best. A "
        "reference that says nothing of fact has no statements.\n"
        "- found: the passages say or plainly imply all of the statement; copy a quote from a "
        "passage word for word.\n"
        "- missing: they say less, something else or nothing of it, however true it is; leave the "
        "quote empty.\n"
        "Length is neither a merit nor a fault.\n" + GUARD + "\n"
        'Reply with JSON and nothing else: {"statements": [{"text": "the statement", "quote": '
        '"word for word", "verdict": "found" or "missing"}]}'
    ),
    user=(
        "Question:\n{question}\n\nPassages:\n{passages}\n\nReference answers:\n{expected_answers}\n"
    ),
)


@dataclass(frozen=True)
class Recall(ToolMetric[CaseRun]):
    """Share of the expected answer's statements that the context holds; a judge decides.

    Question: Was the model given all that the right answer takes?
    Formula: |statements of the expected answer found in the context| / |its statements|, listed
        and looked for in one call
    Range: 0, nothing of it was supplied, to 1, all was.
    Edge cases: Of several expected answers the one that the context bears out best counts. An
        empty context scores 0, without asking; one whose chunks all lack text is not applicable,
        and so is an expected answer that states no fact. A quote that no chunk has, white space
        aside, is flagged and counted in `false_quotes`; with `strict_quotes` its statement is
        missing. A blank statement, or one listed twice, is sent back; a judge without a usable
        reply, its one repair included, is a judge error.
    Not to be confused with: `retrieval.recall_at_k`, which counts labelled sources;
        `context.nugget_recall`, whose pieces are written down with the case; or
        `generation.completeness`, which looks for the expected in the answer.
    References: Es et al., EACL 2024, and the documentation of Ragas (context recall).

    Example:
        >>> told = Reply((Statement("Cats purr.", "Cats purr", Verdict.FOUND),) * 2)
        >>> distinct_statements(told)
        Traceback (most recent call last):
        ...
        ValueError: 'Cats purr.' is listed twice; list every statement once
    """

    strict_quotes: bool = False

    prompts = (PROMPT,)
    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(JUDGE, EXPECTED_ANSWER, SUPPLIED),
        uses=(QUESTION,),
        on_request=True,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the expected answer taken apart and looked for."""
        judge, expected, context = tools[JUDGE], run[EXPECTED_ANSWER], supplied(run)
        if not context.chunks:
            return Scored(0.0, {"statements": [], "false_quotes": 0, "empty_context": True})
        asked = {
            "question": run[QUESTION],
            "passages": context.passages,
            "expected_answers": listed("reference", (({}, one) for one in expected)),
        }
        reply = await judge.ask(PROMPT, asked, Reply, check=distinct_statements)
        statements = list(self._accounts(reply, context.texts))
        evidence: dict[str, Json] = {
            "statements": statements,
            "false_quotes": sum(one["quote_found"] is False for one in statements),
            "empty_context": False,
        }
        if not statements:
            raise DoesNotArise("the expected answer states no fact", evidence)
        found = sum(one["verdict"] == Verdict.FOUND for one in statements)
        return Scored(found / len(statements), evidence)

    def _accounts(self, reply: Reply, texts: list[str]) -> Iterator[dict[str, Json]]:
        """What there is to say of each statement."""
        for one in reply.statements:
            quoted = occurs(one.quote, texts) if one.verdict is Verdict.FOUND else None
            refused = self.strict_quotes and quoted is False
            yield {
                "text": one.text,
                "verdict": Verdict.MISSING if refused else one.verdict,
                "quote": None if quoted is None else one.quote,
                "quote_found": quoted,
            }


class Verdict(Choice):
    """Whether the passages hold a statement."""

    FOUND = "found"
    MISSING = "missing"


@dataclass(frozen=True)
class Statement:
    """One statement of the expected answer."""

    text: str
    quote: str
    verdict: Verdict


@dataclass(frozen=True)
class Reply:
    """The shape of the judge's reply."""

    statements: tuple[Statement, ...]


def distinct_statements(reply: Reply) -> None:
    """Raise ValueError for a statement that is blank or there twice."""
    times = Counter(wording(one.text) for one in reply.statements)
    for one in reply.statements:
        if not (plain := wording(one.text)):
            raise ValueError("a statement is blank")
        if times[plain] > 1:
            raise ValueError(f"{one.text!r} is listed twice; list every statement once")
