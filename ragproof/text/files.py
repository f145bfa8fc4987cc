"""Reading text files that someone else wrote, and writing our own whole or not at all."""

from __future__ import annotations

import codecs
import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ragproof.core import RunError, UsageError

_OTHER_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open for reading bytes; whatever goes wrong with the file itself is a UsageError."""
    try:
        with path.open("rb") as file:
            yield file
    except OSError as fault:
        raise UsageError(f"{path}: {_complaint(fault)}") from fault


def at_home(path: Path | str) -> Path:
    """The path with the home folder for its `~`. Raises UsageError where it is that of nobody."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        user = Path(path).parts[0]
        raise UsageError(f"{path}: no home folder of {user} is known; write ./{path}?") from None


def as_utf8(raw: bytes, path: Path, line: int = 1, offset: int = 0) -> str:
    """Decode bytes that begin in this line, at this offset of the file."""
    try:
        return raw.decode()
    except UnicodeDecodeError as fault:
        line += raw.count(b"\n", 0, fault.start)
        raise UsageError(
            f"{path}:{line}: byte 0x{raw[fault.start]:02x} at offset {offset + fault.start} of the "
            "file is not UTF-8. Save the file as UTF-8"
        ) from fault


def without_bom(start: bytes, path: Path) -> bytes:
    """Take the byte order mark off the start of a file; refuse what is plainly not UTF-8."""
    for mark, name in _OTHER_ENCODINGS.items():
        if start.startswith(mark):
            raise UsageError(f"{path}: the file is {name}. Save it as UTF-8")
    if b"\0" in start[:4]:
        raise UsageError(f"{path}: the file is UTF-16 or binary. Save it as UTF-8")
    return start.removeprefix(codecs.BOM_UTF8)


def is_any_of(path: Path, others: Iterable[Path | None]) -> bool:
    """Whether it is there and the same file as another, by whatever names."""
    return path.exists() and any(
        one is not None and one.exists() and path.samefile(one) for one in others
    )


def write_whole(path: Path, text: str) -> None:
    """Write a file as UTF-8 so that it is there whole or, after any stop, as it was before.

    Missing folders are not made. Raises RunError where the file cannot be written.
    """
    with whole(path) as file:
        file.write(text.encode())


@contextmanager
def whole(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """Open a file for writing that is there whole once the block has ended, and not before.

    A link leads to the file that is replaced; a pipe or device is written to as it is. `mode` says
    who may read the file, before anything stands in it; unsaid, those who might before.
    """
    direct = path.exists() and not path.is_file()
    target = path if direct else Path(os.path.realpath(path))
    draft = path if direct else target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        if mode is None and target.exists():
            mode = stat.S_IMODE(target.stat().st_mode)
        with draft.open("wb") as file:
            if mode not in (None, stat.S_IMODE(os.fstat(file.fileno()).st_mode)) and not direct:
                os.fchmod(file.fileno(), mode)  # only where it matters: some mounts refuse it
            yield file
            file.flush()
            if not direct:
                os.fsync(file.fileno())
        if not direct:
            draft.replace(target)
    except OSError as fault:
        raise _unwritten(path, fault) from fault
    finally:
        if not direct:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, where it is not there; raises RunError where it cannot."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise RunError(f"{path}: the folder cannot be made: {fault.strerror or fault}") from fault


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet; raises UsageError where it is."""
    try:
        with path.open("xb") as file:
            file.write(text.encode())
    except FileExistsError:
        raise UsageError(f"{path} is there already; nothing is overwritten") from None
    except OSError as fault:
        raise _unwritten(path, fault) from fault


def _unwritten(path: Path, fault: OSError) -> RunError:
    return RunError(f"{path}: the file cannot be written: {fault.strerror or fault}")


def _complaint(fault: OSError) -> str:
    match fault.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return "there is no such file"
        case errno.EISDIR:
            return "this is a folder; name a file"
        case errno.EACCES | errno.EPERM:
            return "no permission to read the file"
        case _:
            return f"the file cannot be read: {fault.strerror or fault}"
