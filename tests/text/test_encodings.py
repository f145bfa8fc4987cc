from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.text.encodings import decoded

SAID = b"RAGPROOF_OVERRIDE"
CODES: dict[str, Callable[[bytes], str]] = {
    "base64": lambda data: base64.b64encode(data).decode(),
    "base64, url-safe": lambda data: base64.urlsafe_b64encode(data).decode(),
    "base64, unpadded": lambda data: base64.b64encode(data).decode().rstrip("="),
    "base64, in lines": lambda data: base64.encodebytes(data).decode(),
    "base32": lambda data: base64.b32encode(data).decode(),
    "hex": lambda data: data.hex(),
    "hex, in capitals": lambda data: data.hex().upper(),
    "hex, spaced": lambda data: data.hex(" "),
    "hex, 0x": lambda data: ", ".join(f"0x{one:02x}" for one in data),
    "hex, escaped": lambda data: "".join(f"\\x{one:02x}" for one in data),
    "unicode escapes": lambda data: "".join(f"\\u{one:04x}" for one in data),
    "binary": lambda data: " ".join(f"{one:08b}" for one in data),
    "binary, joined": lambda data: "".join(f"{one:08b}" for one in data),
    "decimal": lambda data: " ".join(map(str, data)),
    "octal": lambda data: "".join(f"\\{one:03o}" for one in data),
    "tag characters": lambda data: "".join(chr(0xE0000 + one) for one in data),
}


def holds(data: bytes) -> bool:
    return SAID in data


@pytest.mark.parametrize("name", CODES)
def test_what_is_encoded_is_found_where_it_stands(name: str) -> None:
    coded = CODES[name](SAID)
    text = f"Here it is: {coded} . Thank you"
    [found, *_] = decoded(text, holds)
    assert coded.rstrip("=\n")[:40] in text[found.start : found.end + 1]
    assert found.start >= len("Here it is:")


@given(before=st.binary(max_size=7), after=st.binary(max_size=7))
def test_base64_is_found_at_every_alignment(before: bytes, after: bytes) -> None:
    assert list(decoded(base64.b64encode(before + SAID + after).decode(), holds))


@given(st.text())
def test_nothing_is_found_where_nothing_is_hidden(text: str) -> None:
    assert list(decoded(text, holds)) == []
