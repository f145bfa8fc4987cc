"""What is shown of a metric."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.metrics.page import page


@dataclass(frozen=True)
class Wordless(PureMetric[CaseRun]):
    """Count nothing.

    And go on about it.
    """

    deep: bool = False

    spec = Spec(unit=Unit.COUNT, better=Better.NEITHER, needs=())

    def score(self, _run: CaseRun, /) -> Scored:
        return Scored(0.0)


def test_a_page_has_what_the_docstring_says_and_what_is_declared() -> None:
    shown = page("retrieval.recall_at_k")
    assert shown.declared.id == "retrieval.recall_at_k"
    assert shown.declared.params == {"k": 5}
    assert shown.reasons == (
        "adapter does not expose retrieval",
        "case has no expected_source_ids",
    )
    assert shown.sections["Formula"] == (
        "|relevant ∩ first k distinct retrieved sources| / |relevant|"
    )
    assert shown.sections["Example"].splitlines()[-1] == "0.5"


def test_a_users_docstring_need_not_have_the_sections() -> None:
    shown = page(f"{__name__}:Wordless")
    assert shown.summary == "Count nothing. And go on about it."
    assert shown.sections == {}
    assert shown.declared.params == {"deep": False}
