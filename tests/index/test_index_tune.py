"""The sweep: with an index of our own whose recall is known, and with the real ones."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree

import numpy as np
import pytest
from index_files import array, asked, document, lines, refused

from ragproof.core import UsageError
from ragproof.core.record import Floats
from ragproof.index.advice import Ground, Measured, advice, frontier
from ragproof.index.exact import Distance, exact
from ragproof.index.recall import Truth
from ragproof.index.settings import Grid, Kind, Setting, cells, rungs
from ragproof.index.tune import Point, Task, Tuned, tune
from ragproof.index.vectors import Places, Values, Vectors
from ragproof.wiring.index_tuning import improves

HAS = {name: find_spec(name) is not None for name in ("faiss", "usearch")}
real = pytest.mark.skipif(not any(HAS.values()), reason="the extra `ann` is not installed")
K = 4


class Line:
    """An index that looks at the rows before `effort` and at no more than `most`."""

    bytes = 10

    def __init__(self, values: Values, most: int) -> None:
        self.values, self.most = values, most

    def prepared(self, allowed: Places) -> object:
        return allowed

    def search(self, query: Values, k: int, effort: int | None, allowed: object) -> Places:
        rows = np.arange(min(effort or len(self.values), self.most))
        if isinstance(allowed, np.ndarray):
            rows = rows[np.isin(rows, allowed)]
        near = ((self.values[rows] - query) ** 2).sum(axis=1)
        found = rows[np.argsort(near, kind="stable")][:k]
        return np.pad(found, (0, k - found.size), constant_values=-1)


def tuned(most: int, grid: Grid, *, rows: int = 200) -> list[Tuned]:
    draw = np.random.default_rng(7)
    some = Vectors.of(draw.standard_normal((rows, 3)).astype(np.float32), "here")
    queries = Vectors.of(draw.standard_normal((60, 3)).astype(np.float32), "there")
    found = exact(some, queries, Distance.L2, max(K, *grid.m))
    task = Task(
        truth=Truth(some, queries, Distance.L2, found),
        k=K,
        filtered=None,
        repeats=1,
        improves=improves,
        build=lambda _setting, values, _distance: Line(values, most),
    )
    return list(tune(task, grid))


def test_effort_is_raised_until_recall_stops_improving() -> None:
    flat, graph = tuned(64, Grid(libraries=("usearch",), m=(16,), ef_construction=(100,)))
    assert flat.setting.kind is Kind.FLAT
    assert [one.effort for one in graph.points] == [16, 32, 64, 128, 200]
    assert graph.settled == 2
    assert graph.points[2].mean == graph.points[4].mean < 1


def test_vectors_whose_distances_no_32_bit_float_holds_are_refused() -> None:
    far = Vectors.of(np.array([[1.0, 0.0], [3e18, 4e18]]), "far")
    task = Task(
        truth=Truth(far, far, Distance.L2, exact(far, far, Distance.L2, 1)),
        k=1,
        filtered=None,
        repeats=1,
        improves=improves,
        build=lambda _setting, values, _distance: Line(values, 2),
    )
    with pytest.raises(UsageError, match=r"^far: row 1 \(from 0\) has the length 5e\+18; allowed"):
        list(tune(task, Grid(libraries=("usearch",))))


def test_recall_that_still_rises_at_the_last_is_said_to() -> None:
    grid = Grid(libraries=("usearch",), m=(16,), ef_construction=(100,), last_ef=64)
    graph = tuned(200, grid)[1]
    assert [one.effort for one in graph.points] == [16, 32, 64]
    assert graph.settled is None


def test_the_graph_is_checked_with_as_much_effort_as_it_was_built_with() -> None:
    grid = Grid(libraries=("usearch",), m=(16,), ef_construction=(100, 200))
    _, poor, good = tuned(200, grid)
    assert poor.graph_recall == pytest.approx(0.5, abs=0.1)
    assert good.graph_recall == 1.0


def test_the_starting_values_are_those_of_the_specification() -> None:
    grid = Grid(libraries=("faiss", "usearch"))
    found = list(grid.settings(10_000))
    assert {one.m for one in found if one.kind is Kind.HNSW} == {16, 32}
    assert {one.ef_construction for one in found if one.kind is Kind.HNSW} == {100, 200}
    assert [one.nlist for one in found if one.kind is Kind.IVF] == [400, 800, 1600]
    assert cells(4) == (4,)
    assert rungs(1, 1) == (1,)
    assert rungs(8, 33) == (8, 16, 32, 33)


def test_an_improvement_has_to_be_shown() -> None:
    before = np.full(60, 0.8)
    luck = before.copy()
    luck[0], luck[1] = 1.0, 0.7
    assert not improves(before, luck)
    assert not improves(before, before)
    assert improves(before, before + 0.1)
    wide = before.copy()
    wide[:40] += 0.1
    assert improves(before, wide)
    assert not improves(wide, before)
    assert not improves(np.array([np.nan]), np.array([1.0]))


def measured(recall: float, qps: float, ends: tuple[float, float] | None = None) -> Measured:
    setting = Setting(library="faiss", kind=Kind.HNSW)
    values: Floats = np.array([recall])
    return Measured(Point(setting=setting, effort=1, recall=values, speeds=(qps,)), ends, 1)


def test_the_frontier_holds_what_nothing_beats() -> None:
    points = [measured(0.9, 100), measured(0.95, 50), measured(0.94, 40), measured(0.9, 90)]
    assert frontier(points) == (True, True, False, False)


def test_the_fastest_that_surely_reaches_the_least_is_advised() -> None:
    points = [
        measured(0.96, 100, (0.94, 0.98)),
        measured(0.97, 50, (0.96, 0.98)),
        measured(0.9, 500, (0.89, 0.91)),
    ]
    assert (advice(points, 0.95).chosen, advice(points, 0.95).ground) == (1, Ground.INTERVAL)
    assert (advice(points[::2], 0.95).chosen, advice(points[::2], 0.95).ground) == (0, Ground.MEAN)
    assert advice(points, 0.99).ground is Ground.HIGHEST


def test_a_missing_library_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragproof.index.tune.find_spec", MappingProxyType({}).get)
    vectors = array(tmp_path / "v.npy", np.eye(12))
    told = refused("tune", "--vectors", vectors, "--queries", vectors, "--library", "faiss")
    assert "faiss is not installed. Run: pip install 'ragproof[ann]'" in told
    assert "usearch or faiss" in refused("tune", "--vectors", vectors, "--queries", vectors)
    assert "allowed: whole numbers from 1" in refused("tune", "--m", "16,x")


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    draw = np.random.default_rng(3)
    rows = draw.standard_normal((600, 8))
    allowed = [str(row) for row in range(0, 600, 3)]
    queries = [{"query_id": at, "ids": allowed} for at in range(40)]
    return [
        *("--vectors", array(tmp_path / "v.npy", rows)),
        *("--queries", array(tmp_path / "q.npy", draw.standard_normal((40, 8)))),
        *("--filter", lines(tmp_path / "f.jsonl", queries)),
        *("--m", "8", "--ef-construction", "40", "--passes", 1),
    ]


@real
@pytest.mark.parametrize("distance", ["cosine", "ip", "l2"])
def test_real_indexes_are_held_to_exact_search(distance: str, files: list[object]) -> None:
    found = document("tune", *files, "--metric", distance)
    flat = [one for one in found["indexes"] if one["kind"] == "flat"]
    assert [one["points"][0]["recall"] for one in flat] == [1.0] * len(flat)
    assert [one["filtered_points"][0]["recall"] for one in flat] == [1.0] * len(flat)
    graphs = [one for one in found["indexes"] if one["kind"] == "hnsw"]
    for one in graphs:
        recalls = [point["recall"] for point in one["points"]]
        assert recalls[-1] > 0.95
        assert one["graph_recall"] > 0.9
        assert one["bytes"] > 600 * 8 * 4
    cells = [one for one in found["indexes"] if one["kind"] == "ivf"]
    assert [one["points"][-1]["recall"] for one in cells] == [1.0] * len(cells)
    again = document("tune", *files, "--metric", distance)
    strip = [[p["recall"] for p in one["points"]] for one in found["indexes"]]
    assert strip == [[p["recall"] for p in one["points"]] for one in again["indexes"]]


@pytest.mark.parametrize("kind", [Kind.FLAT, Kind.HNSW])
@pytest.mark.parametrize("every", [1, 3, 60, 400, 2000])
@pytest.mark.skipif(not HAS["usearch"], reason="usearch is not installed")
def test_what_a_filter_allows_is_found_however_rare_it_is(kind: Kind, every: int) -> None:
    from ragproof.index.usearch_index import UsearchIndex  # noqa: PLC0415  an extra

    draw = np.random.default_rng(5)
    rows = draw.standard_normal((1000, 8)).astype(np.float32)
    setting = Setting(library="usearch", kind=kind, m=16, ef_construction=100)
    index = UsearchIndex(setting, rows, Distance.L2)
    allowed = np.arange(every - 1, 1000, every)
    wanted = min(K, allowed.size)
    prepared = index.prepared(allowed)
    hits = 0
    for query in draw.standard_normal((50, 1, 8)).astype(np.float32):
        found = index.search(query, K, None if kind is Kind.FLAT else 16, prepared)
        near = ((rows[allowed] - query) ** 2).sum(axis=1)
        best = allowed[np.argsort(near, kind="stable")][:wanted]
        assert (found[wanted:] == -1).all()
        assert np.isin(found[:wanted], allowed).all()
        hits += np.isin(best, found).sum()
    assert hits >= (1.0 if kind is Kind.FLAT else 0.95) * 50 * wanted


@real
def test_it_is_said_when_each_library_looks_at_a_filter(files: list[object]) -> None:
    asked_for = ["tune", *files, "--index", "hnsw"]
    found = document(*asked_for)
    assert found["filters"].keys() == {name for name, there in HAS.items() if there}
    told = " ".join(asked(*asked_for).stdout.split())
    for name, way in found["filters"].items():
        assert f"{name} filtered {way}" in told
    assert document("tune", *files[:4], *files[6:], "--index", "hnsw")["filters"] == {}


@real
def test_the_page_and_the_drawing_name_the_machine_and_the_reason(
    files: list[object], tmp_path: Path
) -> None:
    told = asked("tune", *files, "--index", "hnsw", "--svg", tmp_path / "f.svg")
    assert told.exit_code == 0
    assert "one thread, queries one by one" in told.stdout
    assert "It is the fastest" in told.stdout
    assert "With filters its recall is" in told.stdout
    assert max(map(len, told.stdout.splitlines())) <= 80
    drawn = ElementTree.fromstring((tmp_path / "f.svg").read_text(encoding="utf-8"))
    assert drawn.tag.endswith("svg")
