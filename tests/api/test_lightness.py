"""`import ragproof` costs next to nothing, and nothing but the plugin needs pytest."""

from __future__ import annotations

import subprocess
import sys

LIGHT = """
import sys
before = {*sys.modules}
import ragproof
told = sorted(one.partition(".")[0] for one in {*sys.modules} - before)
assert set(told) <= {"ragproof", "importlib", "warnings", "_frozen_importlib"}, told
sys.modules["pytest"] = None
import ragproof.core
result = ragproof.evaluate([{"id": "q", "question": "?", "expected_answer": "yes"}],
                           lambda question: {"answer_text": "yes"}, "generation.exact_match")
print(result.mean("generation.exact_match"))
"""


def test_importing_it_imports_nothing_else_and_pytest_is_not_needed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout) == (0, "1.0\n"), done.stderr
