"""Prove that a RAG pipeline works, find where it fails, stop CI when it gets worse.

    result = ragproof.evaluate("dataset.jsonl", "my_rag.pipeline:build")
    ragproof.assert_gate(result, {"retrieval.recall_at_k": {"min": 0.85}})

What is named here is stable; `docs/python.md` shows it at work. Nothing of it is imported before
it is asked for.
"""

from importlib import import_module

TYPE_CHECKING = False  # of `typing`, which takes longer to import than all else here
if TYPE_CHECKING:
    from ragproof.api.decisions import Compared as Compared
    from ragproof.api.decisions import Gated as Gated
    from ragproof.api.evaluation import evaluate as evaluate
    from ragproof.api.evaluation import evaluate_async as evaluate_async
    from ragproof.api.result import CaseResult as CaseResult
    from ragproof.api.result import Result as Result
    from ragproof.api.verdicts import assert_gate as assert_gate
    from ragproof.api.verdicts import compare as compare
    from ragproof.api.verdicts import gate as gate
    from ragproof.api.verdicts import list_metrics as list_metrics
    from ragproof.api.verdicts import open_run as open_run
    from ragproof.core.errors import OverBudget as OverBudget
    from ragproof.core.errors import RagproofError as RagproofError
    from ragproof.core.errors import RunError as RunError
    from ragproof.core.errors import StoreError as StoreError
    from ragproof.core.errors import UnknownMetric as UnknownMetric
    from ragproof.core.errors import UsageError as UsageError

__version__ = "0.1.0"

_HOMES = {
    "ragproof.api.decisions": ("Compared", "Gated"),
    "ragproof.api.evaluation": ("evaluate", "evaluate_async"),
    "ragproof.api.result": ("CaseResult", "Result"),
    "ragproof.api.verdicts": ("assert_gate", "compare", "gate", "list_metrics", "open_run"),
    "ragproof.core.errors": (
        *("OverBudget", "RagproofError", "RunError"),
        *("StoreError", "UnknownMetric", "UsageError"),
    ),
}
"""Module to the names that are offered from it."""
_HOME = {name: module for module, names in _HOMES.items() for name in names}

if not TYPE_CHECKING:  # a misspelt name is an error to those who check types

    def __getattr__(name: str) -> object:
        """Import a name from where it lives when it is first asked for."""
        if (module := _HOME.get(name)) is None:
            raise AttributeError(f"module 'ragproof' has no attribute {name!r}")
        found: object = getattr(import_module(module), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """List what is offered, imported or not."""
    return sorted({*globals(), *_HOME})
