"""Tables by which ingestion is set, from the command line: nobody is asked for labels again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import click
import pytest

from ragproof.cli.main import root
from ragproof.core import UsageError

Said: TypeAlias = Callable[..., Any]
ARTICLE = "Mars has two moons, Phobos and Deimos, which Hall found in August 1877 in Washington."


@pytest.fixture
def said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Said:
    """Call `ragproof` in an empty folder and give what it printed, JSON where that was asked."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Any:
        root.main([*arguments], standalone_mode=False)
        out = capsys.readouterr().out
        return json.loads(out) if "--json" in arguments else out

    return call


def written(name: str, lines: Iterable[dict[str, Any]]) -> str:
    Path(name).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return name


def observed(
    said: Said, cases: list[dict[str, Any]], seen: list[dict[str, Any]], label: str
) -> None:
    dataset, recorded = written(f"{label}.jsonl", cases), written(f"{label}_seen.jsonl", seen)
    Path("ragproof.yaml").write_text("project: tables\n", encoding="utf-8")
    said(
        "run", "-c", "ragproof.yaml", "--dataset", dataset, "--recorded", recorded, "--label", label
    )


def document(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "kind": "document", "document": {"text": ARTICLE}, **more}


def span(start: int, score: float | None = None) -> dict[str, Any]:
    told = {"start": start, "end": start + 4, "type": "NAME"}
    return told if score is None else {**told, "score": score}


def test_a_detector_is_shown_at_every_score(said: Said) -> None:
    cases = [document("a", expected_pii=[span(0), span(10)]), document("b", expected_pii=[])]
    cases += [document("c"), document("d", expected_pii=[span(0)])]
    found = [span(0, 0.9), span(1, 0.7), span(12, 0.4), span(40, 0.7)]
    parsed = {"a": found, "b": [span(3, 0.4)], "c": [span(0, 0.9)], "d": [span(0)]}
    seen = [{"case_id": name, "parsed": {"text": "x", "pii": one}} for name, one in parsed.items()]
    observed(said, cases, seen, "documents")

    def rows(metric: str) -> list[tuple[float, int, int, float]]:
        told = said("calibrate", "--metric", metric, "--run", "documents", "--json")
        assert told["documents"] == 2
        assert told["left_out"] == {
            "case has no expected_pii": 1,
            "adapter does not expose scores of pii": 1,
        }
        names = ("min_score", "found", "right", "recall")
        return [tuple(one[name] for name in names) for one in told["operating_points"]["NAME"]]

    exact = [(0.9, 1, 1, 0.5), (0.7, 3, 1, 0.5), (0.4, 5, 1, 0.5)]
    assert rows("ingestion.pii_recall") == exact
    # 1-5 is of the same name as 0-4: it is right, and finds nothing more
    partial = [(0.9, 1, 1, 0.5), (0.7, 3, 2, 0.5), (0.4, 5, 3, 1.0)]
    assert rows("ingestion.pii_precision[match=partial]") == partial
    assert "min_score" in said("calibrate", "--metric", "ingestion.pii_recall", "--run", "latest")


def test_settings_of_a_merger_are_tried_on_labelled_documents(said: Said) -> None:
    texts = {"a": ARTICLE, "b": f"{ARTICLE} Again.", "c": ARTICLE[::-1], "d": "moon"}
    cases = [document(name) for name in texts]
    for case in cases[:2]:
        case["duplicate_group"] = "mars"
    seen = [{"case_id": name, "parsed": {"text": one}} for name, one in texts.items()]
    observed(said, cases, seen, "documents")
    asked = ("calibrate", "--metric", "ingestion.duplicate_recall", "--run", "documents")
    told = said(*asked, "--json")
    assert (told["documents"], len(told["settings"])) == (4, 25)
    at = {(one["permutations"], one["threshold"]): one for one in told["settings"]}
    assert at[128, 0.5]["false_merge_rate"] == at[128, 0.5]["missed_merge_rate"] == 0
    assert (told["best"]["precision"], told["best"]["recall"]) == (1, 1)
    assert "> " in said(*asked)


