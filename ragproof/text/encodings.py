"""Finding what a text holds in another code: base64, hexadecimal, character codes."""

from __future__ import annotations

import re
from base64 import b32decode
from binascii import a2b_base64
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

_URL_SAFE = str.maketrans("-_", "+/", " \t\r\n")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-][A-Za-z0-9+/_\-\s]{6,}+")
_MIXED = re.compile(r"[a-z][A-Z0-9]|[0-9][A-Za-z]")
"""Every few letters of base64 are like this; prose hardly ever is."""
_WORD = re.compile(r"\S+")
_BASE32 = re.compile(r"\b[A-Z2-7]{8,}+")
_HEX = re.compile(
    r"(?<![0-9A-Za-z])(?:(?:0x|\\x|\\?u00|U\+00|=|%)?[0-9a-fA-F]{2}[\s,:;-]{0,2}+){4,}+"
)
_HEX_NOISE = re.compile(r"0x|\\x|\\?u00|U\+00|[^0-9a-fA-F]")
_BINARY = re.compile(r"\b(?:0?[01]{7}[\s,]{0,2}+){4,}+")
_DECIMAL = re.compile(r"\b(?:\d{2,3}\b[\s,;&#-]{0,3}+){4,}+")
_OCTAL = re.compile(r"(?:\\[0-7]{3}){4,}+")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A stretch of a text that holds what is looked for, in this code."""

    code: str
    start: int
    end: int


def decoded(text: str, holds: Callable[[bytes], bool]) -> Iterator[Decoded]:
    """Yield the coded stretches that hold what is looked for.

    Of base64 every alignment is tried, with or without padding and line breaks.
    """
    runs = [found for found in _BASE64.finditer(text) if _MIXED.search(found[0])]
    # All runs at once, zeros between them: decoding each of a million short ones takes seconds.
    if any(map(holds, _base64(run[0] for run in runs))):
        yield from (_narrowed(run, holds) for run in runs if any(map(holds, _base64([run[0]]))))
    for code, pattern, decode in _CODES:
        for found in pattern.finditer(text):
            if holds(decode(found[0])):
                yield Decoded(code, found.start(), found.end())


def _base64(coded: Iterable[str]) -> Iterator[bytes]:
    runs = [run.translate(_URL_SAFE) for run in coded]
    for skipped in range(4):
        padded = (run[skipped:] + "A" * (8 - (len(run) - skipped) % 4) for run in runs)
        yield a2b_base64("".join(padded))


def _narrowed(run: re.Match[str], holds: Callable[[bytes], bool]) -> Decoded:
    """Words look like base64; find the one that is it, so that it is seen in its sentence."""
    for word in _WORD.finditer(run.string, run.start(), run.end()):
        if any(map(holds, _base64([word[0]]))):
            return Decoded("base64", word.start(), word.end())
    return Decoded("base64", run.start(), run.end())


def _base32(coded: str) -> bytes:
    return b32decode(coded[: len(coded) // 8 * 8] + _rest_of_base32(coded))


def _rest_of_base32(coded: str) -> str:
    """The last letters with padding, cut to a length that whole bytes have."""
    rest = coded[len(coded) // 8 * 8 :]
    kept = max(length for length in (0, 2, 4, 5, 7) if length <= len(rest))
    return rest[:kept] + "=" * (8 - kept) if kept else ""


def _hexadecimal(coded: str) -> bytes:
    digits = _HEX_NOISE.sub("", coded)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _binary(coded: str) -> bytes:
    groups = re.findall(r"[01]+", coded)
    if len(groups) == 1:
        groups = re.findall(r"[01]{8}", coded)
    return bytes(int(group[-8:], 2) for group in groups)


def _decimal(coded: str) -> bytes:
    return bytes(number for one in re.findall(r"\d+", coded) if (number := int(one)) < 128)


def _octal(coded: str) -> bytes:
    return bytes(int(one, 8) & 255 for one in re.findall(r"[0-7]{3}", coded))


def _smuggled(coded: str) -> bytes:
    """Tag characters: invisible copies of ASCII."""
    return bytes(ord(one) - 0xE0000 for one in coded)


_CODES: tuple[tuple[str, re.Pattern[str], Callable[[str], bytes]], ...] = (
    ("base32", _BASE32, _base32),
    ("hexadecimal", _HEX, _hexadecimal),
    ("binary", _BINARY, _binary),
    ("character codes", _DECIMAL, _decimal),
    ("octal", _OCTAL, _octal),
    ("tag characters", _TAGS, _smuggled),
)
