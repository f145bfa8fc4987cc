"""Every way in which a command can end has its exit code, its sentence and its document."""

from __future__ import annotations

import errno
import io
import json
from collections.abc import Callable

import click
import pytest

from ragproof.cli.main import exit_code, root
from ragproof.core import RunError, StoreError, UsageError


def ends(error: BaseException) -> Callable[[], object]:
    def run() -> object:
        raise error

    return run


@pytest.mark.parametrize(
    ("run", "code"),
    [
        (lambda: None, 0),
        (lambda: "a result", 0),
        (lambda: 1, 1),
        (ends(RunError("no")), 2),
        (ends(StoreError("no")), 2),
        (ends(OSError(28, "No space left on device")), 2),
        (ends(PermissionError(13, "Permission denied", "/root/d.jsonl")), 2),
        (ends(OSError(errno.ENAMETOOLONG, "File name too long", "a" * 5000)), 3),
        (ends(ZeroDivisionError()), 2),
        (ends(UsageError("no")), 3),
        (ends(click.UsageError("no")), 3),
        (ends(KeyboardInterrupt()), 130),
        (ends(click.Abort()), 130),
    ],
)
def test_how_it_ends_gives_the_code(
    run: Callable[[], object], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragproof.cli.main.drop", lambda _: None)
    assert exit_code(run) == code


@pytest.mark.parametrize(
    ("error", "document"),
    [
        (RunError("half \ud800"), {"status": "failed", "error": "half \ud800"}),
        (KeyboardInterrupt(), {"status": "interrupted", "error": "stopped"}),
        (UsageError("no"), None),
    ],
)
def test_a_script_is_told_in_json_unless_its_own_input_is_wrong(
    error: BaseException, document: object, capsys: pytest.CaptureFixture[str]
) -> None:
    out = io.StringIO()
    exit_code(ends(error), out)
    assert (json.loads(out.getvalue()) if out.getvalue() else None) == document
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("ragproof: ")


def test_a_fault_of_our_own_shows_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(ends(ZeroDivisionError()))
    assert "Traceback" in (err := capsys.readouterr().err)
    assert err.endswith("this is a fault of ragproof itself; nothing saved is lost\n")


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        root.main(["--help"])
    assert "Prove that a RAG pipeline works" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["nan", "inf", "1.5"])
def test_no_option_takes_what_is_no_number_within_its_bounds(
    value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["index", "recall", "--min-recall", value]
    assert exit_code(lambda: root.main(asked, standalone_mode=False)) == 3
    assert "Invalid value for '--min-recall'" in capsys.readouterr().err


def test_a_message_shows_what_it_quotes_and_a_terminal_obeys_none_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exit_code(ends(UsageError("got '\x1b[2J\u202e\u2028é漢'\n\tand more")))
    assert capsys.readouterr().err == ("ragproof: got '\\x1b[2J\\u202e\\u2028é漢'\n\tand more\n")


def test_what_is_wrong_with_a_file_is_not_told_of_the_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exit_code(ends(PermissionError(13, "Permission denied", "/root/d.jsonl")))
    assert capsys.readouterr().err == "ragproof: /root/d.jsonl: Permission denied\n"
    exit_code(ends(OSError(errno.ENAMETOOLONG, "File name too long", "a" * 5000)))
    assert capsys.readouterr().err == f"ragproof: {'a' * 60} ...: a name of 5,000 characters\n"
