"""The life of a dataset, from the command line: what each command prints, writes and exits with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from project import Project

from bench.scifact import beir
from ragproof.cli.main import COMMANDS, root
from ragproof.datasets import load

SCIFACT = Path(__file__).parents[3] / "shared" / "data" / "scifact"
OTHERS = "id,question,answer\na,When is the seal replaced?,after a year\nb,Who may enter?,staff\n"


class Done:
    """What a command left behind."""

    def __init__(self, *arguments: str | Path) -> None:
        done = CliRunner().invoke(root, ["dataset", *map(str, arguments)])
        self.code, self.out = done.exit_code, done.stdout

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Two sound cases, imported."""
    (tmp_path / "t.csv").write_text(OTHERS, encoding="utf-8")
    out = tmp_path / "d.jsonl"
    assert Done("import", "--from", "csv", tmp_path / "t.csv", "--out", out).code == 0
    return out


def test_the_command_is_listed() -> None:
    assert "dataset" in COMMANDS


def test_validate_exits_with_1_from_the_severity_asked_for(dataset: Path) -> None:
    assert Done("validate", dataset, "--fail-on", "note").code == 0
    with dataset.open("a", encoding="utf-8") as file:
        case = {"id": "c", "question": "Who may enter?", "expected_answer": "staff"}
        file.write(json.dumps(case) + "\n")
    assert Done("validate", dataset).code == 0
    strict = Done("validate", dataset, "--fail-on", "warning", "--json")
    assert (strict.code, strict.document["passed"]) == (1, False)
    assert strict.document["findings"][0]["cases"] == ["b", "c"]
    with dataset.open("a", encoding="utf-8") as file:
        file.write("{}\n")
    broken = Done("validate", dataset, "--json")
    assert (broken.code, broken.out[:1] == "{") == (3, False)


def test_a_dataset_is_divided_compared_and_shown(dataset: Path) -> None:
    out = dataset.with_name("e.jsonl")
    told = Done("split", dataset, "--out", out, "--shares", "release=1", "--json")
    assert told.document["splits"] == {"release": 2}
    assert {case.split for case in load(out).cases} == {"release"}
    differ = Done("diff", dataset, out, "--exit-code", "--json")
    assert (differ.code, differ.document["relabelled"]) == (1, [])
    assert "split" in Done("diff", dataset, out).out
    assert Done("show", out, "--json").document["splits"] == {"release": 2}
    assert "after a year" in Done("show", out, "a").out
    assert Done("show", out, "z").code == 3
    assert "nothing is written" in Done("split", dataset).out


def test_every_way_to_write_is_told(dataset: Path, tmp_path: Path) -> None:
    told = Done("export", dataset, "--to", "trec", "--out", tmp_path / "x.tsv", "--json").document
    assert told["lost"] == {"expected_answer": 2}
    assert Done("export", dataset, "--to", "csv", "--out", tmp_path / "x.csv").code == 0
    assert Done("export", dataset, "--to", "beir", "--out", tmp_path / "x").code == 3


