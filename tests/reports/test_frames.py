"""A run as a data frame, of a package that may not be there."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from hand_made import case, column, declared, record
from shown import shown_record

from ragproof.core import UsageError
from ragproof.core.outcome import Skipped
from ragproof.core.record import RunRecord
from ragproof.core.subject import Level
from ragproof.reports.frames import columns, frame


def tagged() -> RunRecord:
    rows = [case("a", tags={"intent": "refund"}), case("b", group="g")]
    of_set = declared("generation.calibration", level=Level.SET)
    return record(
        rows,
        {
            "retrieval.mrr": column(declared("retrieval.mrr"), [0.5, Skipped("no ids")]),
            of_set.id: column(of_set, [0.1], subjects=("run",)),
        },
    )


def test_one_row_a_case_and_metric_with_status_value_reason_and_tags() -> None:
    found = columns(tagged())
    assert found["metric"] == ["generation.calibration", "retrieval.mrr", "retrieval.mrr"]
    assert found["level"] == ["set", "case", "case"]
    assert found["case_id"] == ["run", "a", "b"]
    assert found["status"] == ["scored", "scored", "skipped"]
    assert found["value"] == [0.1, 0.5, None]
    assert found["reason"] == [None, None, "no ids"]
    assert found["tags.intent"] == [None, "refund", None]
    assert found["group"] == [None, None, "g"]
    assert len({len(one) for one in found.values()}) == 1


def test_a_frame_is_made_by_the_package_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Frame:
        def __init__(self, data: dict[str, list[Any]]) -> None:
            self.data = data

    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(DataFrame=Frame))
    assert frame(tagged(), "polars").data == columns(tagged())


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_package_that_is_not_there_is_named(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, kind, None)
    with pytest.raises(UsageError, match=f"Install it: pip install {kind}"):
        frame(tagged(), kind)


def test_another_package_is_refused() -> None:
    with pytest.raises(UsageError, match="kind: got 'arrow'; allowed: pandas, polars"):
        frame(tagged(), "arrow")  # type: ignore[arg-type]


def test_pandas_has_a_missing_value_where_there_is_no_score() -> None:
    pandas = pytest.importorskip("pandas")
    found = frame(shown_record())
    assert isinstance(found, pandas.DataFrame)
    assert len(found) == 5 * len(shown_record().columns)
    lost = found[(found.metric == "retrieval.recall_at_k") & (found.case_id == "pump-02")]
    assert lost.status.item() == "error"
    assert math.isnan(lost.value.item())
    means = found.groupby("metric").value.mean()
    assert means["retrieval.recall_at_k"] == pytest.approx(2 / 3)


def test_polars_has_a_null_where_there_is_no_score() -> None:
    polars = pytest.importorskip("polars")
    found = frame(shown_record(), "polars")
    assert isinstance(found, polars.DataFrame)
    assert found["value"].null_count() == sum(one != "scored" for one in found["status"])
