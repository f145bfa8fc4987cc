"""ingestion.confusables"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import DOCUMENTS, Better, CaseRun, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import PARSED
from ragproof.metrics.parameters import one_of
from ragproof.text.lookalikes import lookalikes

POLICIES = ("mixed", "latin")
SHOWN = 20


@dataclass(frozen=True)
class Confusables(PureMetric[CaseRun]):
    r"""Words of the parsed text in which a letter of another script passes for a Latin one.

    Question: Are there words that look right and that no search will find?
    Formula: number of words that have both Latin letters and look-alikes of another script
    Range: 0 upwards.
    Edge cases: A word of one script is right, whatever it looks like. With `policy: latin` all text
        is meant to be Latin, and a single look-alike makes a word count. The evidence has the first
        words and how often each occurs. The look-alikes are a list of some 250 letters, not
        Unicode's full one.
    Not to be confused with: `ingestion.nfkc_identity`, which does not see them.
    References: Unicode Technical Standard 39, Unicode Security Mechanisms, mixed-script
        confusables.

    Example:
        >>> from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
        >>> from ragproof.core.case import Document
        >>> case = DocumentCase(id="d", document=Document(path="d.pdf"))
        >>> mixed = Parsed(text="p\u0430yment \u043c\u043e\u0440\u0435")
        >>> run = CaseRun(case, Observation(case_id="d", parsed=mixed))
        >>> Confusables().score(run).value, Confusables(policy="latin").score(run).value
        (1.0, 2.0)
    """

    policy: str = "mixed"

    spec = Spec(unit=Unit.COUNT, better=Better.LOWER, needs=(PARSED,), kinds=DOCUMENTS)

    def __post_init__(self) -> None:
        one_of("policy", self.policy, POLICIES)

    def score(self, run: CaseRun, /) -> Scored:
        """Count the words."""
        found = lookalikes(run[PARSED].text, latin_only=self.policy == "latin")
        words: dict[str, Json] = dict(found.most_common(SHOWN))
        return Scored(found.total(), {"words": words})
