"""Figures of answers on real data: nuggets, and tokens of the context against people."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.answer_agreement import BEGIN, MTRAG, agreement, attributed, flag
from ragproof.metrics.nugget_scores import SCORES, Assigned, Label, nugget_scores

NUGGETS = Path(__file__).parents[3] / "shared/data/rag24_autonuggets"
SYSTEMS = {"command-r-plus": "command-r-plus", "gpt4o": "gpt_4o"} | {"l31_70b_instruct": ""}
LABELS = {one.value: one for one in Label}
PUBLISHED = [name for name in SCORES if "okay" not in name]
pytestmark = pytest.mark.shared_data


def lines(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as text:
        yield from map(json.loads, text)


def assigned(nugget: dict[str, Any]) -> Assigned:
    importance = {"vital": True, "okay": False}.get(nugget["importance"])
    return Assigned(importance, LABELS.get(nugget["assignment"]))


def test_all_published_scores_of_the_nuggetizer_are_met() -> None:
    if not NUGGETS.is_dir():
        pytest.skip(f"the nuggets are not at {NUGGETS}")
    equal = 0
    for system, other in SYSTEMS.items():
        name = f"metrics/baseline_rag24.test_{other or system}_top20.jsonl"
        published = {line["qid"]: line for line in lines(NUGGETS / name)}
        for line in lines(NUGGETS / f"assignments/baseline_rag24.test_{system}_top20.jsonl.gz"):
            scores = nugget_scores([assigned(one) for one in line["nuggets"]])
            told = published[line["qid"]]
            equal += sum((scores[one] or 0.0) == told[f"{one}_score"] for one in PUBLISHED)
    assert equal == 5_418


def test_the_share_of_tokens_in_the_context_goes_with_faithfulness_as_people_see_it() -> None:
    if not MTRAG.is_dir():
        pytest.skip(f"the answers are not at {MTRAG}")
    found = agreement(MTRAG)
    assert found["generation.k_precision"].rho == pytest.approx(0.63, abs=0.03)
    assert found["generation.unseen_entities"].rho < -0.2
    assert found["generation.quantities_supported"].rho > 0.25


def test_what_the_flag_of_unseen_entities_flags_is_mostly_unfaithful_to_people() -> None:
    if not BEGIN.is_dir():
        pytest.skip(f"the labels are not at {BEGIN}")
    found = flag(attributed(BEGIN))
    assert found.unfaithful == 250
    assert found.right / found.flagged > 0.9
    assert found.right / found.unfaithful > 0.1
