"""The first line of a key, as a draw of nothing writes it."""

from __future__ import annotations

from typing import Any

from ragproof.datasets.review_queue import KeyHead


def head(**more: Any) -> KeyHead:
    """Ten answers of traffic, and what is said otherwise."""
    usual: dict[str, Any] = {
        "run": "r1",
        "drawn_at": "2026-11-30T00:00:00+00:00",
        "seed": 0,
        "traffic": 10,
        "unanswered": 0,
        "drawn_before": 0,
        "other_strata": 0,
        "strata": (),
        "reviewers": ("ada",),
        "overlap": 0.0,
    }
    return KeyHead(**{**usual, **more})
