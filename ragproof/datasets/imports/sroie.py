"""SROIE: scanned receipts with their lines, as published."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.core import UsageError
from ragproof.datasets.imports.asked import Asked, Fields
from ragproof.datasets.imports.records import lines
from ragproof.datasets.imports.scanned import case_of, mapping_of, pages
from ragproof.text.faults import shown

CORNERS = 8
"""Numbers before the text of a line: the corners of its box."""


def read(asked: Asked) -> Iterator[tuple[str, Fields]]:
    """Yield a case a receipt, from `box` and `img`, and `key` where it is there.

    A line of a box file is a line of the receipt, from the top down. The fields of the key are kept
    as they are: no metric reads them.
    """
    for path, picture in pages(asked, "box", "img", (".txt", ".csv")):
        told = [_text(f"{path}:{number}", line) for number, line in lines(path)]
        case = {**case_of(path, picture, "receipt"), "expected_text": "\n".join(told)}
        case["expected_elements"] = [{"type": "line", "text": one} for one in told if one.strip()]
        keys = (asked.source / "key" / f"{path.stem}{suffix}" for suffix in (".json", ".txt"))
        if key := next((one for one in keys if one.is_file()), None):
            case["metadata"] = {"key": mapping_of(key)}
            asked.notes.kept["key"] += 1
        yield str(path), case


def _text(place: str, line: str) -> str:
    *corners, text = line.split(",", CORNERS)
    if len(corners) < CORNERS or not all(one.strip().lstrip("-").isdigit() for one in corners):
        got = f"got {shown(line)}; allowed: {CORNERS} numbers and a text, parted by commas"
        raise UsageError(f"{place}: {got}")
    return text
