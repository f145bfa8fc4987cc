"""The rule on what models and people really said."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from ragproof.text.refusal import refusal

HERE = Path(__file__).parent
SHARED = Path(__file__).parents[3] / "shared"
pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not SHARED.is_dir(), reason=f"there is no {SHARED}"),
]
KINDS = SHARED / "cases/refusal.jsonl"
CLAPNQ = SHARED / "data/clapnq/clapnq_dev_answerable.jsonl"
NOMIRACL = SHARED / "data/nomiracl"


def objects(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def outputs() -> Iterator[str]:
    """Every distinct output of the eleven models."""
    seen: set[str] = set()
    for part in ("relevant", "non_relevant"):
        with gzip.open(NOMIRACL / f"{part}.en.test.vanilla_prompt.jsonl.gz", "rt") as lines:
            for line in lines:
                seen |= {text.strip() for text in json.loads(line)["results"].values()}
    return iter(sorted(seen))


@pytest.mark.parametrize("case", objects(KINDS) if KINDS.exists() else [], ids=str)
def test_the_kinds_of_answers_are_told_apart(case: dict[str, object]) -> None:
    verdict = refusal(str(case["answer"]))
    assert verdict is not None
    assert verdict.refused is case["refused"]


def test_outputs_of_models_are_read_as_a_reader_did() -> None:
    labels = json.loads((HERE / "nomiracl_labels.json").read_text(encoding="utf-8"))
    refused, answered = set(labels["refused"]), set(labels["answered"])
    right = wrong = missed = 0
    for text in outputs():
        name = sha256(text.encode()).hexdigest()[:12]
        verdict = refusal(text)
        found = verdict is not None and verdict.refused
        right += found and name in refused
        wrong += found and name in answered
        missed += not found and name in refused
    assert right + missed == len(refused) == 45
    assert right / (right + wrong) >= 0.97
    assert right / (right + missed) >= 0.97


def test_answers_that_people_wrote_are_no_refusals() -> None:
    given = [
        str(output["answer"]).strip()
        for case in objects(CLAPNQ)
        for output in case["output"]  # type: ignore[attr-defined]
    ]
    found = [text for text in given if (one := refusal(text)) is None or one.refused]
    assert len(given) > 400
    assert set(found) <= {"", ".", "NA"}, "the annotators' own signs for: there is no answer"
