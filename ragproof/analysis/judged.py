"""What a record says of the judge itself."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from ragproof.core.outcome import Status
from ragproof.core.record import RunRecord
from ragproof.text.counting import counted


def mute_judge(record: RunRecord) -> str | None:
    """Why a configured judge gave no usable reply at all; None when it gave any or none was due.

    A run whose judge is dead has figures that are missing, not figures that are bad.
    """
    asked = set(record.header.prompt_hashes)
    reasons: Counter[str] = Counter()
    for key, column in record.columns.items():
        failed = column.status == Status.JUDGE_ERROR
        answered = (column.status == Status.SCORED) | (column.status == Status.NOT_APPLICABLE)
        if answered.any() and (key in asked or failed.any()):
            return None
        reasons.update(column.reasons[at] or "" for at in np.flatnonzero(failed).tolist())
    return _told(reasons) if reasons else None


def unjudged(record: RunRecord) -> list[str]:
    """Say of which metrics nothing was scored while the judge failed, those of one cause together.

    Others may have had replies, so that the run as a whole was judged.
    """
    by_cause: defaultdict[str, list[str]] = defaultdict(list)
    for key, column in sorted(record.columns.items()):
        failed = column.status == Status.JUDGE_ERROR
        if failed.any() and not (column.status == Status.SCORED).any():
            reasons = Counter(column.reasons[at] or "" for at in np.flatnonzero(failed).tolist())
            times = counted(reasons.total(), "time")
            by_cause[f"the judge failed {times}: {_told(reasons)}"].append(key)
    return [f"{', '.join(keys)}: nothing was scored; {why}" for why, keys in by_cause.items()]


def _told(reasons: Counter[str]) -> str:
    """The most frequent."""
    return reasons.most_common(1)[0][0].removeprefix("judge: ")
