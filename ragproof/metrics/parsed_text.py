"""The text that a document has and the one that parsing gave, to be held against each other."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from ragproof.core import CaseRun, DoesNotArise
from ragproof.core.needs import EXPECTED_TEXT, PARSED
from ragproof.core.outcome import Json
from ragproof.metrics.parameters import one_of
from ragproof.text.alignment import Kind, Stretch, aligned

FORMS = ("", "NFC", "NFD", "NFKC", "NFKD")
QUOTED = 5
"""Gaps that the evidence quotes, the largest first."""
LONGEST_QUOTE = 200


def check_form(form: str) -> None:
    """Raise ValueError for what is no normalisation form."""
    one_of("form", form, FORMS)


def texts(run: CaseRun, form: str = "") -> tuple[str, str]:
    """Reference and parsed text without white space around them, both in a Unicode form.

    Raises DoesNotArise for an empty reference, with what was parsed nevertheless as evidence.
    """
    reference, parsed = run[EXPECTED_TEXT].strip(), run[PARSED].text.strip()
    if form:
        reference, parsed = (unicodedata.normalize(form, one) for one in (reference, parsed))  # type: ignore[arg-type]
    if not reference:
        raise DoesNotArise("the reference is empty", {"inserted": len(parsed)})
    return reference, parsed


@lru_cache(maxsize=2)
def _laid_out(reference: str, parsed: str) -> tuple[Stretch, ...]:
    """Three metrics look at the same alignment, one after the other."""
    return aligned(reference.split(), parsed.split())


def share(run: CaseRun, kind: Kind) -> tuple[int, int, dict[str, Json]]:
    """Words to which this happened, words of the reference, and the largest gaps of the kind."""
    reference, parsed = texts(run)
    words, other = reference.split(), parsed.split()
    found = [one for one in _laid_out(reference, parsed) if one.kind is kind]
    largest = sorted(found, key=lambda one: -one.words)[:QUOTED]
    return (
        sum(one.words for one in found),
        len(words),
        {
            "words": sum(one.words for one in found),
            "reference_words": len(words),
            "largest": [_quoted(one, words, other) for one in largest],
        },
    )


def _quoted(one: Stretch, words: list[str], other: list[str]) -> Json:
    told: dict[str, Json] = {"at_word": one.start, "words": one.words}
    if one.kind is not Kind.INSERTED:
        told["reference"] = " ".join(words[one.start : one.end])[:LONGEST_QUOTE]
    if one.kind is not Kind.OMITTED:
        told["parsed"] = " ".join(other[one.other_start : one.other_end])[:LONGEST_QUOTE]
    return told
