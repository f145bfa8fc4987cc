"""What `ragproof drift` takes of large samples: `python -m bench.drift_scale [ROWS,...]`.

Two samples of 384 dimensions, by default of 10,000 and of 100,000 rows each, the second moved by a
tenth of a standard deviation. Prints CPU seconds, wall time, peak memory and the ratio of that to
the two files. Exits with 1 where the shift is missed, memory is above 6 times the files plus
300 MB, or 10 times the rows take more than 15 times the CPU.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from bench.measure import Took, took

DIMENSIONS = 384


def measured(rows: int, folder: Path) -> tuple[Took, float]:
    draw, size = np.random.default_rng(rows), 0
    for name, shift in (("before", 0.0), ("now", 0.1)):
        values = draw.normal(size=(rows, DIMENSIONS)).astype(np.float32)
        values[:, :20] += shift
        np.save(folder / f"{name}.npy", values)
        size += values.nbytes
    found = took(["-m", "ragproof", "drift", "before.npy", "now.npy", "--json"], folder)
    told = json.loads(found.output)
    if told["verdict"] != "drift":
        raise RuntimeError(f"{rows} rows: {told['verdict']}")
    blocks = next(one["blocks"] for one in told["detectors"] if one["name"] == "mmd")
    files = size / 1e6
    print(
        f"{rows:>9,} rows a sample: {found.cpu:.1f} CPU s, {found.wall:.1f} s, peak "
        f"{found.peak:.0f} MB, {found.peak / files:.1f}x the files, {blocks} blocks"
    )
    return found, files


def main(sizes: list[int]) -> int:
    fine, before = True, None
    for rows in sizes:
        with tempfile.TemporaryDirectory() as name:
            found, files = measured(rows, Path(name))
        fine &= found.peak < 6 * files + 300
        if before is not None:
            fine &= found.cpu / before[1] < 1.5 * rows / before[0]
        before = rows, found.cpu
    return 0 if fine else 1


if __name__ == "__main__":
    asked = sys.argv[1] if len(sys.argv) > 1 else "10000,100000"
    sys.exit(main([int(one) for one in asked.split(",")]))
