"""A benchmark in BEIR's layout, evaluated as a user does it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from project import Project

from bench.scifact import METRIC, PUBLISHED, TOLERANCE, beir, evaluated
from ragproof.cli.trace_gold import command

ROOT = Path(__file__).parents[2]
SCIFACT = ROOT.parent / "shared/data/scifact"
PIPELINE = """
    class Pipeline:
        def retrieve(self, question, k):
            return [{"id": "d0"}, {"id": "d1"}][:k]
"""


def test_unjudged_topics_are_counted_and_lost_documents_are_followed_to_the_corpus(
    tmp_path: Path,
) -> None:
    project = Project(tmp_path, PIPELINE)
    (tmp_path / "tiny/qrels").mkdir(parents=True)
    documents = [{"_id": name, "text": "?"} for name in ("d0", "d1")]
    topics = [{"_id": name, "text": f"{name}?"} for name in ("found", "gone", "open")]
    for name, lines in (("corpus", documents), ("queries", topics)):
        project.write(f"tiny/{name}.jsonl", "".join(json.dumps(one) + "\n" for one in lines))
    project.write("tiny/qrels/dev.tsv", "query-id\tcorpus-id\tscore\nfound\td1\t1\ngone\td7\t2\n")
    done = project.run("run", "--beir", "tiny", "--metrics", "retrieval.recall_at_k", "--json")
    assert done.code == 0, done.err
    recall = done.document["metrics"]["retrieval.recall_at_k"]
    assert (recall["mean"], recall["scored"], recall["skipped"]) == (0.5, 2, 1)
    assert recall["skip_reasons"] == {"case has no expected_source_ids": 1}
    assert done.document["source_match"] == "document"
    assert done.document["dataset"]["name"] == "tiny-dev"
    given = ["--json", "--config", str(tmp_path / "ragproof.yaml")]
    traced = json.loads(CliRunner().invoke(command, given, catch_exceptions=False).stdout)
    lost = {one["case_id"]: one["lost_at"] for one in traced["cases"]}
    assert lost == {"found": None, "gone": "corpus"}
    assert traced["without_gold"] == 1


@pytest.mark.shared_data
def test_a_published_figure_is_reached_through_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not SCIFACT.is_dir():
        pytest.skip(f"{SCIFACT} is absent")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *sys.path]))
    beir(SCIFACT, tmp_path / "scifact")
    found = evaluated("minilm", SCIFACT, tmp_path)
    assert found["metrics"][METRIC]["scored"] == 300
    assert found["metrics"][METRIC]["mean"] == pytest.approx(PUBLISHED["minilm"][0], abs=TOLERANCE)
