"""Chunks of which nobody says what document they are of: who is not blamed for their loss."""

from __future__ import annotations

from typing import Any

from test_gold_trace import Documents, only, ran

from ragproof.analysis.gold_sight import GoldStage
from ragproof.core.subject import SourceMatch


def test_the_filter_is_not_blamed_for_a_chunk_that_does_not_tell_its_document() -> None:
    """The filter let d1 through; that `d1-2` is a part of it the pipeline does not say."""
    told: dict[str, Any] = {"match": SourceMatch.CHUNK, "survivors": "d1 d2"}
    lost = only(ran(["d1-2"], candidates="d2-1", **told))
    assert lost.lost_at is GoldStage.RETRIEVAL
    assert GoldStage.FILTER in lost.not_observed
    assert lost.open_to == (GoldStage.CORPUS, GoldStage.CHUNKING, GoldStage.FILTER)
    # named by a later stage, it is no contradiction that the survivors do not name it
    kept = only(ran(["d1-2"], candidates="d1-2 d2-1", context="d1-2", **told))
    assert (kept.lost_at, kept.sources[0].disputed) == (None, ())
    again = only(ran(["d1-2"], candidates="d2-1", reranked="d2-1 d1-2", context="d2-1", **told))
    assert again.lost_at is GoldStage.CONTEXT
    assert again.sources[0].disputed == (GoldStage.RETRIEVAL,)
    # one document that is a single chunk of its name does not make documents of all chunks
    mixed = only(ran(["d1-2"], candidates="d2 d3-1", **{**told, "survivors": "d1 d2 d3"}))
    assert mixed.lost_at is GoldStage.RETRIEVAL


def test_neither_is_the_corpus() -> None:
    corpus, chunk = Documents("d1", "d2"), SourceMatch.CHUNK
    lost = only(ran(["d1-2"], retrieved="d2-1", match=chunk), corpus=corpus)
    assert lost.lost_at is GoldStage.RETRIEVAL
    lost = only(ran(["d3"], retrieved="d2", match=chunk), corpus=corpus)
    assert lost.lost_at is GoldStage.CORPUS


def test_a_filter_that_lets_nothing_through_lost_every_chunk() -> None:
    case = only(ran(["d1-2"], match=SourceMatch.CHUNK, survivors="", candidates=""))
    assert case.lost_at is GoldStage.FILTER
