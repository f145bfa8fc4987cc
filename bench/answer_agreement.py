"""How far local metrics go with people: `python -m bench.answer_agreement [DATA]`.

DATA is the folder `mtrag_human`, by default `../shared/data/mtrag_human`: 276 answers whose
faithfulness to their passages three people rated from 1 to 4. For each metric that asks no model:
Spearman's rank correlation with the mean of the three; and for the flag of unseen entities its
precision and recall for answers that people found less than wholly faithful (mean under 4).
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from scipy.stats import spearmanr

from ragproof.core import Absent, Answer, CaseRun, Chunk, Observation, QuestionCase
from ragproof.metrics import catalog

MTRAG = Path(__file__).parents[2] / "shared/data/mtrag_human"
METRICS = (
    "generation.k_precision",
    "generation.quantities_supported",
    "generation.unseen_entities",
)
WHOLLY = 4.0


@dataclass(frozen=True)
class Agreement:
    """One metric against people."""

    answers: int
    """Those that it scored."""
    rho: float
    precision: float | None
    """Of the flag, value 1; None for a metric that is none."""
    recall: float | None


def rated(folder: Path) -> Iterator[tuple[CaseRun, float]]:
    """Each answer with its passages, and the mean of its ratings."""
    with gzip.open(folder / "human_evaluations.json.gz", "rt", encoding="utf-8") as text:
        data = json.load(text)
    documents = {one["document_id"]: one["text"] for one in data["documents"]}
    tasks = {one["task_id"]: one for one in data["tasks"]}
    for one in data["evaluations"]:
        task = tasks[one["task_id"]]
        names = [context["document_id"] for context in task["contexts"]]
        answer = Answer(
            answer_text=one["model_response"],
            retrieved_chunks=tuple(Chunk(id=name, text=documents[name]) for name in names),
        )
        case = QuestionCase(id=one["task_id"], question=task["input"][-1]["text"])
        ratings = one["annotations"]["faithfulness"]
        yield (
            CaseRun(case, Observation(case_id=case.id, answer=answer)),
            fmean(map(float, ratings)),
        )


def agreement(folder: Path) -> dict[str, Agreement]:
    """Every metric against the people."""
    answers = list(rated(folder))
    found = {}
    for name in METRICS:
        metric: Any = catalog.build(name)
        pairs: list[tuple[float, float]] = []
        for run, rating in answers:
            with suppress(Absent):
                pairs.append((metric.score(run).value, rating))
        rho = float(spearmanr(*zip(*pairs, strict=True)).statistic)
        is_flag = name == "generation.unseen_entities"
        shares = _shares(pairs) if is_flag else (None, None)
        found[name] = Agreement(len(pairs), rho, *shares)
    return found


def _shares(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    flagged = [rating < WHOLLY for value, rating in pairs if value == 1]
    unfaithful = [value == 1 for value, rating in pairs if rating < WHOLLY]
    return fmean(flagged), fmean(unfaithful)


def main(folder: Path) -> None:
    """Print a line a metric."""
    for name, one in agreement(folder).items():
        text = f"{name:34} {one.answers:4} answers  Spearman {one.rho:+.2f}"
        if one.precision is not None:
            text += f"  precision {one.precision:.2f}  recall {one.recall:.2f}"
        print(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else MTRAG)
