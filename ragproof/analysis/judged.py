"""What a record says of the judge itself."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ragproof.core.outcome import Status
from ragproof.core.record import RunRecord


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
    return reasons.most_common(1)[0][0].removeprefix("judge: ") if reasons else None
