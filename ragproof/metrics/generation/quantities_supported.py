"""generation.quantities_supported"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import ANSWER, CONTEXT, QUESTION
from ragproof.metrics.supplied import telling
from ragproof.text.passages import passages
from ragproof.text.quantities import quantities
from ragproof.text.worked_out import worked_out


@dataclass(frozen=True)
class QuantitiesSupported(PureMetric[CaseRun]):
    """Share of the answer's numbers, amounts and dates that follow from the context; no model.

    Question: Are the figures in the answer those of its sources?
    Formula: |quantities that follow from one in the context| / |distinct quantities|. One follows
        from another where both are equal in the same base unit (24 months and 2 years, 1.5 km
        and 1,500 m, 14:30 and 2:30 pm, half and 50 %), where one of the two tells no unit and
        the numbers are equal, or where a date tells no more than the other; with `rounding` also
        where it is the other rounded to its own last digit, from two digits on (1.2 million for
        1,234,567), or is told to be rough (`about 300`, `over 8 million`) and near. It follows as
        well where a sentence of the answer has it beside two figures that follow and it is their
        sum or difference, their change or share in percent, or the time between them.
    Range: 0, none follows, to 1, all do.
    Edge cases: An answer without a quantity is not applicable. A quantity that only the question
        has counts neither way. `1.000` is read as the language of its text has it, both ways where
        that cannot be told. Numbers of lists, steps and sources, of what an answer lists itself
        (`two plans: A and B`), citation markers and digits in names (GPT-4, 401(k)) are none.
        Number words are read in English, German, French, Spanish, Portuguese, Italian, Chinese,
        Hindi and Arabic. The decade of `90s` is 90 or 1990, and the end of 1998-99 is 99 or 1999.
        Against an empty context the score is 0; where there are chunks and none tells its text,
        it is not applicable.
    Not to be confused with: `generation.groundedness`: the right number can be said of the wrong
        thing; or `generation.correctness`, which asks for the truth.
    References: Nan et al., EACL 2021, for source precision by strings, entities and numbers alike.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase
        >>> said = "It runs for 2 years and costs 40 euros."
        >>> source = (Chunk(id="a", text="The term is 24 months, the price 30 euros."),)
        >>> seen = Observation(case_id="q", answer=Answer(answer_text=said), retrieved=source)
        >>> QuantitiesSupported().score(CaseRun(QuestionCase(id="q", question="?"), seen)).value
        0.5
    """

    rounding: bool = True

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, CONTEXT),
        uses=(QUESTION,),
        version=4,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look each quantity up in the context, then in the question."""
        answer = run[ANSWER].answer_text
        asked = quantities(answer, answer=True)
        found = {(one.values, one.unit, one.date): one for one in reversed(asked)}
        context = passages(chunk.text for chunk in telling(run[CONTEXT])).quantities
        question = passages([run.get(QUESTION) or ""]).quantities
        supported: dict[str, str] = {}
        missing, given = [], []
        for one in reversed(found.values()):
            if (source := context.source(one, rounding=self.rounding)) is not None:
                supported[one.text] = source
            elif question.source(one, rounding=self.rounding) is not None:
                given.append(one.text)
            else:
                missing.append(one)
        if len(supported) > 1:
            made = {one: worked_out(one, answer, context.source) for one in missing}
            supported |= {one.text: " and ".join(of) for one, of in made.items() if of}
            missing = [one for one in missing if not made[one]]
        unsupported = [one.text for one in missing]
        evidence: dict[str, Json] = {
            "supported": supported,
            "unsupported": unsupported,
            "of_the_question": given,
        }
        if not supported and not unsupported:
            raise DoesNotArise("the answer has no quantity of its own", evidence)
        whole = len(found) - len(given)
        return Scored((whole - len(unsupported)) / whole, evidence)
