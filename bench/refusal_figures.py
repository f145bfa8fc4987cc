"""Precision, recall and speed of the refusal rule: `python -m bench.refusal_figures [DATA]`.

DATA is a folder with `nomiracl` and `clapnq` in it, by default `../shared/data`. Without it only
the answers that came with the tests are read.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from time import process_time

from ragproof.text.refusal import refusal

TESTS = Path(__file__).parents[1] / "tests/text"


def declines(text: str) -> bool:
    """Whether the rule takes the text for a refusal."""
    verdict = refusal(text)
    return verdict is not None and verdict.refused


def figures(name: str, labelled: Iterable[tuple[str, bool]]) -> None:
    """Print precision and recall."""
    pairs = [(declines(text), refused) for text, refused in labelled]
    right, wrong, missed = (
        pairs.count(one) for one in ((True, True), (True, False), (False, True))
    )
    print(
        f"{name:24} {len(pairs):5} answers  precision {right}/{right + wrong} = "
        f"{right / (right + wrong):.3f}  recall {right}/{right + missed} = "
        f"{right / (right + missed):.3f}"
    )


def own() -> Iterator[tuple[str, str, bool]]:
    """Part, text and label of the answers that came with the tests."""
    for line in (TESTS / "refusal_answers.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        yield one["part"], one["text"], one["refused"]


def nomiracl(folder: Path) -> Iterator[tuple[str, bool]]:
    """The outputs that were labelled by hand."""
    labels = json.loads((TESTS / "nomiracl_labels.json").read_text(encoding="utf-8"))
    seen: set[str] = set()
    for part in ("relevant", "non_relevant"):
        with gzip.open(folder / f"{part}.en.test.vanilla_prompt.jsonl.gz", "rt") as lines:
            for line in lines:
                seen |= {text.strip() for text in json.loads(line)["results"].values()}
    for text in sorted(seen):
        name = sha256(text.encode()).hexdigest()[:12]
        if name in labels["refused"] or name in labels["answered"]:
            yield text, name in labels["refused"]


def clapnq(file: Path) -> list[str]:
    """What people answered to questions that can be answered."""
    cases = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [output["answer"] for case in cases for output in case["output"] if output["answer"]]


def speed(texts: list[str]) -> None:
    """Print the time for an answer, at its best of five rounds."""
    best = float("inf")
    for _ in range(5):
        started = process_time()
        for text in texts:
            refusal(text)
        best = min(best, process_time() - started)
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(f"speed: {best / len(texts) * 1e6:.0f} us for an answer of {words:.0f} words")


def main(folder: Path) -> None:
    """Print all that can be had."""
    for part in ("tuning", "held_out"):
        figures(part, ((text, refused) for one, text, refused in own() if one == part))
    if (folder / "nomiracl").is_dir():
        figures("nomiracl, by hand", nomiracl(folder / "nomiracl"))
    if (folder / "clapnq").is_dir():
        given = clapnq(folder / "clapnq/clapnq_dev_answerable.jsonl")
        answers = [text for text in given if text.strip() not in {"NA", "."}]
        print(f"clapnq: {sum(map(declines, answers))} of {len(answers)} answers taken for refusals")
        speed([text for text in answers if 40 <= len(text.split()) <= 80])


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data"))
