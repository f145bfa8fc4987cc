"""How far local metrics go with people: `python -m bench.answer_agreement [DATA]`.

DATA is a folder with `mtrag_human` and `begin` in it, by default `../shared/data`. MTRAG has 276
answers whose faithfulness to their passages three people rated from 1 to 4: for each metric that
asks no model Spearman's rank correlation with the mean of the three. For the flag of unseen
entities there are precision and recall besides: on MTRAG for answers that people found less than
wholly faithful (mean under 4), on BEGIN's 430 turns of dialogue (Wizard of Wikipedia, dev) for
those labelled not fully attributable.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from scipy.stats import spearmanr

from ragproof.core import Absent, Answer, CaseRun, Chunk, Observation, QuestionCase
from ragproof.metrics import catalog

DATA = Path(__file__).parents[2] / "shared/data"
MTRAG, BEGIN = DATA / "mtrag_human", DATA / "begin"
FLAG = "generation.unseen_entities"
METRICS = (
    "generation.k_precision",
    "generation.quantities_supported",
    FLAG,
)
WHOLLY = 4.0


@dataclass(frozen=True)
class Agreement:
    """One metric against people."""

    answers: int
    """Those that it scored."""
    rho: float


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
        found[name] = Agreement(len(pairs), rho)
    return found


@dataclass(frozen=True)
class Flag:
    """The flag against labels. What it does not score, having no entity, it does not flag."""

    flagged: int
    right: int
    """Flagged, and unfaithful to people."""
    unfaithful: int
    scored: int
    """Of the unfaithful, those that have an entity."""

    @property
    def text(self) -> str:
        """Precision and recall, with their counts."""
        shares = {
            "precision": self.flagged,
            "recall": self.unfaithful,
            "recall where it has an entity": self.scored,
        }
        return "  ".join(
            f"{name} {self.right}/{of} = {self.right / of:.2f}" for name, of in shares.items()
        )


def attributed(folder: Path) -> Iterator[tuple[CaseRun, bool]]:
    """Each turn of BEGIN with its knowledge, and whether it is unfaithful to it."""
    with (folder / "wow/begin_dev_wow.tsv").open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines, delimiter="\t")):
            known = (Chunk(id="knowledge", text=row["knowledge"]),)
            answer = Answer(answer_text=row["response"], retrieved_chunks=known)
            case = QuestionCase(id=str(number), question=row["message"] or "?")
            run = CaseRun(case, Observation(case_id=case.id, answer=answer))
            yield run, row["begin_label"] == "Not fully attributable"


def flag(answers: Iterable[tuple[CaseRun, bool]]) -> Flag:
    """The flag on answers that are labelled as unfaithful or not."""
    metric: Any = catalog.build(FLAG)
    seen: list[tuple[float | None, bool]] = []
    for run, unfaithful in answers:
        value = None
        with suppress(Absent):
            value = metric.score(run).value
        seen.append((value, unfaithful))
    flagged = [unfaithful for value, unfaithful in seen if value == 1]
    lacking = [value for value, unfaithful in seen if unfaithful]
    return Flag(len(flagged), sum(flagged), len(lacking), len(lacking) - lacking.count(None))


def main(folder: Path) -> None:
    """Print a line a metric, then the flag's."""
    mtrag = folder / "mtrag_human"
    for name, one in agreement(mtrag).items():
        print(f"{name:34} {one.answers:4} answers  Spearman {one.rho:+.2f}")
    rates = ((run, rating < WHOLLY) for run, rating in rated(mtrag))
    print(f"{FLAG}, MTRAG: {flag(rates).text}")
    print(f"{FLAG}, BEGIN: {flag(attributed(folder / 'begin')).text}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
