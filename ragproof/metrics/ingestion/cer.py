"""ingestion.cer"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_TEXT, PARSED
from ragproof.metrics.parsed_text import check_form, texts
from ragproof.text.edits import edits, is_exact


@dataclass(frozen=True)
class Cer(PureMetric[CaseRun]):
    """Character edits from the reference to the parsed text, per reference character.

    Question: How much of the text did parsing spoil?
    Formula: (substitutions + deletions + insertions) / reference characters
    Range: 0, identical, upwards; above 1 where more was inserted than there was.
    Edge cases: An empty reference is not applicable; the inserted characters are evidence. Over a
        set it is micro: the sum of edits over the sum of reference characters. A character is a
        code point: a letter and its accent are one or two of them, and `form` (NFC, NFKC, NFD,
        NFKD) makes them alike before they are compared; by default nothing is changed but white
        space at the ends. Of texts that differ over more than 100,000 characters a side the edits
        are counted piece by piece, which can only count too many; the evidence then says so.
    Not to be confused with: `ingestion.wer`, which counts words. There is no limit that is right
        for all: find that of each document class from the answers it costs.
    References: Morris et al., Interspeech 2004; jiwer `cer`.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> case = DocumentCase(id="d", document=Document(path="d.pdf"), expected_text="moon")
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="m00n")))
        >>> Cer().score(run).value
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
        reference, parsed = texts(run, self.form)
        changed = edits(reference, parsed)
        evidence = {
            "edits": changed,
            "characters": len(reference),
            "exact": is_exact(reference, parsed),
        }
        return Scored(changed / len(reference), evidence, weight=len(reference))
