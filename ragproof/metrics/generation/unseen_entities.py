"""generation.unseen_entities"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, CONTEXT, QUESTION
from ragproof.metrics.supplied import telling
from ragproof.text.citation_markers import without_markers
from ragproof.text.name_spellings import Spellings, proper
from ragproof.text.names import Name, is_label, mentions
from ragproof.text.numbering import without_headings
from ragproof.text.passages import Passages, passages
from ragproof.text.quantities import quantities
from ragproof.text.quantity import Quantity
from ragproof.text.unit_names import MONTHS
from ragproof.text.worked_out import worked_out


@dataclass(frozen=True)
class UnseenEntities(PureMetric[CaseRun]):
    """Whether the answer has a name or a figure that stands nowhere in the context: a flag.

    Question: Does the answer bring in someone or something that its sources do not speak of?
    Formula: 1 where any entity of the answer is absent from the context, else 0. Entities are
        names, found by how they are written, and with `quantities` the figures of
        `generation.quantities_supported`. A name is there where its tokens stand one after the
        other, case, width and punctuation aside: signs may join or part them. So it is where the
        context has its initials (FTC) or, for initials, the whole name, or has it without title or
        accents or with another ending. Words of it that stand there in lower case as well
        are no names: of `Call Ada's Office` only Ada is looked up, and no id of a chunk is one
    Range: 0, all is there, to 1, something is not.
    Edge cases: An answer without an entity is not applicable. What the question has is there.
        `Barack Obama` is absent where only Obama is told. Headings are left out. Names in Chinese,
        Arabic, Hindi and other scripts without capitals are not found, but for katakana and titles
        in brackets; German nouns count as names. Against an empty context every entity is absent;
        where there are chunks and none tells its text, it is not applicable.
    Not to be confused with: `generation.groundedness`: it is blind to who did what, to negation
        and to time. "Paris was founded in 1994." is not flagged against "Paris was not founded
        in 1994.". Before it decides anything, measure it on labels: `ragproof calibrate --metric
        generation.unseen_entities --labels FILE`.
    References: Nan et al., EACL 2021, for entities of a summary that are not in its source.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase
        >>> source = (Chunk(id="a", text="Paris was not founded in 1994."),)
        >>> said = Answer(answer_text="Paris was founded in 1994.", retrieved_chunks=source)
        >>> run = CaseRun(QuestionCase(id="q", question="?"), Observation(case_id="q", answer=said))
        >>> UnseenEntities().score(run).value
        0.0
    """

    quantities: bool = True

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.LOWER,
        needs=(ANSWER, CONTEXT),
        uses=(QUESTION,),
        version=4,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look every entity up."""
        answer = run[ANSWER].answer_text
        texts = (
            passages(chunk.text for chunk in telling(run[CONTEXT])),
            passages([run.get(QUESTION) or ""]),
        )
        plain = without_headings(without_markers(answer))
        ids = {chunk.id.casefold() for chunk in run[CONTEXT]}
        called = [one for one in mentions(plain) if one.text.casefold() not in ids]
        figures = quantities(answer, answer=True) if self.quantities else ()
        own = Spellings((plain,))
        there = {name: _has(name, texts) for name in dict.fromkeys(one.text for one in called)}
        missing = [one for one in called if not there[one.text]]
        unseen = [one.text for one in missing if not _is_there(one, own, texts)]
        unseen += [one.text for one in _untold(figures, answer, texts)]
        found = [*(one.text for one in called), *(one.text for one in figures)]
        evidence: dict[str, Json] = {
            "entities": list(dict.fromkeys(found)),
            "unseen": list(dict.fromkeys(unseen)),
        }
        if not found:
            raise DoesNotArise("the answer has no entity", evidence)
        return Scored(float(bool(unseen)), evidence)


def _is_there(name: Name, own: Spellings, texts: Sequence[Passages]) -> bool:
    """Whether the answer `own` has it in full, or the texts all of it that is no common word."""
    if own.shortens(name.text):
        return True
    small = (own, *(one.spellings for one in texts))
    parts = proper(name.text, lambda word: any(one.has_small(word) for one in small))
    if parts == [name.text]:
        return False
    return is_label(own.texts[0], name) or all(_has(one, texts) for one in parts)


def _has(name: str, texts: Sequence[Passages]) -> bool:
    if any(one.has(name) or one.spellings.has(name) for one in texts):
        return True
    month = MONTHS.get(name.lower())
    dated = Quantity(name, date=(None, month, None))
    return month is not None and any(one.quantities.source(dated) is not None for one in texts)


def _untold(
    figures: Sequence[Quantity], answer: str, texts: Sequence[Passages]
) -> Sequence[Quantity]:
    """The figures, each once, that neither stand in the texts nor are worked out from two."""

    def source(one: Quantity) -> str | None:
        return next((told for text in texts if (told := text.quantities.source(one))), None)

    distinct = dict.fromkeys(figures)
    missing = [one for one in distinct if source(one) is None]
    if len(distinct) - len(missing) < 2:
        return missing
    return [one for one in missing if worked_out(one, answer, source) is None]
