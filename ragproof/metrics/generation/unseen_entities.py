"""generation.unseen_entities"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, CONTEXT, QUESTION
from ragproof.metrics.supplied import telling
from ragproof.text.citation_markers import without_markers
from ragproof.text.names import names
from ragproof.text.passages import Passages, passages
from ragproof.text.quantities import Quantity, quantities


@dataclass(frozen=True)
class UnseenEntities(PureMetric[CaseRun]):
    """Whether the answer has a name or a figure that stands nowhere in the context: a flag.

    Question: Does the answer bring in someone or something that its sources do not speak of?
    Formula: 1 where any entity of the answer is absent from the context, else 0. Entities are
        names, found by how they are written, and with `quantities` the figures of
        `generation.quantities_supported`. A name is there where its tokens stand one after the
        other, case, width and punctuation aside: signs may join or part them
    Range: 0, all is there, to 1, something is not.
    Edge cases: An answer without an entity is not applicable. What the question has is there.
        A name written otherwise (`Barack Obama` for `Obama`) is absent. Names in Chinese, Arabic,
        Hindi and other scripts without capitals are not found, but for katakana and titles in
        brackets; German nouns count as names. Against an empty context every entity is absent;
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
        version=3,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look every entity up."""
        answer = run[ANSWER].answer_text
        texts = (
            passages(chunk.text for chunk in telling(run[CONTEXT])),
            passages([run.get(QUESTION) or ""]),
        )
        called = names(without_markers(answer))
        figures = quantities(answer, answer=True) if self.quantities else ()
        unseen = [one for one in called if not any(text.has(one) for text in texts)]
        unseen += [one.text for one in dict.fromkeys(figures) if not _is_told(one, texts)]
        found = [*called, *(one.text for one in figures)]
        evidence: dict[str, Json] = {
            "entities": list(dict.fromkeys(found)),
            "unseen": list(dict.fromkeys(unseen)),
        }
        if not found:
            raise DoesNotArise("the answer has no entity", evidence)
        return Scored(float(bool(unseen)), evidence)


def _is_told(figure: Quantity, texts: Iterable[Passages]) -> bool:
    return any(one.quantities.source(figure) is not None for one in texts)
