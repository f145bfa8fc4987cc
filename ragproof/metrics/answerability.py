"""Whether a question should have been declined."""

from __future__ import annotations

from ragproof.core import CaseKind, CaseRun
from ragproof.core.needs import ANSWERABLE


def should_abstain(run: CaseRun) -> bool:
    """The case is unanswerable, or what its answer was to rest on does not permit one."""
    return run.case.kind is CaseKind.UNANSWERABLE or run.get(ANSWERABLE) is False
