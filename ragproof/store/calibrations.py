"""What judges were found to be worth: the newest calibration of each metric."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from ragproof.core import Json
from ragproof.store import codec
from ragproof.store.schema import calibrations, escaped


def keep(connection: Connection, judge: str, found: Sequence[Mapping[str, Json]]) -> None:
    """Keep figures, each with its `metric` and `condition`, in place of what was there of them."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    for one in found:
        key = {
            "fingerprint": escaped(judge),
            "metric": escaped(str(one["metric"])),
            "condition": escaped(str(one["condition"])),
        }
        same = [calibrations.c[name] == value for name, value in key.items()]
        connection.execute(delete(calibrations).where(*same))
        row = {**key, "measured_at": now, "figures": codec.write_json(dict(one))}
        connection.execute(insert(calibrations), row)


def kept(connection: Connection, judge: str) -> list[dict[str, Any]]:
    """The figures of a judge, with when they were measured, in order of metric and condition."""
    of = calibrations.c
    asked = select(calibrations).where(of.fingerprint == escaped(judge))
    rows = connection.execute(asked.order_by(of.metric, of.condition)).all()
    return [{**json.loads(row.figures), "measured_at": row.measured_at} for row in rows]
