"""`ragproof rankings --fuse`: several run files become one."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from ranking_files import metrics, run_lines, scored, written

from ragproof.cli.rankings import command
from ragproof.core import UsageError
from ragproof.fusion import convex, rrf
from ragproof.rankings import lists as room
from ragproof.rankings.blocks import blocks
from ragproof.rankings.origin import Origin
from ragproof.rankings.whole import Whole

Run = dict[str, dict[str, float]]
DENSE = ["d3", "d7", "d1", "d4", "d2", "d9", "d10"]
SPARSE = ["d2", "d3", "d8", "d1", "d11", "d4", "d6"]


def falling(ids: Sequence[str]) -> dict[str, float]:
    return {one: float(len(ids) - at) for at, one in enumerate(ids)}


def runs(folder: Path, *all_runs: Run) -> list[str]:
    """The arguments that name these runs."""
    files = [written(folder / f"r{at}.trec", run_lines(one)) for at, one in enumerate(all_runs)]
    arguments = ["--run", str(files[0])]
    for file in files[1:]:
        arguments += ["--fuse", str(file)]
    return arguments


def fused(folder: Path, *all_runs: Run, options: Sequence[str] = ()) -> dict[str, dict[str, float]]:
    """Query to document to score, as the written run has them."""
    path = folder / "fused.trec"
    asked = [*runs(folder, *all_runs), "--fused", str(path), *options]
    told = CliRunner().invoke(command, asked, catch_exceptions=False)
    assert told.exit_code == 0, told.output
    return read(path)


def read(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, document, rank, score, _ = line.split(" ")
        ranked = found.setdefault(query, {})
        ranked[document] = float(score)
        assert int(rank) == len(ranked)
    return found


def refused(folder: Path, arguments: Sequence[str]) -> str:
    with pytest.raises(UsageError) as caught:
        CliRunner().invoke(command, arguments, catch_exceptions=False)
    return str(caught.value).replace(f"{folder}/", "")


def test_the_ten_scores_of_the_two_lanes_are_in_the_file(tmp_path: Path) -> None:
    found = fused(tmp_path, {"q": falling(DENSE)}, {"q": falling(SPARSE)})["q"]
    assert [(one, round(score, 6)) for one, score in found.items()] == [
        ("d3", 0.032522),
        ("d2", 0.031778),
        ("d1", 0.031498),
        ("d4", 0.030777),
        ("d7", 0.016129),
        ("d8", 0.015873),
        ("d11", 0.015385),
        ("d9", 0.015152),
        ("d10", 0.014925),
        ("d6", 0.014925),
    ]


def test_equal_scores_keep_the_order_of_first_appearance_for_whoever_reads_the_run(
    tmp_path: Path,
) -> None:
    found = fused(tmp_path, {"q": {"a": 1.0}}, {"q": {"z": 1.0}}, {"q": {"m": 1.0}})["q"]
    assert list(found) == ["a", "z", "m"]
    assert found["a"] == 1 / 61
    assert found["a"] > found["z"] > found["m"] > found["a"] * (1 - 1e-15)
    qrels = written(tmp_path / "q", ["q 0 a 1"])
    assert scored(qrels, tmp_path / "fused.trec", "--metric", "RR")["metrics"] == {"RR": 1.0}


def test_ties_in_a_run_are_ordered_as_they_are_when_it_is_scored(tmp_path: Path) -> None:
    found = fused(tmp_path, {"q": {"a": 1.0, "b": 1.0}}, {"q": {}})
    assert list(found["q"]) == ["b", "a"]


def test_weights_and_k_are_those_of_the_options(tmp_path: Path) -> None:
    lanes = [{"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 9.0}}]
    found = fused(
        tmp_path, *lanes, options=["--fusion", "rrf", "--weights", "2,0.5", "--rrf-k", "1"]
    )
    assert found["q"] == {"a": 2 / 2, "b": pytest.approx(2 / 3 + 0.5 / 2)}


def test_a_convex_combination_of_two_runs_by_hand(tmp_path: Path) -> None:
    lanes = [{"q": {"a": 0.98, "b": 0.90}}, {"q": {"b": 17.4, "c": 3.1}}]
    found = fused(tmp_path, *lanes, options=["--fusion", "convex"])
    assert found["q"] == pytest.approx({"a": 0.5, "b": 0.5, "c": 0.0})
    found = fused(tmp_path, *lanes, options=["--fusion", "convex", "--alpha", "0.25"])
    assert found["q"] == pytest.approx({"b": 0.75, "a": 0.25, "c": 0.0})
    scaled = ["--fusion", "convex", "--alpha", "1", "--normalise", "z-score"]
    assert fused(tmp_path, *lanes, options=scaled)["q"] == pytest.approx({"a": 1, "b": -1, "c": -1})


def test_a_query_that_a_run_lacks_has_the_others_list_and_is_counted(tmp_path: Path) -> None:
    arguments = runs(tmp_path, {"1": {"a": 1.0}, "2": {"b": 1.0}}, {"2": {"c": 1.0}})
    path = tmp_path / "fused.trec"
    told = CliRunner().invoke(command, [*arguments, "--fused", str(path), "--json"])
    assert json.loads(told.stdout)["fused"] == {
        "way": "rrf",
        "params": {"k": 60.0, "weights": [1.0, 1.0]},
        "runs": [
            {"path": str(tmp_path / "r0.trec"), "missing": 0},
            {"path": str(tmp_path / "r1.trec"), "missing": 1},
        ],
        "queries": 2,
        "documents": 3,
        "path": str(path),
    }
    assert read(path) == {"1": {"a": 1 / 61}, "2": {"b": 1 / 61, "c": pytest.approx(1 / 61)}}
    page = CliRunner().invoke(command, [*arguments, "--fused", str(path)]).stdout
    assert "2 queries, 3 documents; rrf, k 60, weights 1,1" in page
    assert "1 query missing (no vote)" in " ".join(page.split())


def test_the_fused_run_is_scored_and_held_against_one_of_its_own(tmp_path: Path) -> None:
    qrels = written(tmp_path / "qrels.trec", ["q 0 b 1"])
    arguments = runs(tmp_path, {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 2.0, "c": 1.0}})
    asked = [*arguments, "--qrels", str(qrels), "--against", arguments[1], *metrics(["RR"])]
    told = CliRunner().invoke(command, [*asked, "--json"], catch_exceptions=False)
    document = json.loads(told.stdout)
    assert (document["metrics"], document["against"]["metrics"]) == ({"RR": 1.0}, {"RR": 0.5})
    assert document["fused"]["path"] is None
    assert not list(tmp_path.glob("fused*"))
    page = " ".join(CliRunner().invoke(command, asked, catch_exceptions=False).stdout.split())
    assert "(fused): 3 documents for them" in page


def test_runs_of_other_formats_are_fused_into_a_trec_run(tmp_path: Path) -> None:
    table = written(tmp_path / "a.csv", ["qid,docno,score", "q,a,1"])
    lines = written(tmp_path / "b.jsonl", ['{"qid": "q", "pid": "b", "score": 2}'])
    path = tmp_path / "fused.trec"
    asked = ["--run", str(table), "--fuse", str(lines), "--fused", str(path)]
    assert CliRunner().invoke(command, asked, catch_exceptions=False).exit_code == 0
    assert path.read_bytes().startswith(b"q Q0 a 1 0.01639344262295082 rrf\nq Q0 b 2 0.016393")


TWICE = {"lines": ["1 Q0 a 1 2 t", "2 Q0 a 1 2 t", "2 Q0 b 1 2 t", "2 Q0 a 1 1 t"]}


@pytest.mark.parametrize(
    ("lines", "options", "told"),
    [
        (
            TWICE["lines"],
            [],
            "bad.trec:4: query '2', document 'a': the document is there twice, first on line 2.",
        ),
        (["1 Q0 a 1 nan t"], [], "bad.trec:1: query '1', document 'a': the score 'nan' is not"),
        (["1 Q0 a 1"], [], "bad.trec:1: 4 fields; a TREC run line has 6"),
        (
            ["1 Q0 b 1 1 t", "1 Q0 a 1 inf t"],
            ["--fusion", "convex"],
            "bad.trec:2: query '1', document 'a': the score inf has no place on a scale",
        ),
        (["1 Q0 a 1 1 t"], ["--weights", "1,2,3"], "2 lists need 2 weights, got 3"),
        (["1 Q0 a 1 1 t"], ["--weights", "1,-2"], "a weight must be a number of at least 0"),
        (["1 Q0 a 1 1 t"], ["--weights", "1,nan"], "a weight must be a number of at least 0"),
        (["1 Q0 a 1 1 t"], ["--weights", "1e308,1e308", "--rrf-k", "0.01"], "the weights [1e+308,"),
        (["1 Q0 a 1 1 t"], ["--alpha", "0.5"], "--alpha has no effect with --fusion rrf"),
        (
            ["1 Q0 a 1 1 t"],
            ["--fusion", "convex", "--weights", "1,2"],
            "--weights has no effect with --fusion convex",
        ),
        (
            ["1 Q0 a 1 1 t"],
            ["--fusion", "convex", "--fuse", "third.trec"],
            "a convex combination takes two runs, got 3",
        ),
    ],
)
def test_what_cannot_be_fused_is_told_and_the_file_is_left_as_it_was(
    lines: list[str], options: list[str], told: str, tmp_path: Path
) -> None:
    fine = written(tmp_path / "fine.trec", ["1 Q0 a 1 1 t", "2 Q0 a 1 1 t"])
    bad = written(tmp_path / "bad.trec", lines)
    before = written(tmp_path / "fused.trec", ["as it was"])
    asked = ["--run", str(fine), "--fuse", str(bad), "--fused", str(before), *options]
    assert refused(tmp_path, asked).startswith(told)
    assert before.read_text(encoding="utf-8") == "as it was\n"


def test_an_id_that_a_trec_run_cannot_hold_is_told(tmp_path: Path) -> None:
    one = written(tmp_path / "a.csv", ["q,doc 1,2"])
    asked = ["--run", str(one), "--fuse", str(one), "--fused", str(tmp_path / "f")]
    assert refused(tmp_path, asked) == (
        "query 'q': the id 'doc 1' has a blank, which TREC's format parts fields by"
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("f.csv", "f.csv: TREC's format is written, and the name is that of csv"),
        ("f.pq", "f.pq: TREC's format is written, and the name is that of parquet"),
        ("f.JSONL.gz", "f.JSONL.gz: TREC's format is written, and the name is that of jsonl"),
        ("f.trec.gz", "f.trec.gz: plain text is written, not gzip; leave .gz out of the name"),
    ],
)
def test_a_fused_run_is_not_given_the_name_of_what_it_is_not(
    name: str, told: str, tmp_path: Path
) -> None:
    one = str(written(tmp_path / "a", ["q Q0 d 1 2 t"]))
    asked = ["--run", one, "--fuse", one, "--fused", str(tmp_path / name)]
    assert refused(tmp_path, asked) == told


@pytest.mark.parametrize("over", ["qrels.csv", "run", "other", "link.csv"])
def test_nothing_is_written_over_a_file_that_is_read(over: str, tmp_path: Path) -> None:
    """Judgments are years of work, and a run that was fused is fused with itself the next time."""
    before = {
        "qrels.csv": written(tmp_path / "qrels.csv", ["q,d,1"]),
        "run": written(tmp_path / "run", ["q Q0 d 1 2 t"]),
        "other": written(tmp_path / "other", ["q Q0 e 1 2 t"]),
    }
    texts = {name: path.read_bytes() for name, path in before.items()}
    (tmp_path / "link.csv").symlink_to(tmp_path / "qrels.csv")
    paths = [str(path) for path in before.values()]
    option = "--per-query" if over.endswith(".csv") else "--fused"
    asked = ["--qrels", paths[0], "--run", paths[1], "--fuse", paths[2]]
    told = CliRunner().invoke(command, [*asked, option, str(tmp_path / over)])
    assert told.exit_code != 0
    assert "is read; write to another file" in " ".join(told.output.split())
    assert {name: path.read_bytes() for name, path in before.items()} == texts


FUSED = ["--run", "r", "--fuse", "s", "--fused", "f"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--run", "r"], "Missing option '--qrels'"),
        (["--run", "r", "--fuse", "s"], "Missing option '--qrels'"),
        (["--qrels", "q", "--run", "r", "--rrf-k", "10"], "Nothing is fused without '--fuse'"),
        (["--qrels", "q", "--run", "r", "--fused", "f"], "Nothing is fused without '--fuse'"),
        (["--run", "r", "--fuse", "s", "--weights", "1,x"], "a number for each run, as 2,1"),
        (["--run", "r", "--fuse", "s", "--rrf-k", "0"], "0.0 is not in the range x>0"),
        (["--run", "r", "--fuse", "s", "--alpha", "nan"], "nan is not"),
        ([*FUSED, "--metric", "RR"], "'--metric' has no effect without '--qrels'"),
        ([*FUSED, "--against", "r"], "'--against' has no effect without '--qrels'"),
        ([*FUSED, "--per-query", "v.csv"], "'--per-query' has no effect without '--qrels'"),
        ([*FUSED, "--relevance-level", "1"], "'--relevance-level' has no effect without"),
        ([*FUSED, "--gain", "linear"], "'--gain' has no effect without '--qrels'"),
        ([*FUSED, "--qrels-format", "csv"], "'--qrels-format' has no effect without '--qrels'"),
        ([*FUSED, "--float32-scores"], "'--float32-scores' has no effect without '--qrels'"),
    ],
)
def test_options_that_say_nothing_together_are_refused(arguments: list[str], told: str) -> None:
    found = CliRunner().invoke(command, arguments)
    assert found.exit_code != 0
    assert told in found.output


IDS = st.sampled_from([f"d{at}" for at in range(9)])
LISTS = st.dictionaries(IDS, st.integers(-3, 3).map(float), min_size=1, max_size=6)
RUNS = st.dictionaries(st.sampled_from([f"q{at}" for at in range(6)]), LISTS, max_size=6)


def lanes(all_runs: Sequence[Run], query: str) -> list[list[tuple[str, float]]]:
    """The lists of a query, each in order of score and then of id, both descending."""
    found = [one.get(query, {}) for one in all_runs]
    return [sorted(one.items(), key=lambda pair: (pair[1], pair[0]), reverse=True) for one in found]


@settings(max_examples=40)
@given(all_runs=st.lists(RUNS, min_size=2, max_size=3), alpha=st.sampled_from([0.0, 0.3, 1.0]))
def test_files_are_fused_as_the_pure_functions_fuse_lists_in_any_order_of_queries(
    all_runs: list[Run], alpha: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("fused")
    names = {query for one in all_runs for query in one}
    found = fused(folder, *all_runs)
    assert found.keys() == names
    for query in names:
        pure = rrf([[one for one, _ in lane] for lane in lanes(all_runs, query)])
        assert list(found[query]) == [one for one, _ in pure]
        assert list(found[query].values()) == pytest.approx([s for _, s in pure], abs=1e-15)
    asked = ["--fusion", "convex", "--alpha", str(alpha)]
    found = fused(folder, *all_runs[:2], options=asked)
    for query in found:
        dense, sparse = lanes(all_runs[:2], query)
        pure = convex(dense, sparse, alpha)
        assert list(found[query]) == [one for one, _ in pure]
        assert list(found[query].values()) == pytest.approx([s for _, s in pure], abs=1e-12)


def test_queries_whose_rows_are_scattered_are_put_together(tmp_path: Path) -> None:
    whole = {f"q{at}": {f"d{doc}": float(-doc) for doc in range(4)} for at in range(5)}
    rows = run_lines(whole)
    mixed = written(tmp_path / "mixed.trec", rows[::2] + rows[1::2])
    other = written(tmp_path / "other.trec", run_lines({"q3": {"x": 1.0}}))
    path = tmp_path / "fused.trec"
    for asked in (
        ["--run", str(mixed), "--fuse", str(other)],
        ["--run", str(other), "--fuse", str(mixed)],
    ):
        told = CliRunner().invoke(command, [*asked, "--fused", str(path)], catch_exceptions=False)
        assert told.exit_code == 0
        found = read(path)
        assert {query: set(docs) - {"x"} for query, docs in found.items()} == {
            query: set(docs) for query, docs in whole.items()
        }
        assert "x" in found["q3"]


@pytest.mark.parametrize(("piped", "other"), [("whole", "mixed"), ("mixed", "whole")])
def test_a_pipe_that_would_have_to_be_read_twice_is_refused_and_nothing_lost(
    piped: str, other: str, tmp_path: Path
) -> None:
    rows = run_lines({f"q{at}": {"a": 1.0, "b": 2.0} for at in range(3)})
    lines = {"whole": rows, "mixed": rows[::2] + rows[1::2]}
    file, pipe = written(tmp_path / other, lines[other]), tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=written, args=(pipe, lines[piped]))
    writer.start()
    asked = ["--run", str(pipe), "--fuse", str(file), "--fused", str(tmp_path / "f")]
    told = refused(tmp_path, asked)
    writer.join()
    mixed = "pipe" if piped == "mixed" else "mixed"
    assert told.startswith(f"{mixed}: the rows of a query do not stand together")
    assert told.endswith("and pipe is no file that can be. Sort it by query, or save pipe first")
    assert not (tmp_path / "f").exists()


def test_runs_in_one_order_wait_for_no_more_than_a_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs of other numbers of rows a query are read abreast, not one far ahead of the other."""
    monkeypatch.setattr("ragproof.rankings.trec.blocks", lambda path: blocks(path, 4096))
    monkeypatch.setattr("ragproof.rankings.whole.AT_ONCE", 50)
    short = {f"q{at}": {"a": 1.0} for at in range(2000)}
    long = {f"q{at}": {f"d{doc}": 1.0 for doc in range(20)} for at in range(2000)}
    ahead, most = {"r0": 0, "r1": 0}, 0
    real = room._ranked

    def counted(whole: Whole, origin: Origin) -> object:
        nonlocal most
        ahead[Path(origin.name).stem] += len(whole.names)
        most = max(most, abs(ahead["r0"] - ahead["r1"]))
        return real(whole, origin)

    monkeypatch.setattr(room, "_ranked", counted)
    assert len(fused(tmp_path, short, long)) == 2000
    assert ahead == {"r0": 2000, "r1": 2000}
    assert most < 500
