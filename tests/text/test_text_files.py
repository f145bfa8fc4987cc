"""Bytes of other people's files: encodings, line ends, files that cannot be read."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.core import RunError, UsageError
from ragproof.text.clean import uncarried, unclean
from ragproof.text.files import at_home, whole, write_new, write_whole
from ragproof.text.jsonl import read_lines
from ragproof.text.nearest import nearest


def lines_of(folder: Path, content: bytes) -> list[tuple[int, bytes]]:
    path = folder / "f.jsonl"
    path.write_bytes(content)
    return list(read_lines(path))


def test_lines_are_numbered_from_one_and_blank_ones_are_counted_but_not_given(
    tmp_path: Path,
) -> None:
    assert lines_of(tmp_path, b"a\n\n  \nb") == [(1, b"a"), (4, b"b")]


def test_a_byte_order_mark_and_crlf_are_no_part_of_a_line(tmp_path: Path) -> None:
    assert lines_of(tmp_path, b"\xef\xbb\xbfa\r\nb\r\n") == [(1, b"a"), (2, b"b")]
    assert lines_of(tmp_path, b"\xef\xbb\xbf\nb") == [(2, b"b")]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    text = '{"a": "x\u2028y\u2029z\u0085\x0b\x0c"}'
    assert lines_of(tmp_path, text.encode() + b"\n1") == [(1, text.encode()), (2, b"1")]


def test_a_line_of_ten_megabytes_is_one_line(tmp_path: Path) -> None:
    long = b"x" * 10_000_000
    assert lines_of(tmp_path, b"a\n" + long + b"\nb") == [(1, b"a"), (2, long), (3, b"b")]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert lines_of(tmp_path, b"") == []


@given(st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]))))
def test_what_was_written_line_by_line_is_read_line_by_line(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    path = tmp_path_factory.mktemp("lines") / "f"
    kept = [text.lstrip("\ufeff") for text in texts]
    path.write_bytes("".join(f"{text}\n" for text in kept).encode())
    expected = [
        (number, text.encode())
        for number, text in enumerate(kept, 1)
        if text.encode().strip()  # blank means: nothing but ASCII white space
    ]
    assert list(read_lines(path)) == expected


def test_a_byte_that_is_not_utf8_is_named_with_line_and_offset(tmp_path: Path) -> None:
    # "ab\n" is 3 bytes, the mark 3 more, so that 0xff in the second line is byte 3 + 3 + 2
    with pytest.raises(UsageError, match=r"f\.jsonl:2: byte 0xff at offset 8 of the file"):
        lines_of(tmp_path, b"\xef\xbb\xbfab\n\xc3\xa9\xff\n")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_recognised_and_the_remedy_named(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(UsageError, match=r"UTF-(16|32).*Save it as UTF-8"):
        lines_of(tmp_path, '{"id": 1}'.encode(encoding))


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        list(read_lines(tmp_path / "none"))
    with pytest.raises(UsageError, match="this is a folder; name a file"):
        list(read_lines(tmp_path))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give up rights")
def test_a_file_without_permission_is_a_clear_error() -> None:
    code = (
        "import os, sys; from pathlib import Path\n"
        "from ragproof.text.jsonl import read_lines\n"
        "from ragproof.core import UsageError\n"
        "os.setuid(65534)\n"
        "try: list(read_lines(Path(sys.argv[1])))\n"
        "except UsageError as fault: print(fault)\n"
    )
    with tempfile.TemporaryDirectory() as folder:  # pytest's own is closed to other users
        Path(folder).chmod(0o755)
        path = Path(folder) / "f"
        path.write_bytes(b"a")
        path.chmod(0)
        told = subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
        )
    assert "no permission to read the file" in told.stdout


def test_a_file_is_written_whole_and_replaces_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_whole(path, "eins\n")
    write_whole(path, "zwölf\n")
    assert path.read_bytes() == "zwölf\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_whose_writing_fails_is_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_whole(path, "before")

    def fail() -> None:
        with whole(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_who_may_read_a_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_whole(path, "before")
    path.chmod(0o640)
    write_whole(path, "after")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("after", 0o640)


def test_a_link_leads_to_the_file_that_is_replaced(tmp_path: Path) -> None:
    path, link = tmp_path / "f", tmp_path / "link"
    link.symlink_to(path)
    write_whole(link, "x")
    assert (path.read_text(), link.is_symlink()) == ("x", True)


def test_a_pipe_is_written_to_and_not_replaced() -> None:
    code = "import sys; from pathlib import Path; from ragproof.text.files import write_whole; "
    code += "write_whole(Path('/dev/stdout'), 'told'); write_whole(Path('/dev/null'), 'lost')"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "told"
    assert not Path("/dev/null").is_file()


def test_a_new_file_overwrites_none(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_new(path, "mine")
    with pytest.raises(UsageError, match="f is there already; nothing is overwritten"):
        write_new(path, "other")
    assert path.read_text() == "mine"
    with pytest.raises(RunError, match="cannot be written: No such file or directory"):
        write_new(tmp_path / "none" / "f", "x")


def test_a_folder_that_is_missing_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="the file cannot be written: No such file or directory"):
        write_whole(tmp_path / "none" / "f", "x")


def test_the_nearest_name_is_found_whatever_the_case() -> None:
    assert nearest("QA", ["qa", "injection"]) == " Did you mean 'qa'?"
    assert nearest("retrieval.recal_at_k", ["retrieval.recall_at_k", "retrieval.mrr"]) == (
        " Did you mean 'retrieval.recall_at_k'?"
    )


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    assert nearest("zebra", ["qa"]) == ""
    assert nearest("", []) == ""


@given(st.text())
def test_clean_text_has_no_control_character(text: str) -> None:
    assert bool(unclean(text)) == any(
        ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" for c in text
    )


def test_lone_surrogates_are_named() -> None:
    assert unclean("a\ud800") == uncarried("a\ud800") == "the lone surrogate U+D800"
    assert uncarried("a\0") == ""


def test_a_home_that_nobody_has_is_wrong_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert at_home("~/d.jsonl") == Path("/home/ada/d.jsonl")
    with pytest.raises(UsageError, match=r"^~no\.such\.user/d: no home folder of ~no\.such\.user"):
        at_home(Path("~no.such.user/d"))
