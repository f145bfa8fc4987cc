"""How long ontologies take to load, and their metrics over 10,000 cases: CPU seconds.

`python -m bench.ontology [FILE ...]`. The ontology is made: 20,000 entities, a third with two
parents; files named are loaded as well.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ragproof.core import Answer, CaseRun, Mention, Observation, QuestionCase, Tools, Trace
from ragproof.datasets.ontologies import load_ontology
from ragproof.engine.score import Scorer
from ragproof.metrics import catalog

ENTITIES, CASES = 20_000, 10_000
HIERARCHICAL = ("hierarchical_precision", "hierarchical_recall", "hierarchical_f1", "wu_palmer")


def rows(chance: random.Random) -> str:
    """A table of children and parents."""
    lines = ["child,parent", "e0,"]
    for one in range(1, ENTITIES):
        above = {chance.randrange(one) for _ in range(1 + (chance.random() < 1 / 3))}
        lines += [f"e{one},e{up}" for up in above]
    return "\n".join(lines)


def run(chance: random.Random) -> CaseRun:
    """A question with an entity, rightly linked half the time."""
    right = f"e{chance.randrange(ENTITIES)}"
    given = right if chance.random() < 0.5 else f"e{chance.randrange(ENTITIES)}"
    expected, found = (
        (Mention(start=0, end=1, text="x", entity_id=one),) for one in (right, given)
    )
    case = QuestionCase(id="q", question="x", expected_entities=expected)
    answer = Answer(answer_text="", trace=Trace(entities=found))
    return CaseRun(case, Observation(case_id="q", answer=answer))


def timed(what: str, work: Callable[[], object]) -> None:
    """Print how much CPU the work took."""
    begun = time.process_time()
    work()
    print(f"{what:<56}{time.process_time() - begun:8.2f} CPU s")


def main() -> None:
    """Load and score."""
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.csv"
        path.write_text(rows(chance), encoding="utf-8")
        timed(f"load {ENTITIES} entities", lambda: load_ontology(path))
        tools = Tools(ontology=load_ontology(path))
    for file in map(Path, sys.argv[1:]):
        timed(f"load {file.name}", lambda file=file: load_ontology(file))  # type: ignore[misc]
    runs = [run(chance) for _ in range(CASES)]
    metrics = {one: catalog.build(f"ontology.{one}") for one in HIERARCHICAL}

    async def score() -> None:
        scorer = Scorer(metrics)
        for one in runs:
            await scorer.outcomes(one, tools)

    timed(f"{len(metrics)} hierarchical metrics on {CASES} cases", lambda: asyncio.run(score()))


if __name__ == "__main__":
    main()
