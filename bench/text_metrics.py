"""CPU seconds of the text metrics that ask no model: `python -m bench.text_metrics [ANSWERS]`.

10,000 answers of 200 words, each against 5 chunks of 200 words that no other answer has, with a
figure, in every form, and a name every 36 words: as often as in real passages. All of it may take
15 CPU seconds.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ragproof.core import Absent, Answer, CaseRun, Chunk, Observation, QuestionCase
from ragproof.metrics import catalog

METRICS = (
    "citation.marker_validity",
    "generation.exact_match",
    "generation.k_precision",
    "generation.quantities_supported",
    "generation.token_f1",
    "generation.unseen_entities",
)
ANSWERS, WORDS, CHUNKS = 10_000, 200, 5
EVERY = 36
"""Words to a figure, as in the passages and answers of mtrag_human (36 and 38)."""
FIGURES = ("{} km", "{}", "{} %", "5 March {}", "two years", "${}", "{}.5", "{} million")
NAMES = ("Ada Lovelace", "Oslo", "Bank of England", "GPT-4", "Rosalind Franklin")


def words(chance: random.Random, vocabulary: list[str]) -> str:
    """Sentences of about ten words."""
    said = chance.choices(vocabulary, k=WORDS)
    for at in range(0, WORDS, 10):
        said[at] = said[at].capitalize()
        said[min(at + 9, WORDS - 1)] += "."
    for at in range(5, WORDS, EVERY):
        number = str(chance.randint(1, 3_000))
        said[at] = chance.choice(FIGURES).format(number)
        said[at - 3] = chance.choice(NAMES)
    return " ".join(said)


def runs(count: int) -> Iterator[CaseRun]:
    """Answers and their contexts, the same every time."""
    chance = random.Random(7)
    vocabulary = ["".join(chance.choices("abdegiklmnorstu", k=3 + n % 7)) for n in range(5_000)]
    for number in range(count):
        chunks = tuple(Chunk(id=f"d{n}", text=words(chance, vocabulary)) for n in range(CHUNKS))
        answer = Answer(answer_text=words(chance, vocabulary) + " [1][2]", retrieved_chunks=chunks)
        case = QuestionCase(id=f"q{number}", question="What of it?", expected_answer="Oslo")
        yield CaseRun(case, Observation(case_id=case.id, answer=answer))


def main(count: int) -> None:
    """Time every metric, one case after the other as a run has them."""
    metrics: dict[str, Any] = {name: catalog.build(name) for name in METRICS}
    spent = dict.fromkeys(METRICS, 0.0)
    for run in runs(count):
        for name, metric in metrics.items():
            began = time.process_time()
            with suppress(Absent):
                metric.score(run)
            spent[name] += time.process_time() - began
    for name, seconds in spent.items():
        print(f"{name:34} {seconds:7.2f} s")
    print(f"{'all':34} {sum(spent.values()):7.2f} s CPU of {count:,} answers; at most 15 of 10,000")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ANSWERS)
