"""What `ragproof.core` offers, and what importing it costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from ragproof import core


def test_what_types_are_told_is_what_is_offered() -> None:
    tree = ast.parse(Path(str(core.__file__)).read_text(encoding="utf-8"))
    told = {
        name.name: str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("ragproof.core.")
        for name in node.names
    }
    assert set(told) <= set(dir(core))
    for name, module in told.items():
        assert getattr(core, name) is getattr(sys.modules[module], name)


def test_a_word_that_is_none_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Casse'"):
        core.Casse  # type: ignore[attr-defined]  # noqa: B018


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    program = (
        "import sys; from ragproof.core import UsageError;"
        "print([one for one in sys.modules if one.startswith('ragproof.core.')])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ast.literal_eval(told.stdout) == ["ragproof.core.outcome", "ragproof.core.errors"]
