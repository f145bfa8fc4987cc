"""ingestion.boilerplate_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, DoesNotArise, Pool, PureMetric, Scored, Spec
from ragproof.core.needs import DOCUMENT_TEXT, EXPECTED_BOILERPLATE, REMOVED
from ragproof.core.spec import Unit
from ragproof.metrics.removed import removal


@dataclass(frozen=True)
class BoilerplateRecall(PureMetric[CaseRun]):
    """Share of the boilerplate characters that cleaning removed.

    Question: How much boilerplate is left to pollute the index?
    Formula: characters removed that are labelled boilerplate / characters labelled boilerplate
    Range: 0, nothing was removed, to 1, all of it.
    Edge cases: Stretches are characters of the input text, the end exclusive; what overlaps counts
        once. Where the case holds the text, or names a file of plain text, what reaches beyond its
        end is cut off there; with another file stretches are taken as they are. A document labelled
        as without boilerplate is not applicable. Over a set it is micro: all characters together.
    Not to be confused with: `ingestion.boilerplate_precision`, what cleaning takes away with it.
    References: Barbaresi 2021, "Trafilatura"; Kohlschütter et al. 2010, "Boilerplate detection
        using shallow text features".

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> menu = Document(text="Home | About  Two moons.")
        >>> case = DocumentCase(id="d", document=menu, expected_boilerplate=((0, 12),))
        >>> seen = Parsed(text="", removed=((0, 24),))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=seen))
        >>> BoilerplateRecall().score(run).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(REMOVED, EXPECTED_BOILERPLATE),
        uses=(DOCUMENT_TEXT,),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Compare characters."""
        counted = removal(run)
        if not counted.boilerplate:
            raise DoesNotArise("there is no boilerplate", counted.evidence)
        return Scored(
            counted.both / counted.boilerplate, counted.evidence, weight=counted.boilerplate
        )