def test_coverage_names_empty_cells_and_missing_intents(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    tags = [("a", "pdf"), ("a", "html"), ("b", "pdf")]
    path.write_text(
        "".join(
            json.dumps({"id": f"{at}", "question": f"{at}?", "tags": {"intent": one, "type": two}})
            + "\n"
            for at, (one, two) in enumerate(tags)
        ),
        encoding="utf-8",
    )
    log = tmp_path / "log.csv"
    log.write_text("topic\n" + "a\n" * 30 + "b\n" * 5 + "c\n" * 5, encoding="utf-8")
    told = Done("coverage", path, "--by", "intent,type", "--json").document
    assert told["empty"] == [["b", "html"]]
    assert told["cells"][0]["half_width95"] == pytest.approx(0.4454, abs=1e-4)
    beside = Done(
        *("coverage", path, "--by", "intent", "--queries", log, "--map", "intent=topic"),
        *("--strict", "--json"),
    )
    verdicts = {one["value"]: one["verdict"] for one in beside.document["queries"]["values"]}
    assert verdicts == {"a": None, "b": None, "c": "missing"}
    assert beside.code == 1
    assert Done("coverage", path, "--by", "intnt").code == 3
    assert "Empty: 1 cell" in Done("coverage", path, "--by", "intent,type").out


def test_power_from_a_rate_and_its_looks(dataset: Path) -> None:
    told = Done("power", dataset, "--rate", "0.8", "--looks", "2", "--json").document
    assert told["spread"]["standard_deviation_of_differences"] == pytest.approx(0.4)
    assert told["at_hand"]["cases"] == 2
    assert told["needed"]["cases"] == told["looks"]["plan"][-1]["cases"]
    assert "2 looks" in Done("power", dataset, "--rate", "0.8", "--looks", "2").out
    assert Done("power", dataset).code == 3


def test_runs_are_pooled_paired_and_their_release_cases_retired(tmp_path: Path) -> None:
    project = Project(tmp_path, cases=3)
    path, store = (
        project.folder / "dataset.jsonl",
        ["--store", str(project.folder / ".ragproof/ragproof.db")],
    )
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    path.write_text(
        "".join(json.dumps({**row, "split": "release"}) + "\n" for row in rows), encoding="utf-8"
    )
    assert project.run("run", "--metrics", "system.latency_seconds").code == 0
    assert project.run("run", "--metrics", "system.latency_seconds").code == 0
    copy = tmp_path / "copy.jsonl"
    copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    told = Done("split", copy, "--uses", *store, "--json").document
    assert [len(use["cases"]) for use in told["uses"]] == [3, 3]
    assert "was scored 2 times" in told["warnings"][0]
    out = tmp_path / "e.jsonl"
    given = ["--guided-by", "latest", "--out", str(out), *store]
    assert Done("split", copy, *given, "--json").document["splits"] == {"development": 3}
    pool = Done("judge-pool", copy, "--out", tmp_path / "p.jsonl", *store, "--json").document
    assert pool["cases"] == 3
    graded = (
        (tmp_path / "p.jsonl").read_text(encoding="utf-8").replace('"grade": null', '"grade": 0')
    )
    (tmp_path / "p.jsonl").write_text(graded, encoding="utf-8")
    merged = Done("judge-pool", copy, "--merge", tmp_path / "p.jsonl", "--out", out, "--json")
    assert merged.document["judgments"] == pool["sources"]
    paired = [
        *store,
        "--run",
        "latest",
        "--against",
        "latest~1",
        "--metric",
        "system.latency_seconds",
    ]
    known = Done("power", *paired, "--json").document
    assert "paired differences" in known["spread"]["source"]
    assert Done("power", *store, "--run", "latest", "--metric", "nothing").code == 3
    easy = [*store, "--closed-book", "latest", "--easy-metric", "system.latency_seconds"]
    found = Done("validate", copy, *easy, "--easy-at", "0", "--json").document["findings"]
    assert [one["cases"] for one in found if one["check"] == "too-easy"] == [["q0", "q1", "q2"]]


def test_what_runs_answered_is_reviewed_and_what_they_retrieved_is_a_pool(tmp_path: Path) -> None:
    project = Project(tmp_path, cases=0)
    project.dataset({"id": f"q{at}", "question": f"Is {at} even?"} for at in range(3))
    path = project.folder / "dataset.jsonl"
    store = ["--store", str(project.folder / ".ragproof/ragproof.db")]
    assert project.run("run", "--metrics", "system.latency_seconds").code == 0
    pool, out = tmp_path / "p.jsonl", tmp_path / "out.jsonl"
    told = Done("judge-pool", path, "--answers", "--out", pool, *store, "--json").document
    assert (told["answers"], told["cases"]) == (3, 3)
    lines = [json.loads(line) for line in pool.read_text(encoding="utf-8").splitlines()]
    assert [(one["answer"], one["verdict"]) for one in lines] == [("yes", None)] * 3
    lines[0] |= {"verdict": "right", "reviewer": "ada"}
    lines[1] |= {"verdict": "wrong", "corrected_answer": "no"}
    pool.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    before = path.read_bytes(), pool.read_bytes()
    for taken in (path, pool):
        assert Done("judge-pool", path, "--answers", "--out", taken, *store).code == 3
    assert Done("judge-pool", path, "--merge", pool, "--out", pool).code == 3
    assert Done("export", path, "--to", "csv", "--out", path).code == 3
    assert (path.read_bytes(), pool.read_bytes()) == before
    merged = Done("judge-pool", path, "--merge", pool, "--out", out, "--json").document
    assert (merged["answers"], merged["without_grade"]) == (2, 1)
    cases = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [one.get("expected_answer") for one in cases] == ["yes", "no", None]
    assert cases[0]["metadata"]["reviewed"][0]["runs"] == told["runs"]
    plan: list[str | Path] = [
        "nuggets",
        path,
        "--out",
        tmp_path / "n.jsonl",
        *store,
        "--plan",
        "--json",
    ]
    found = Done(*plan).document
    assert (found["documents"], found["passages"]) == (1, 3)  # of the two chunks, one has a text
    assert Done(*plan, "--depth", "0").code == 3


def test_a_sample_of_a_log_waits_for_answers(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("query,intent\nwhen?,a\nwho?,b\n", encoding="utf-8")
    out = tmp_path / "s.jsonl"
    told = Done("sample", log, "--out", out, "--stratify", "intent", "--json").document
    assert [one["drawn"] for one in told["strata"]] == [1, 1]
    shown = Done("sample", log, "--out", out, "--clusters", "2").out
    assert "2 cases of 2 queries" in " ".join(shown.split())


@pytest.mark.shared_data
def test_a_real_benchmark_comes_in_and_goes_out_unchanged(tmp_path: Path) -> None:
    if not SCIFACT.is_dir():
        pytest.skip(f"{SCIFACT} is absent")
    beir(SCIFACT, tmp_path / "scifact")
    out, again = tmp_path / "d.jsonl", tmp_path / "again.jsonl"
    first = Done("import", "--from", "beir", tmp_path / "scifact", "--out", out, "--json")
    assert first.document["cases"] == 300
    corpus = tmp_path / "scifact/corpus.jsonl"
    Done("export", out, "--to", "beir", "--out", tmp_path / "x", "--corpus", corpus)
    second = Done("import", "--from", "beir", tmp_path / "x", "--out", again, "--json")
    assert second.document["hash"] == first.document["hash"]
    checked = Done("validate", out, "--corpus", corpus, "--json").document
    assert checked["counts"]["error"] == 0
