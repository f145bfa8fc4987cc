"""What was measured of an index as JSON documents."""

from __future__ import annotations

import json
import math
from typing import Any

from ragproof.index.advice import Measured, Study, frontier
from ragproof.index.freshness import Freshness
from ragproof.index.news import News
from ragproof.index.staleness import Staleness
from ragproof.index.tune import FILTERS, Tuned
from ragproof.index.verdict import IndexRecall, QueryRecall


def recall_json(found: IndexRecall) -> str:
    """Write the recall of an index and of each query; ASCII only."""
    return _written(
        {
            "verdict": found.verdict,
            "recall": found.mean,
            "ci95": _ends(found.ends),
            "interval": found.interval,
            "min_recall": found.least,
            "k": found.k,
            "metric": found.distance,
            "filtered": found.filtered,
            "vectors": {
                "source": found.source,
                "number": found.vectors,
                "dimensions": found.dimensions,
            },
            "results": found.results,
            "queries": len(found.queries),
            "scored": found.scored,
            "errors": found.errors,
            "completion": found.completion,
            "absent": found.absent,
            "short": found.short,
            "per_query": [query_record(one) for one in found.queries],
        }
    )


def query_record(one: QueryRecall) -> dict[str, Any]:
    """One query in plain values."""
    return {
        "query_id": one.query_id,
        "recall": one.recall,
        "hits": one.hits,
        "wanted": one.wanted,
        "returned": one.found.returned,
        "repeated": one.found.repeated,
        "unknown": list(one.found.unknown),
        "missed": list(one.missed),
        "absent": one.found.absent,
        "error": one.found.error,
    }


def tune_json(study: Study) -> str:
    """Write every index and every point; ASCII only."""
    advised = study.advice
    chosen = study.plain[advised.chosen]
    return _written(
        {
            "k": study.k,
            "metric": study.distance,
            "min_recall": study.least,
            "vectors": {
                "source": study.source,
                "number": study.vectors,
                "dimensions": study.dimensions,
            },
            "queries": study.queries,
            "queries_without_eligible": study.without_eligible,
            "machine": study.machine,
            "versions": dict(study.versions),
            "filters": {name: FILTERS[name] for name in study.versions if study.filtered},
            "threads": 1,
            "passes": study.repeats,
            "recommended": {
                "index": chosen.point.setting.name,
                "ground": advised.ground,
                "speed_up": study.speed_up(advised.chosen),
                **_point(chosen),
                "filtered": _optional(study.under_filters(advised.chosen)),
            },
            "indexes": [_tuned(study, one) for one in study.tuned],
            "frontier": [
                {"index": one.point.setting.name, **_point(one)}
                for one, is_on in zip(study.plain, frontier(study.plain), strict=True)
                if is_on
            ],
        }
    )


def freshness_json(news: News) -> str:
    """Write lags and stale share; a lag without end is null, beside the count of such ones."""
    return _written(
        {
            "verdict": news.verdict,
            "failures": list(news.failures),
            "gaps": list(news.gaps),
            "source": news.source or None,
            "wrote_to_index": news.was_live,
            "documents": None if news.lags is None else _lags(news.lags),
            "unmeasured": [
                {"document_id": one.document_id, "reason": one.reason} for one in news.lost
            ],
            "stale": None if news.stale is None else _stale(news.stale),
            "per_document": [
                {
                    "document_id": one.document_id,
                    "lag_seconds": _finite(one.lag),
                    "uncertain_seconds": one.uncertain,
                    "waited_seconds": one.waited,
                }
                for one in news.arrivals
            ],
        }
    )


def _tuned(study: Study, one: Tuned) -> dict[str, Any]:
    effort = one.setting.kind.effort
    return {
        "index": one.setting.name,
        "library": one.setting.library,
        "kind": one.setting.kind,
        "params": one.setting.params,
        "effort": effort,
        "build_cpu_seconds": one.seconds,
        "bytes": one.bytes,
        "settled_at": None if one.settled is None else one.points[one.settled].effort,
        "still_rising": one.settled is None,
        "graph_recall": one.graph_recall,
        "points": [_point(each) for each in study.plain if each.point.setting == one.setting],
        "filtered_settled_at": (
            None if one.filtered_settled is None else one.filtered[one.filtered_settled].effort
        ),
        "filtered_points": [
            _point(each) for each in study.filtered if each.point.setting == one.setting
        ],
    }


def _point(one: Measured) -> dict[str, Any]:
    return {
        "effort": one.point.effort,
        "recall": one.mean,
        "ci95": _ends(one.ends),
        "qps": one.point.qps,
        "qps_range": [min(one.point.speeds), max(one.point.speeds)],
    }


def _optional(one: Measured | None) -> dict[str, Any] | None:
    return None if one is None else _point(one)


def _lags(lags: Freshness) -> dict[str, Any]:
    return {
        "number": len(lags.arrivals),
        "never": lags.never,
        "p50_seconds": lags.p50,
        "p99_seconds": lags.p99,
        "p50_of_all_seconds": _finite(lags.p50_of_all),
        "p99_of_all_seconds": _finite(lags.p99_of_all),
        "max_seconds": _finite(lags.greatest),
    }


def _stale(stale: Staleness) -> dict[str, Any]:
    return {
        "queries": stale.queries,
        "stale": stale.stale,
        "current": stale.current,
        "share": stale.share,
        "share_limits": list(stale.limits),
        "without_version": stale.unversioned,
        "unlisted_version": stale.unlisted,
        "before_first_version": stale.before,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _ends(ends: tuple[float, float] | None) -> list[float] | None:
    return None if ends is None else list(ends)


def _written(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)
