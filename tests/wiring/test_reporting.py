"""`ragproof report` on a store, as a user and a CI job run it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import date
from io import BytesIO, TextIOWrapper
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ragproof.cli.main import exit_code, root
from ragproof.core import (
    AdapterInfo,
    Answer,
    CaseRun,
    Cause,
    Chunk,
    DatasetInfo,
    Failed,
    Finished,
    Observation,
    QuestionCase,
    Row,
    RunHeader,
    RunState,
    Scored,
)
from ragproof.reports.beside import Section
from ragproof.store.open import open_store
from ragproof.wiring import reporting
from ragproof.wiring.looking import open_for_reading
from ragproof.wiring.plan import declarations, plan
from ragproof.wiring.reporting import Report, reported, rule_texts, where_cases_are

RECALL, F1 = "retrieval.recall_at_k", "generation.token_f1"
CASES = 20
CONFIG = "project: shop\ndataset: data/d.jsonl\n"
LOST = Failed(Cause.TIMEOUT, "no answer within 60 s")


def finished(lost: int) -> Iterator[Finished]:
    """Twenty cases; the first `lost` find nothing, the last one timed out."""
    for at in range(CASES):
        case = QuestionCase(id=f"c{at}", question=f"When {at}?", expected_source_ids=("a",))
        failed = at == CASES - 1
        seen = Observation(
            case_id=case.id,
            retrieved=None if failed else (Chunk(id="a", text="the text"),),
            answer=None if failed else Answer(answer_text=f"answer of {lost}"),
            failure=LOST if failed else None,
        )
        values = {RECALL: float(at >= lost), F1: 0.5 + at / 100}
        rows = [Row(key, key, LOST if failed else Scored(one)) for key, one in values.items()]
        yield Finished(case.id, rows, run=CaseRun(case, seen))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a dataset and two runs on it."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "data").mkdir()
    dataset = folder / "data" / "d.jsonl"
    lines = [json.dumps({"id": f"c{at}", "question": f"When {at}?"}) for at in range(CASES)]
    dataset.write_text("\ufeff" + "\n\n".join(lines) + "\n", encoding="utf-8")
    header = RunHeader(
        id="run-0",
        project="shop",
        label="main",
        started_at="2026-01-01T00:00:00.000000",
        dataset=DatasetInfo(
            name="d.jsonl", path=str(dataset), hash="0" * 64, total=CASES, cases=CASES
        ),
        adapter=AdapterInfo(type="python", target="a:b"),
        metrics=declarations(plan([(RECALL, {}), (F1, {})])),
    )
    (folder / "ragproof.yaml").write_text(CONFIG, encoding="utf-8")
    with open_store(folder / ".ragproof/ragproof.db") as store:
        for number, lost in enumerate((1, 9)):
            started = f"2026-01-0{number + 1}T00:00:00.000000"
            other = replace(header, id=f"run-{number}", label=("main", "[/x]")[number])
            other = replace(other, started_at=started)
            store.begin(other)
            asyncio.run(store.append(other.id, [*finished(lost)]))
            store.finish(other.id, RunState.COMPLETED, {})
    return folder


def run(folder: Path, arguments: Sequence[str], gate: str = "") -> tuple[int, str, str]:
    """The command in this process: exit code, stdout and stderr."""
    (folder / "ragproof.yaml").write_text(CONFIG + gate, encoding="utf-8")
    out, err = TextIOWrapper(BytesIO(), encoding="utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        code = exit_code(lambda: root.main(["report", *arguments], standalone_mode=False))
    texts = []
    for stream in (out, err):
        stream.flush()
        raw = stream.buffer
        assert isinstance(raw, BytesIO)
        texts.append(raw.getvalue().decode())
    return code, texts[0], texts[1]


GATE = f"gate: {{thresholds: {{{RECALL}: {{min: 0.9}}}}}}\n"


def test_every_form_is_written_and_only_named(shop: Path) -> None:
    files = {"html": "r.html", "markdown": "r.md", "junit": "r.xml", "sarif": "r.sarif"}
    arguments = [part for form, file in files.items() for part in (f"--{form}", file)]
    code, out, err = run(shop, arguments, GATE)
    assert (code, out) == (0, "")
    assert err.splitlines() == [f"wrote {file}" for file in files.values()]
    assert "Gate did not pass" in (shop / "r.html").read_text(encoding="utf-8")
    assert "### Gate did not pass" in (shop / "r.md").read_text(encoding="utf-8")
    assert ET.parse(shop / "r.xml").getroot().get("failures") == "1"
    (one, *_) = json.loads((shop / "r.sarif").read_text(encoding="utf-8"))["runs"]
    low = [found for found in one["results"] if found["ruleId"] == RECALL]
    assert len(low) == 9
    place = low[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "data/d.jsonl"
    assert place["region"] == {"startLine": 1}
    (rule,) = [found for found in one["tool"]["driver"]["rules"] if found["id"] == RECALL]
    assert rule["help"]["text"].startswith("Question: ")


def test_the_gate_is_shown_and_does_not_change_the_exit_code(shop: Path) -> None:
    code, out, _ = run(shop, [], GATE)
    assert code == 0
    assert "Gate did not pass: 1 fail" in out
    document = json.loads(run(shop, ["--json"], GATE)[1])
    assert document["gate"]["passed"] is False
    assert document["gate"]["results"][0]["metric"] == RECALL
    assert document["run_id"] == "run-1"


def test_json_has_no_gate_where_nothing_is_asked(shop: Path) -> None:
    code, out, err = run(shop, ["--json", "--html", "r.html"])
    assert (code, err) == (0, "wrote r.html\n")
    document = json.loads(out)
    assert "gate" not in document
    assert "comparison" not in document


def test_a_baseline_adds_a_comparison_with_both_answers(shop: Path) -> None:
    code, out, _ = run(shop, ["--json", "--baseline", "main"])
    comparison = json.loads(out)["comparison"]
    assert (code, comparison["baseline"], comparison["candidate"]) == (0, "run-0", "run-1")
    assert comparison["changed_most"][0]["baseline_answer"] == "answer of 1"
    assert "cases      20 cases in common" in run(shop, ["--baseline", "latest"])[1]
    run(shop, ["--baseline", "main", "--html", "r.html"])
    assert "Compared with run-0 (main)" in (shop / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("baseline", ["gone", "run-1", "gone.db"])
def test_a_baseline_that_is_not_there_or_the_run_itself_is_wrong_input(
    shop: Path, baseline: str
) -> None:
    code, out, err = run(shop, ["--baseline", baseline, "--html", "never.html"])
    assert (code, out) == (3, "")
    assert baseline in err
    assert not (shop / "never.html").exists()


def test_a_gate_whose_baseline_was_deleted_is_an_error_in_the_report_not_of_it(shop: Path) -> None:
    gate = f"gate: {{baseline: gone, thresholds: {{{RECALL}: {{max_drop: 0.1}}}}}}\n"
    code, out, _ = run(shop, ["--json"], gate)
    assert code == 0
    assert json.loads(out)["gate"]["results"][0]["status"] == "error"


def test_a_gate_that_nothing_can_fail_is_a_warning(shop: Path) -> None:
    gate = f"gate: {{thresholds: {{{RECALL}: {{min: 0.9, role: exploratory}}}}}}\n"
    code, out, _ = run(shop, ["--json"], gate)
    assert code == 0
    assert "the gate is not shown: nothing can fail this gate" in json.loads(out)["warnings"][-1]


@pytest.mark.parametrize("form", ["html", "markdown", "junit", "sarif"])
def test_a_form_may_go_to_stdout_alone(shop: Path, form: str) -> None:
    code, out, err = run(shop, [f"--{form}", "-"])
    assert (code, err) == (0, "")
    assert out.strip()
    assert run(shop, [f"--{form}", "-", "--json"])[0] == 3


def test_two_forms_on_stdout_are_refused(shop: Path) -> None:
    code, out, err = run(shop, ["--html", "-", "--junit", "-"])
    assert (code, out) == (3, "")
    assert "--html - and --junit - both print to stdout" in err


def test_a_file_that_cannot_be_written_is_a_failure_that_is_named(shop: Path) -> None:
    code, _, err = run(shop, ["--html", "no/such/folder/r.html"])
    assert code == 2
    assert "no/such/folder/r.html" in err


def test_lines_are_those_of_the_file_as_it_is_and_none_where_it_is_gone(
    shop: Path, tmp_path: Path
) -> None:
    with open_for_reading(shop / "ragproof.yaml", None, {}) as looking:
        found = reported(looking, Report(), date(2026, 1, 1)).findings
    where = where_cases_are(found, shop)
    assert where.path == "data/d.jsonl"
    assert (where.lines["c0"], where.lines["c3"]) == (1, 7)  # blank lines count
    header = found.record.header
    (shop / "data" / "d.frozen.json").write_text('{"cases":[\n{"id":"c7"},\n{"id":"c8"}\n]}\n')
    for path, lines in (
        (tmp_path / "gone.jsonl", {}),
        (shop / "data" / "d.frozen.json", {"c7": 2, "c8": 3}),
    ):
        dataset = replace(header.dataset, path=str(path))
        record = replace(found.record, header=replace(header, dataset=dataset))
        other = where_cases_are(replace(found, record=record), shop)
        assert other.lines == lines
        assert other.is_relative is (lines != {})


def test_a_file_in_a_repository_is_named_from_its_root(shop: Path) -> None:
    (shop / "data" / ".git").mkdir()
    try:
        with open_for_reading(shop / "ragproof.yaml", None, {}) as looking:
            found = reported(looking, Report(), date(2026, 1, 1)).findings
        assert where_cases_are(found, shop).path == "d.jsonl"
    finally:
        (shop / "data" / ".git").rmdir()


def test_rules_have_the_text_of_the_metrics_own_page(shop: Path) -> None:
    with open_for_reading(shop / "ragproof.yaml", None, {}) as looking:
        found = reported(looking, Report(), date(2026, 1, 1)).findings
    texts = rule_texts(found)
    assert set(texts) == {RECALL, F1}
    assert texts[RECALL].sections["Formula"]


def test_another_part_of_the_program_may_add_a_section(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> Section:
        return Section(title="Where evidence was lost", head=("stage", "cases"), rows=[("x", "9")])

    monkeypatch.setattr(reporting, "SECTIONS", (lost, lambda *_: None))
    assert "Where evidence was lost" in run(shop, [])[1]
