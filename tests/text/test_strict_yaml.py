"""YAML's traps, each with the line and the remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import UsageError
from ragproof.text.strict_yaml import Yaml, read_yaml


def read(folder: Path, text: str | bytes) -> Yaml:
    path = folder / "c.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_yaml(path)


@pytest.mark.parametrize("word", ["on", "off", "yes", "no", "On", "YES"])
def test_words_that_yaml_reads_as_booleans_are_errors(tmp_path: Path, word: str) -> None:
    with pytest.raises(UsageError, match=rf'c\.yaml:2: a\.b: got {word} without.*Write "{word}"'):
        read(tmp_path, f"a:\n  b: {word}")
    with pytest.raises(UsageError, match=r"c\.yaml:1: got"):
        read(tmp_path, f"{word}: 1")
    assert read(tmp_path, f"a: '{word}'").value == {"a": word}


def test_true_and_false_are_the_booleans(tmp_path: Path) -> None:
    assert read(tmp_path, "[true, false, True, 'true']").value == [True, False, True, "true"]


@pytest.mark.parametrize("text", ["010", "0x1f", "1:30", "1_000", ".nan", ".inf", "-.INF"])
def test_numbers_that_are_not_plain_decimals_are_errors(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"c\.yaml:1: a: got .* no finite decimal number"):
        read(tmp_path, f"a: {text}")


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e-3", 0.001), (".5", 0.5), ("-7", -7), ("+1.0", 1.0), ("1E5", 1e5), ("0", 0)],
)
def test_decimals_are_numbers_however_they_are_written(
    tmp_path: Path, text: str, value: float
) -> None:
    found = read(tmp_path, f"a: {text}").value["a"]
    assert (found, type(found)) == (value, type(value))


def test_a_number_too_large_to_be_finite_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="too large for a number"):
        read(tmp_path, "a: 1e999")


def test_dates_stay_text(tmp_path: Path) -> None:
    assert read(tmp_path, "a: 2026-01-31").value == {"a": "2026-01-31"}


def test_a_key_twice_names_both_lines(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"c\.yaml:3: a\.b: this key is already at line 2"):
        read(tmp_path, "a:\n  b: 1\n  b: 2")


def test_keys_are_text(tmp_path: Path) -> None:
    assert read(tmp_path, "2024: a\n~: b").value == {"2024": "a", "~": "b"}
    with pytest.raises(UsageError, match="a key must be text"):
        read(tmp_path, "? [a]\n: b")


def test_every_value_knows_its_line(tmp_path: Path) -> None:
    found = read(tmp_path, "a:\n  b: 1\n  c:\n  - x\n  - {d: 2}\n")
    assert found.where(("a", "b")).endswith("c.yaml:2")
    assert [found.line(place) for place in [("a", "c"), ("a", "c", 1, "d"), ()]] == [3, 5, 1]
    assert found.line(("a", "c", 1, "d", "not", "there")) == 5


def test_aliases_and_merges_are_followed_and_what_is_written_out_wins(tmp_path: Path) -> None:
    found = read(tmp_path, "base: &b {x: 1, y: 2}\nm:\n  y: 3\n  <<: *b\nl: [*b]\n")
    assert found.value == {"base": {"x": 1, "y": 2}, "m": {"x": 1, "y": 3}, "l": [{"x": 1, "y": 2}]}
    assert found.line(("m", "y")) == 3


def test_an_alias_that_holds_itself_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="an alias that holds itself"):
        read(tmp_path, "a: &a [*a]")


def test_aliases_that_stand_for_too_much_are_an_error(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    with pytest.raises(UsageError, match="stands for too much"):
        read(tmp_path, "\n".join(lines))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1,", r"c\.yaml:1: not YAML"),
        ("a: 1\n\tb: 2", r"c\.yaml:2: not YAML"),
        ("a: 1\n---\nb: 2", r"c\.yaml:2: not YAML: expected a single document"),
        ("a: !!python/object:os.system x", r"c\.yaml:1: a: the tag .* is not supported"),
        ("a: !!set {b}", "is not supported"),
        ("a: 1\nb: \x07", r"c\.yaml:2: not YAML: special characters"),
        ('a: "\\ud800"', r"c\.yaml:1: a: holds the lone surrogate U\+D800"),
        ("[" * 5_000, "nested too deep"),
        (b"a: 1\nb: \xff", r"c\.yaml:2: byte 0xff at offset 8"),
        ("a: 1".encode("utf-16"), "UTF-16"),
        ("a: *b", "undefined alias"),
        ("<<: 5", "<< takes a mapping"),
    ],
)
def test_each_fault_is_one_clear_sentence(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "\ufeff"])
def test_an_empty_file_holds_nothing(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text).value is None


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text("ab01.:-# \n"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc", min_size=1), inner),
)


@given(PLAIN)
def test_what_yaml_writes_of_plain_values_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, value: Any
) -> None:
    assert (
        read(tmp_path_factory.mktemp("yaml"), yaml.safe_dump(value, default_style='"')).value
        == value
    )
