"""Numbers written in a text, many at once, each rounded as Python's own float does.

Plain decimals of few digits are a whole number over a power of ten: one division, and so one
rounding. Their digits are read eight at once, as the bytes of one 64-bit word (the first character
is its lowest byte). Anything else is left to Python.
"""

from __future__ import annotations

from math import inf
from typing import SupportsFloat

import numpy as np
from numpy.typing import NDArray

from ragproof.core.arrays import Flags, Floats
from ragproof.rankings.rows import PAD, Bytes, Fields, Ints, Words, cut, word_at

EXACT = 15
"""Digits that a float holds exactly, and with it their quotient by a power of ten."""
_TENS = 10.0 ** np.arange(EXACT + 2)
_WHOLE_TENS = 10 ** np.arange(9, dtype=np.uint64)
_LEFT_OUT = np.arange(64, -8, -8).astype(np.uint64)
"""Bits that so many bytes of a word leave out."""
_MINUS = ord("-")


def _bytes(value: int) -> np.uint64:
    return np.uint64(value * 0x0101_0101_0101_0101)


_ONES, _HIGH, _ZEROS, _DOTS = _bytes(1), _bytes(0x80), _bytes(ord("0")), _bytes(ord("."))
_ABOVE_NINE = _bytes(0x7F - 9)
_PAIR = np.uint64(0x0000_00FF_0000_00FF)
_FIRST_PAIRS, _SECOND_PAIRS = np.uint64(0x000F_4240_0000_0064), np.uint64(0x0000_2710_0000_0001)


def numbers(text: Bytes, fields: Fields) -> Floats:
    """Read each field as a number; NaN where it is none."""
    digits, minus = fields, text.take(fields.start) == _MINUS
    if minus.any():
        digits = Fields(fields.start + minus, fields.length - minus)
    values, odd = _one_word(text, digits) if digits.longest <= 8 else _two_words(text, digits)
    np.negative(values, out=values, where=minus)
    rest = np.flatnonzero(odd)
    if rest.size:
        values[rest] = [number(token) for token in cut(text, fields[rest])]
    return values


def number(token: bytes) -> float:
    """Read one; NaN where it is none.

    >>> number(b"-1e3"), number(b"1_000"), number(b"ten")
    (-1000.0, nan, nan)
    """
    try:
        return float(token) if b"_" not in token else np.nan
    except ValueError:
        return np.nan


def double(value: SupportsFloat) -> float:
    """The nearest double; infinite for a whole number beyond all of them.

    >>> double(3), double(-(10**400))
    (3.0, -inf)
    """
    try:
        return float(value)
    except OverflowError:
        return -inf if str(value).startswith("-") else inf


def _one_word(text: Bytes, fields: Fields) -> tuple[Floats, Words]:
    """Values, and what is not 0 where a field is no plain decimal of up to 8 characters."""
    word = word_at(text, fields.start, fields.length)
    before = _before_dot(word)
    place, dotted = _place(before)
    size = fields.length - dotted
    value, odd = _eight_digits(_without_dot(word, before), size)
    odd |= size < 1
    return value / _TENS.take((size - place) * dotted), odd


def _two_words(text: Bytes, fields: Fields) -> tuple[Floats, Words]:
    """The same of up to 16 characters, of which 15 are digits."""
    low = word_at(text, fields.start, np.minimum(fields.length, 8))
    behind = np.minimum(fields.start + 8, text.size - PAD)
    high = word_at(text, behind, np.clip(fields.length - 8, 0, 8))
    before_low, before_high = _before_dot(low), _before_dot(high)
    place, dotted = _place(before_low)
    later, dotted_later = _place(before_high)
    moves_up = np.where(dotted, high << np.uint64(56), np.uint64(0))
    low = _without_dot(low, before_low) | moves_up
    high = np.where(dotted, high >> np.uint64(8), _without_dot(high, before_high))
    size = fields.length - (dotted | dotted_later)
    leading, odd = _eight_digits(low, np.minimum(size, 8))
    rest, odd_rest = _eight_digits(high, np.clip(size - 8, 0, 8))
    odd |= odd_rest
    odd |= (size < 1) | (size > EXACT)
    whole = leading * _WHOLE_TENS.take(np.clip(size - 8, 0, 8)) + rest
    places = np.where(dotted, size - place, (size - 8 - later) * dotted_later)
    return whole / _TENS.take(np.clip(places, 0, EXACT)), odd


def _before_dot(word: Words) -> Words:
    """The bits of the bytes before the first dot; all bits where there is none."""
    other = word ^ _DOTS
    found = (other - _ONES) & ~other & _HIGH
    lowest = found & (~found + np.uint64(1))
    return (lowest >> np.uint64(7)) - np.uint64(1)


def _without_dot(word: Words, before: Words) -> Words:
    """The bytes before the dot, and those behind it moved up to them."""
    return (word & before) | (word >> np.uint64(8) & ~before)


def _place(before: Words) -> tuple[NDArray[np.uint8], Flags]:
    """How many characters stand before the dot, 8 without one; and whether there is one."""
    place = np.bitwise_count(before) >> np.uint8(3)
    return place, place < 8


def _eight_digits(word: Words, size: Ints) -> tuple[Words, Words]:
    """The number that the first `size` bytes write, and what is not 0 where one is no digit."""
    shift = _LEFT_OUT.take(size)
    digits = (word << shift) ^ (_ZEROS << shift)
    odd = ((digits + _ABOVE_NINE) | digits) & _HIGH
    pairs = digits * np.uint64(10) + (digits >> np.uint64(8))
    first, second = pairs & _PAIR, (pairs >> np.uint64(16)) & _PAIR
    return (first * _FIRST_PAIRS + second * _SECOND_PAIRS) >> np.uint64(32), odd
