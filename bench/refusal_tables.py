"""The table of refusals over real outputs: `python -m bench.refusal_tables [DATA]`.

DATA is a folder with `nomiracl` and `clapnq` in it, by default `../shared/data`. NoMIRACL has what
eleven models answered to 250 questions whose passages hold an answer and to 250 whose passages do
not: the second are retrieval misses. CLAPNQ has what people answered to 300 questions; to 300 more
that cannot be answered they gave nothing, which is a refusal. Each is run as a user would run it:
recorded observations, `robustness.refused`, the table of the report.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ragproof

DATA = Path(__file__).parents[2] / "shared/data"
PARTS = {"relevant": True, "non_relevant": False}


@dataclass(frozen=True)
class Said:
    """A question and what was answered."""

    id: str
    question: str
    answer: str
    kind: str = "qa"
    permitted: bool | None = None
    """Whether the passages hold an answer, where that is known."""


def nomiracl(folder: Path) -> dict[str, list[Said]]:
    """By model."""
    found: dict[str, list[Said]] = {}
    for part, permitted in PARTS.items():
        with gzip.open(folder / f"{part}.en.test.vanilla_prompt.jsonl.gz", "rt") as lines:
            for number, line in enumerate(lines):
                one = json.loads(line)
                question = one["prompt"].split("QUESTION:\n")[1].split("\n")[0]
                for model, output in one["results"].items():
                    said = Said(f"{part}-{number}", question, output, permitted=permitted)
                    found.setdefault(model, []).append(said)
    return found


def clapnq(folder: Path) -> Iterator[Said]:
    """Of several answers to a question the first."""
    for kind, part in (("qa", "answerable"), ("unanswerable", "unanswerable")):
        lines = (folder / f"clapnq_dev_{part}.jsonl").read_text(encoding="utf-8").splitlines()
        for one in map(json.loads, lines):
            answer = one["output"][0]["answer"] if one["output"] else ""
            yield Said(f"{part}-{one['id']}", one["input"], answer, kind)


def table(said: list[Said]) -> dict[str, dict[str, int]]:
    """`refusals` of the run's summary: situation to counts."""
    cases = [
        {"id": one.id, "question": one.question, "kind": one.kind}
        | ({} if one.permitted is None else {"answerable_from_context": one.permitted})
        for one in said
    ]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "observations.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            for one in said:
                seen = {"case_id": one.id, "answer": {"answer_text": one.answer}}
                lines.write(json.dumps(seen) + "\n")
        result = ragproof.evaluate(cases, file, ["robustness.refused"])
    document: Any = result.document
    return dict(document["refusals"])


def tables(folder: Path) -> Iterator[tuple[str, dict[str, dict[str, int]]]]:
    """Name and table of whatever data there is."""
    if (folder / "nomiracl").is_dir():
        for model, said in sorted(nomiracl(folder / "nomiracl").items()):
            yield f"NoMIRACL, {model}", table(said)
    if (folder / "clapnq").is_dir():
        yield "CLAPNQ, people", table([*clapnq(folder / "clapnq")])


def main(folder: Path) -> None:
    """Print a line a situation."""
    for name, rows in tables(folder):
        print(name)
        for situation, row in rows.items():
            counts = "  ".join(f"{key} {count}" for key, count in row.items())
            print(f"  {situation:16} {counts}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