def test_an_error_rate_is_bounded_by_what_answers_lose(said: Said) -> None:
    """Scans may be misread by 3 of 85 letters and lose nothing; from 6 on every answer is wrong."""
    cases, parsed, questions, before, after = [], [], [], [], []
    for at in range(24):
        name, letters = f"d{at}", at % 12
        cases.append(
            document(name, expected_text=ARTICLE, document_class="scan" if at < 12 else "web")
        )
        text = "#" * letters + ARTICLE[letters:]
        parsed.append({"case_id": name, "parsed": {"text": text}})
        questions.append(
            {"id": f"q{at}", "question": "Who?", "group": name, "expected_answer": "Hall"}
        )
        before.append({"case_id": f"q{at}", "answer": {"answer_text": "Hall"}})
        lost = at < 12 and letters > 5
        after.append({"case_id": f"q{at}", "answer": {"answer_text": "Nobody" if lost else "Hall"}})
    questions.append({"id": "q", "question": "Who?", "expected_answer": "Hall"})
    observed(said, cases, parsed, "documents")
    observed(said, questions, before, "reference")
    observed(said, questions, after, "parsed")
    asked = ("calibrate", "--metric", "ingestion.cer", "--run", "documents")
    answers = ("--answers", "reference", "parsed", "--quality", "generation.exact_match")
    told = said(*asked, *answers, "--json")
    found = told["boundaries"]
    assert found["scan"]["boundary"] == pytest.approx(5 / len(ARTICLE))
    assert found["web"]["boundary"] == pytest.approx(11 / len(ARTICLE))
    assert "no document was read so badly" in found["web"]["reason"]
    assert told["left_out"] == {"questions without a group, which names their document": 1}
    assert "scan" in said(*asked, *answers)
    with pytest.raises(UsageError, match="the two runs of answers cannot be compared"):
        said(*asked, "--answers", "reference", "documents")
    ratio = ("calibrate", "--metric", "ingestion.extraction_length_ratio", "--run", "documents")
    with pytest.raises(UsageError, match="is no error rate"):
        said(*ratio, *answers)
    neither = (*answers[:-1], "robustness.refused[situation=answerable]")
    with pytest.raises(UsageError, match="says nothing of quality: neither"):
        said(*asked, *neither)


def test_what_is_missing_is_told(said: Said) -> None:
    seen = [{"case_id": "a", "parsed": {"text": "x"}}]
    observed(said, [document("a")], seen, "documents")
    with pytest.raises(UsageError, match="no document to count: 1 adapter does not expose pii"):
        said("calibrate", "--metric", "ingestion.pii_recall", "--run", "latest")
    with pytest.raises(UsageError, match="no case has a duplicate_group; label those"):
        said("calibrate", "--metric", "ingestion.duplicate_recall", "--run", "latest")
    with pytest.raises(UsageError, match="min_score: got it here; allowed: match"):
        said("calibrate", "--metric", "ingestion.pii_recall[min_score=1]", "--run", "latest")
    with pytest.raises(UsageError, match="got a bracket that is not closed"):
        said("calibrate", "--metric", "ingestion.pii_recall[match=exact", "--run", "latest")
    with pytest.raises(UsageError, match="seed: got it here; allowed: no parameter"):
        said("calibrate", "--metric", "ingestion.duplicate_recall[seed=2]", "--run", "latest")
    with pytest.raises(click.UsageError, match="--allowed goes with --answers"):
        said("calibrate", "--metric", "ingestion.cer", "--run", "latest", "--allowed", "0.1")
    with pytest.raises(click.UsageError, match="--claims is about a judge"):
        said("calibrate", "--metric", "ingestion.pii_recall", "--run", "latest", "--claims")
    with pytest.raises(click.UsageError, match="one metric of one run"):
        said("calibrate", "--metric", "ingestion.duplicate_recall")
