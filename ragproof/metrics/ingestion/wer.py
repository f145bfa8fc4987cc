"""ingestion.wer"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_TEXT, PARSED
from ragproof.metrics.parsed_text import check_form, texts
from ragproof.text.edits import edits, is_exact


@dataclass(frozen=True)
class Wer(PureMetric[CaseRun]):
    """Word edits from the reference to the parsed text, per reference word.

    Question: How many words did parsing spoil?
    Formula: (substituted + deleted + inserted words) / reference words
    Range: 0, identical, upwards; above 1 where more was inserted than there was.
    Edge cases: Words are what white space parts, every letter and sign of them compared; languages
        that are written without blanks need `ingestion.cer`. An empty reference is not applicable.
        Over a set it is micro: the sum of edits over the sum of reference words. `form` and very
        long texts: as `ingestion.cer`.
    Not to be confused with: `ingestion.cer`; one wrong letter spoils a whole word here.
    References: Morris et al., Interspeech 2004; jiwer `wer`.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> case = DocumentCase(id="d", document=Document(path="d.pdf"), expected_text="two moons")
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="two m00ns")))
        >>> Wer().score(run).value
        0.5
    """

    form: str = ""

    spec = Spec(
        unit=Unit.RATIO,
        better=Better.LOWER,
        needs=(EXPECTED_TEXT, PARSED),
        kinds=DOCUMENTS,
        pool=Pool.RATIO,
    )

    def __post_init__(self) -> None:
        check_form(self.form)

    def score(self, run: CaseRun, /) -> Scored:
        """Count the edits."""
        reference, parsed = (text.split() for text in texts(run, self.form))
        changed = edits(reference, parsed)
        evidence = {
            "edits": changed,
            "words": len(reference),
            "exact": is_exact(reference, parsed),
        }
        return Scored(changed / len(reference), evidence, weight=len(reference))
