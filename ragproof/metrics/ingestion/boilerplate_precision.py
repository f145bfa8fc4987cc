"""ingestion.boilerplate_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, DoesNotArise, Pool, PureMetric, Scored, Spec
from ragproof.core.needs import DOCUMENT_TEXT, EXPECTED_BOILERPLATE, REMOVED
from ragproof.core.spec import Unit
from ragproof.metrics.removed import removal


@dataclass(frozen=True)
class BoilerplatePrecision(PureMetric[CaseRun]):
    """Share of the removed characters that are boilerplate.

    Question: Does cleaning take away what was worth keeping?
    Formula: characters removed that are labelled boilerplate / characters removed
    Range: 0, all of it was worth keeping, to 1, none was.
    Edge cases: Stretches are characters of the input text, the end exclusive; what overlaps counts
        once. Where the case holds the text, or names a file of plain text, what reaches beyond its
        end is cut off there; with another file stretches are taken as they are. Where nothing was
        removed there is nothing to be precise about: not applicable. Over a set it is micro: all
        characters together.
    Not to be confused with: `ingestion.boilerplate_recall`, what cleaning leaves behind.
    References: Barbaresi 2021, "Trafilatura"; Kohlschütter et al. 2010, "Boilerplate detection
        using shallow text features".

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> menu = Document(text="Home | About  Two moons.")
        >>> case = DocumentCase(id="d", document=menu, expected_boilerplate=((0, 12),))
        >>> seen = Parsed(text="", removed=((0, 24),))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=seen))
        >>> BoilerplatePrecision().score(run).value
        0.5
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
        if not counted.removed:
            raise DoesNotArise("nothing was removed", counted.evidence)
        return Scored(counted.both / counted.removed, counted.evidence, weight=counted.removed)
