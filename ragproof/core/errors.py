"""Every exception the package raises on purpose, as one tree.

* RagproofError
  + UsageError          the caller's input is wrong; exit code 3
    - UnknownMetric
  + RunError            the run could not go on; exit code 2
    - StoreError        the store cannot be read or written
    - OverBudget
  + AdapterError        the pipeline gave no usable observation of this case
  + JudgeError          the judge gave no usable reply, the repair included
    - UselessReply      it did reply, and neither the reply nor its repair can be used
  + ModelError          a local model gave no usable score of this case
  + ReadingError        what was to be read of the answer could not be; becomes its Failed
* Absent                not an error: there is nothing to score here
  + MissingInput        becomes Skipped
  + WrongKind           becomes Skipped
  + DoesNotArise        becomes NotApplicable
"""

from __future__ import annotations

from collections.abc import Mapping

from ragproof.core.outcome import Failed, Json


class RagproofError(Exception):
    """Base of all deliberate failures."""


class UsageError(RagproofError):
    """The caller's input is wrong. Maps to exit code 3."""


class UnknownMetric(UsageError):
    """Nothing carries this metric id."""


class RunError(RagproofError):
    """A run could not go on. Maps to exit code 2."""


class StoreError(RunError):
    """The store cannot be read or written."""


class OverBudget(RunError):
    """The next judge call could pass the budget."""


class AdapterError(RagproofError):
    """The pipeline gave no usable observation of a case; the message says what it gave."""


class JudgeError(RagproofError):
    """The judge gave no usable reply."""


class UselessReply(JudgeError):
    """The judge replied, and neither the reply nor its repair can be used."""


class ModelError(RagproofError):
    """A local model gave no usable score."""


class ReadingError(RagproofError):
    """A reading failed, and with it all that needs it."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.message)
        self.failed = failed


class Absent(Exception):
    """There is nothing to score on this subject."""


class MissingInput(Absent):
    """An input that the metric needs is absent."""


class WrongKind(Absent):
    """The case is of a kind that the metric does not cover."""


class DoesNotArise(Absent):
    """The inputs are there, but the question does not arise."""

    def __init__(self, reason: str, evidence: Mapping[str, Json] | None = None) -> None:
        super().__init__(reason)
        self.evidence = evidence or {}
