"""ingestion.invisible_characters"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import PARSED
from ragproof.text.invisible import invisible


@dataclass(frozen=True)
class InvisibleCharacters(PureMetric[CaseRun]):
    r"""Invisible characters in the parsed text of a document.

    Question: Are words cut, hidden or marked by characters that nobody sees?
    Formula: number of code points with the Unicode property Default_Ignorable_Code_Point
    Range: 0 upwards.
    Edge cases: The evidence counts each code point. `ignore` lists those that are welcome, as in
        `U+200C U+200D` for Persian or `U+FE0F U+200D` for emoji.
    Not to be confused with: `ingestion.nfkc_identity`, which does not see them; control characters
        such as U+0000, which are not of this property.
    References: Unicode Standard, 5.21, Ignoring Characters in Processing; DerivedCoreProperties.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> case = DocumentCase(id="d", document=Document(path="d.pdf"))
        >>> run = CaseRun(case, Observation(case_id="d", parsed=Parsed(text="re\u00adtrieval")))
        >>> InvisibleCharacters().score(run).evidence
        {'code_points': {'U+00AD': 1}}
    """

    ignore: str = ""

    spec = Spec(unit=Unit.COUNT, better=Better.LOWER, needs=(PARSED,), kinds=DOCUMENTS)

    def __post_init__(self) -> None:
        for one in self.ignore.split():
            if not (one.startswith("U+") and one[2:].isalnum() and one == one.upper()):
                raise ValueError(f"ignore must list code points as U+200D U+FE0F, got {one!r}")

    def score(self, run: CaseRun, /) -> Scored:
        """Count them."""
        welcome = set(self.ignore.split())
        found = invisible(run[PARSED].text)
        counted: dict[str, Json] = {one: n for one, n in found.items() if one not in welcome}
        total = sum(n for one, n in found.items() if one not in welcome)
        return Scored(total, {"code_points": counted})
