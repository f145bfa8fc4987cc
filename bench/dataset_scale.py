"""What the life of a large dataset costs: `python -m bench.dataset_scale [CASES]` (100000).

The cases are written as CSV, imported, validated without and with the search for near-duplicates,
divided and compared. CPU seconds are those of the whole command, start-up included. The last line
is the worst that near-duplicates can be: questions of one template, all much alike.
"""

from __future__ import annotations

import csv
import random
import sys
import tempfile
from pathlib import Path

from bench.measure import took

WORDS = [f"{one}{number}" for one in ("pump", "seal", "motor", "valve") for number in range(800)]


def main() -> None:
    """Print a row a command."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(f"{'command':<34} {'CPU s':>7} {'wall s':>7} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written(folder / "d.csv", size, template=False)
        written(folder / "t.csv", size, template=True)
        for command in (
            "import d.csv --from csv --out d.jsonl",
            "import t.csv --from csv --out t.jsonl",
            "validate d.jsonl --no-near --fail-on never",
            "validate d.jsonl --fail-on never",
            "split d.jsonl --out s.jsonl",
            "diff d.jsonl s.jsonl --json",
            "export s.jsonl --to csv --out e.csv",
            "validate t.jsonl --fail-on never",
        ):
            found = took(["-m", "ragproof", "dataset", *command.split()], folder)
            print(f"{command:<34.34} {found.cpu:>7.2f} {found.wall:>7.2f} {found.peak:>8.0f}")


def written(path: Path, size: int, *, template: bool) -> None:
    """Write cases of ten words a question, or of one template with a number in it."""
    draw = random.Random(1)
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(
            ["id", "question", "expected_answer", "expected_source_ids", "group", "tags.intent"]
        )
        for at in range(size):
            if template:
                question = f"what does the item with number {draw.randrange(10**9)} cost today?"
            else:
                question = " ".join(draw.choices(WORDS, k=10)) + "?"
            answer = " ".join(draw.choices(WORDS, k=12))
            sources = f'["d{draw.randrange(5000)}"]'
            sheet.writerow([f"c{at}", question, answer, sources, f"g{at // 4}", f"i{at % 8}"])


if __name__ == "__main__":
    main()
