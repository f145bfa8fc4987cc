"""chunking.boundary_quality"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.core import (
    DOCUMENTS,
    Better,
    CaseRun,
    DoesNotArise,
    Pool,
    PureMetric,
    Scored,
    Spec,
    Unit,
)
from ragproof.core.needs import BOUNDARIES, CHUNKS, CUT_TEXT
from ragproof.metrics.cuts import Cut, account, cuts
from ragproof.text.whereabouts import Whereabouts


@dataclass(frozen=True)
class BoundaryQuality(PureMetric[CaseRun]):
    """Share of the cuts that people judged which they call sensible.

    Question: Would a reader cut there?
    Formula: judged cuts of this chunker called sensible / judged cuts of this chunker
    Range: 0, none is sensible, to 1, all are.
    Edge cases: People judge places of the text (`expected_boundaries`: `at`, `sensible`). A
        chunker's cuts are where its chunks begin and end, less the ends of the document; white
        space at a cut does not count, so `at` may stand anywhere in it. A label at a place where
        this chunker does not cut says nothing of it and is counted as `elsewhere`; where all are,
        the document is not applicable. A place that was judged several times counts as sensible if
        most say so, and not if they are even. Labels are a sample: of another chunker's cuts, draw
        a new one.
    Not to be confused with: `chunking.structure_intact`, which needs no labels and sees only
        tables, lists and numbered sections.
    References: human labels of a sample of cuts; no published figure is known.

    Example:
        >>> from ragproof.core import Boundary, Chunk, Document, DocumentCase, Observation
        >>> labels = (Boundary(at=4, sensible=True), Boundary(at=7, sensible=False))
        >>> case = DocumentCase(
        ...     id="d", document=Document(text="One. Two."), expected_boundaries=labels
        ... )
        >>> chunks = (Chunk(id="1", text="One."), Chunk(id="2", text="Two."))
        >>> run = CaseRun(case, Observation(case_id="d", chunks=chunks))
        >>> BoundaryQuality().score(run).value
        1.0
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(CHUNKS, BOUNDARIES, CUT_TEXT),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look each judged place up among the cuts."""
        chunks, labels, text = run[CHUNKS], run[BOUNDARIES], run[CUT_TEXT]
        placed = cuts(chunks, Whereabouts(text))
        made = _boundaries(placed, text)
        votes: dict[int, list[bool]] = {}
        for one in labels:
            votes.setdefault(_onward(text, one.at), []).append(one.sensible)
        judged = {at: 2 * sum(said) > len(said) for at, said in votes.items() if at in made}
        evidence = {
            **account(chunks, placed),
            "cuts": len(made),
            "senseless": sorted(at for at, is_sensible in judged.items() if not is_sensible),
            "elsewhere": len(votes) - len(judged),
        }
        if not judged:
            raise DoesNotArise("no cut of this chunker was judged", evidence)
        return Scored(sum(judged.values()) / len(judged), evidence, weight=len(judged))


def _boundaries(placed: Sequence[Cut], text: str) -> set[int]:
    """Where chunks begin and end, less the ends of the text; each moved over white space."""
    ends = {_onward(text, at) for cut in placed for at in (cut.start, cut.end)}
    return ends - {_onward(text, 0), len(text)}


def _onward(text: str, at: int) -> int:
    """The next place that is no white space."""
    while at < len(text) and text[at].isspace():
        at += 1
    return min(at, len(text))
