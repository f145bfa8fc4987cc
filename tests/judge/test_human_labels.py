"""Agreement on labels that people gave, against figures that others published for them."""

from __future__ import annotations

import asyncio
import csv
import gzip
import json
import re
import string
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from scripts import Speaker

from ragproof.analysis.agreement import Label, agreement, replacement
from ragproof.judge.ask import ModelJudge
from ragproof.judge.calibration import judged, scorer
from ragproof.judge.items import Item
from ragproof.llm.model import Ask
from ragproof.metrics.generation.groundedness import Groundedness
from ragproof.text.answer_tokens import answer_tokens

DATA = Path(__file__).parents[3] / "shared/data"
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"the labels are not at {DATA}"),
]


def squad_words(text: str) -> str:
    bare = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def by_words(system: str) -> list[Label]:
    """EVOUNA: people's verdict, and that of a judge who looks for an accepted answer's words."""
    with gzip.open(DATA / "evouna/NQ.json.gz", "rt", encoding="utf-8") as file:
        rows: list[dict[str, Any]] = json.load(file)
    labels = []
    for row in rows:
        verdict = row[f"judge_{system}"]
        if isinstance(verdict, bool) and not row["improper"]:
            said = squad_words(row[f"answer_{system}"] or "")
            found = any(squad_words(one) in said for one in row["golden_answer"].split("/"))
            labels.append(Label(human=float(verdict), judge=float(found)))
    return labels


def test_words_agree_with_people_on_evouna_as_often_as_is_known() -> None:
    found = agreement([label for system in SYSTEMS for label in by_words(system)])
    assert found.items > 15_000
    assert found.exact.value == pytest.approx(0.840, abs=0.002)
    assert found.exact.value == found.within.value  # yes and no are two bands apart
    assert found.kappa == found.weighted_kappa
    assert found.false_failures > 5 * found.false_passes  # other words for the same are missed


def test_a_judge_of_words_may_be_replaced_by_a_better_one() -> None:
    words = by_words("gpt4")
    people = [Label(human=label.human, judge=label.human) for label in words]
    found = replacement(words, people)
    assert found.only_current == 0
    assert found.p_value < 1e-9
    assert found.candidate.false_passes == found.candidate.false_failures == 0


@pytest.mark.parametrize(("one", "other", "kappa"), [(1, 2, 0.85), (1, 3, 0.88), (2, 3, 0.86)])
def test_people_agree_with_each_other_on_pandalm_as_published(
    one: int, other: int, kappa: float
) -> None:
    rows: Sequence[dict[str, int]] = json.loads(
        (DATA / "pandalm/testset-v1.json").read_text(encoding="utf-8")
    )
    score = {0: 0.5, 1: 1.0, 2: 0.0}
    found = agreement(
        [
            Label(human=score[row[f"annotator{one}"]], judge=score[row[f"annotator{other}"]])
            for row in rows
        ]
    )
    assert found.items == 999
    assert found.kappa is not None
    assert found.kappa.value == pytest.approx(kappa, abs=0.005)


def shared_words(context: str, answer: str) -> float:
    words = answer_tokens(answer)
    return sum(word in set(answer_tokens(context)) for word in words) / max(1, len(words))


def judge_of_words(ask: Ask) -> str:
    """Calls an answer supported where at least 9 of 10 of its words are in the passage."""
    parts = dict(re.findall(r"<(passage|answer)-\w+>\n(.*?)\n</", ask.user, re.DOTALL))
    claim = {"id": "c1", "text": parts["answer"]}
    held = shared_words(parts["passage"], parts["answer"]) >= 0.9
    failed = {"id": "c1", "failure_mode": "fabrication", "reason": "other words"}
    return json.dumps(
        {
            "outcome": "scored",
            "claims": [claim],
            "supported": [{"id": "c1", "quote": ""}] if held else [],
            "unsupported": [] if held else [failed],
        }
    )


def test_attribution_labels_go_through_prompt_and_reply_and_come_out_the_same() -> None:
    with (DATA / "begin/wow/begin_dev_wow.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    items = [
        Item(
            id=str(number),
            metric="generation.groundedness",
            question=row["message"],
            answer=row["response"],
            context=(row["knowledge"],),
            score=float(row["begin_label"] == "Fully attributable"),
            condition="majority of three",
        )
        for number, row in enumerate(rows)
    ]
    judge = ModelJudge(Speaker(judge_of_words))
    scorers = {"generation.groundedness": scorer(Groundedness())}
    found = asyncio.run(judged(items, scorers, lambda _: judge))
    told = agreement([Label(human=one.human, judge=one.score) for one in found])
    by_hand = sum(
        (shared_words(row["knowledge"], row["response"]) >= 0.9)
        == (row["begin_label"] == "Fully attributable")
        for row in rows
    )
    assert told.failed == 0
    assert told.items == len(rows) > 400
    assert told.exact.value == by_hand / len(rows)
    assert told.kappa is not None
    assert told.kappa.ends is not None
    assert told.kappa.ends[0] > 0.4  # words tell a good part, and not all
    assert told.exact.value < 0.95
