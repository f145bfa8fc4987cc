"""What importing traffic costs: `python -m bench.traffic_scale [SPANS ...]` (10000 100000).

The spans of `ragproof monitor demo`, three a trace and a batch a line, again and again under other
ids of trace and session. CPU and memory are those of `ragproof monitor import` as a command.
"""

from __future__ import annotations

import re
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

from bench.measure import took
from ragproof.demo import traffic

TRACE = re.compile(r'(?<="traceId": ")[0-9a-f]{32}(?=")')
SPANS = 3
"""A line of what the demo writes."""


def main() -> None:
    """Print a row a size."""
    print(f"{'spans':>9} {'MB':>7} {'CPU s':>7} {'peak MB':>8}")
    for size in [int(one) for one in sys.argv[1:]] or [10_000, 100_000]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            written = fill(folder, size)
            files = ["spans.jsonl", "--out", "traffic"]
            cost = took(["-m", "ragproof", "monitor", "import", *files], folder)
        print(f"{size:>9,} {written / 1e6:>7.0f} {cost.cpu:>7.1f} {cost.peak:>8.0f}")


def fill(folder: Path, spans: int) -> int:
    """Write so many spans; return the bytes."""
    traffic.write(folder / "demo")
    lines = (folder / "demo" / traffic.TRACES).read_text(encoding="utf-8").splitlines()
    path = folder / "spans.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(spans // SPANS):
            turn, at = divmod(number, len(lines))

            def anew(found: re.Match[str], turn: int = turn) -> str:
                return sha256(f"{found[0]}/{turn}".encode()).hexdigest()[:32]

            line = TRACE.sub(anew, lines[at]).replace('"session-', f'"session-{turn}-')
            file.write(f"{line}\n")
    return path.stat().st_size


if __name__ == "__main__":
    main()
