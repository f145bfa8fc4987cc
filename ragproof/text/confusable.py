"""Letters that pass for a Latin one.

Written for this purpose and kept small: the letters of the scripts that share forms with Latin, and
the styled alphabets that Unicode's own compatibility forms leave alone. A full list (6,000 entries,
57 ms to load) adds nothing that an answer has been seen to hide behind.
"""
# ruff: noqa: RUF001  # letters that pass for others are what this is about

from __future__ import annotations

_LOOKALIKES = {
    "a": "аАαΑɑᴀᎪꓮ⍺",
    "b": "вВьЬβΒʙᏴꓐƅ",
    "c": "сСϲϹᴄᏟꓚⲥⲤ",
    "d": "ԁԀᴅᎠꓓɖ",
    "e": "еЕεΕєЄᴇᎬꓰҽ℮",
    "f": "ꜰꓝϝϜƒẝ",
    "g": "ɡɢԍԌᏀꓖց",
    "h": "һҺнНΗʜᎻꓧհ",
    "i": "іІιΙɪıᎥӏӀꓲ",
    "j": "јЈϳͿᴊᎫꓙ",
    "k": "кКκΚᴋᏦꓗⲕⲔ",
    "l": "ʟᏞꓡǀ",
    "m": "мМΜᴍᎷꓟ",
    "n": "ΝηɴꓠոⲛⲚ",
    "o": "оОοΟσᴏօՕꓳჿøØ",
    "p": "рРρΡᴘᏢꓑⲣⲢ",
    "q": "ԛԚզꞯ",
    "r": "гГʀᎡᏒꓣᴦ",
    "s": "ѕЅꜱᏚꓢՏ",
    "t": "тТτΤᴛᎢꓔ",
    "u": "υսՍᴜꓴʋ∪",
    "v": "ѵѴνᴠᏙꓦ∨",
    "w": "ԝԜωᴡᏔꓪѡ",
    "x": "хХχΧꓫ×ⲭⲬ",
    "y": "уУγΥʏүҮꓬყ",
    "z": "ζΖᴢᏃꓜ",
}
_STYLED_CAPITALS = (0x1F1E6, 0x1F150, 0x1F170)
"""Where the alphabets of flags, of white letters in black circles and in black squares begin."""

FOLD = (
    {ord(letter.upper()): letter for letter in "abcdefghijklmnopqrstuvwxyz"}
    | {ord(other): letter for letter, others in _LOOKALIKES.items() for other in others}
    | {start + at: chr(ord("a") + at) for start in _STYLED_CAPITALS for at in range(26)}
)
"""For `str.translate`: Latin capitals and look-alikes to the small Latin letter, one to one."""

DIGITS_FOR_LETTERS = str.maketrans("0134578@$|!l", "oieastbasiii")
"""For `str.translate`, after FOLD: figures and signs that stand for letters. `l`, `1` and `i` pass
for each other."""
