"""What belongs to a word besides plain letters, for patterns about numbers and names."""

from __future__ import annotations

import unicodedata

_PLAIN = (0x300, 0x370)
_WITH_MARKS = (0x591, 0x1100)
MARKS = "".join(
    char
    for first, past in (_PLAIN, _WITH_MARKS)
    for char in map(chr, range(first, past))
    if unicodedata.category(char).startswith("M")
)
"""Vowel signs and accents: no letters to `re`, and yet in the midst of a word (`फरवरी`)."""
UNCASED = (
    "\u0590-\u109f"  # Hebrew, Arabic, the scripts of India, Thai, Lao, Tibetan, Myanmar
    "\u1100-\u11ff\uac00-\ud7af"  # Hangul
    "\u1780-\u17ff"  # Khmer
    "\u3040-\u30ff\u3400-\u9fff"  # kana, Han
)
"""Scripts without capitals: digits beside their letters are a number and not part of a name."""
WORD = f"[^\\W\\d_]+(?:[{MARKS}][^\\W\\d_]*)*"
"""A run of letters with their marks."""
