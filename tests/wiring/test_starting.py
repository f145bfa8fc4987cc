"""What `ragproof init` writes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import get_args

import pytest

from ragproof.adapters.recorded import RecordedAdapter
from ragproof.cli.init import KINDS
from ragproof.core import RunError, UsageError
from ragproof.datasets import load
from ragproof.metrics import catalog
from ragproof.wiring.config import load_config
from ragproof.wiring.plan import plan
from ragproof.wiring.schema import AdapterConfig
from ragproof.wiring.starting import ABOUT, CONFIG, STARTERS, next_steps, start


def uncommented(folder: Path) -> Path:
    """The config with its commented lines taken in; what is only said has two signs."""
    path = folder / CONFIG
    lines = path.read_text().splitlines()
    taken = [re.sub(r"^( *)# (?=[\w-]+:|  )", r"\1", line) for line in lines]
    path.write_text("\n".join(taken))
    return path


def test_there_is_a_start_for_every_type_of_adapter() -> None:
    types = get_args(AdapterConfig.model_fields["type"].annotation)
    assert sorted(KINDS) == sorted(types)
    assert sorted(path.name for path in STARTERS.iterdir() if path.is_dir()) == sorted(types)


@pytest.mark.parametrize("kind", KINDS)
def test_the_files_are_those_it_tells_of(tmp_path: Path, kind: str) -> None:
    names = start(tmp_path, kind)
    assert sorted(names) == sorted(path.name for path in tmp_path.iterdir())
    assert names[0] == CONFIG
    assert set(names) <= set(ABOUT)
    assert [step for step in next_steps(kind) if step == "ragproof run"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_config_is_right_and_so_is_every_line_in_comments(tmp_path: Path, kind: str) -> None:
    start(tmp_path, kind)
    config = load_config(tmp_path / CONFIG, {})
    assert config.adapter
    assert (config.adapter.type, config.project, config.run.k) == (kind, "my-rag", 3)
    assert not config.gate.thresholds

    full = load_config(uncommented(tmp_path), {})
    assert full.run.concurrency == 8
    assert full.versions.labels == "v1"
    metrics = plan(full.asked or (), full.run.k)
    gates = {key: rule.min for key in full.gate.thresholds for rule in full.gate.rules(key)}
    assert gates == {"retrieval.recall_at_k": 0.85, "retrieval.mrr": 0.6}
    assert gates.keys() <= metrics.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_module_is_python(tmp_path: Path, kind: str) -> None:
    start(tmp_path, kind)
    for path in tmp_path.glob("*.py"):
        compile(path.read_text(), path.name, "exec")
        assert max(map(len, path.read_text().splitlines())) <= 100


def test_the_dataset_has_five_cases_of_documents_that_are_there(tmp_path: Path) -> None:
    start(tmp_path, "recorded")
    cases = load(tmp_path / "dataset.jsonl").cases
    assert len(cases) == 5
    assert {str(case.kind) for case in cases} == {"qa", "unanswerable"}
    recorded = RecordedAdapter.load(tmp_path / "observations.jsonl")
    assert recorded.unknown(case.id for case in cases) == 0


def test_no_file_is_overwritten_and_none_is_written_beside_one(tmp_path: Path) -> None:
    mine = tmp_path / "pipeline.py"
    mine.write_text("mine")
    with pytest.raises(UsageError, match=r"^pipeline\.py: there already, and nothing is overw"):
        start(tmp_path, "python")
    assert [path.name for path in tmp_path.iterdir()] == ["pipeline.py"]
    assert mine.read_text() == "mine"


def test_every_file_in_the_way_is_named(tmp_path: Path) -> None:
    start(tmp_path, "http")
    with pytest.raises(UsageError, match=r"ragproof\.yaml, dataset\.jsonl, .*, server\.py: there"):
        start(tmp_path, "http")


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    shutil.rmtree(gone)
    with pytest.raises(RunError, match="cannot be written: No such file or directory"):
        start(gone, "python")


def test_the_metrics_that_the_comments_name_exist() -> None:
    named = re.findall(r"[a-z]+\.[a-z_]+_[a-z_]+", (STARTERS / CONFIG).read_text())
    shipped = {"retrieval.recall_at_k", "filter.false_exclusion_rate"}
    shipped |= {"system.latency_seconds", "system.cost_usd"}
    assert {one for one in named if one in catalog.ids()} == shipped
