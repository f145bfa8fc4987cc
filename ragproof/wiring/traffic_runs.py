"""Which runs are of production traffic: what may say how production does."""

from __future__ import annotations

from ragproof.core import RunHeader, UsageError
from ragproof.core.header import Mode
from ragproof.store.open import RunStore
from ragproof.wiring.looking import Looking

RECORDED = "recorded"
MEANING = (
    "A run of traffic replays what was recorded (--recorded) of cases of the split `monitoring` "
    "that say when they were asked, as `ragproof monitor import` writes them, or was made with "
    "--mode online"
)


def is_traffic(store: RunStore, header: RunHeader) -> bool:
    """Whether a run is of answers that users were given, not of answers to a test."""
    if header.mode is Mode.ONLINE:
        return True
    return header.adapter.type == RECORDED and store.is_of_traffic(header.id)


def traffic_run(looking: Looking) -> RunHeader:
    """The newest run of traffic; UsageError that says what there is where there is none."""
    looking.store.find("latest", looking.project)  # says what there is where there is no run
    for info in looking.store.runs(looking.project):
        if is_traffic(looking.store, info.header):
            return info.header
    where = "the store" if looking.project is None else f"project {looking.project!r}"
    raise UsageError(f"No run in {where} is of traffic. {MEANING}")
