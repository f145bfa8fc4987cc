r"""How figures and foreign text are written, the same on every page.

Foreign text is whatever a data set, a pipeline or a judge brought: it may hold control sequences
for terminals, marks that turn the reading direction round, or characters that no encoding
carries. They are written as escapes, so that a reader sees them and nothing obeys them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ragproof.analysis.summary import Line
from ragproof.core.spec import Layer, Unit
from ragproof.core.subject import UNFINISHED
from ragproof.text.counting import counted

_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # reading direction
    "\u00ad\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # no width, or lines
    "\U000e0000-\U000e007f"  # tags: letters that nothing shows
    "\ud800-\udfff]"  # halves of characters
)
LAYERS: Mapping[Layer, str] = {
    Layer.INGESTION: "Ingestion: were the documents read right?",
    Layer.QUERY: "Query: was the evidence found?",
    Layer.ANSWER: "Answer: was it used well?",
    Layer.SYSTEM: "System: what did it take?",
}
"""In the order in which data goes through a pipeline."""


def inert(text: str, keep: str = "") -> str:
    r"""Escape what would act instead of being read, except the characters to `keep`.

    >>> inert("\x1b[31mred\u202e")
    '\\x1b[31mred\\u202e'
    """

    def escaped(found: re.Match[str]) -> str:
        one = found[0]
        if one in keep:
            return one
        code = ord(one)
        return (
            f"\\x{code:02x}"
            if code < 256
            else f"\\u{code:04x}"
            if code < 65536
            else f"\\U{code:08x}"
        )

    return _HIDDEN.sub(escaped, text)


def one_line(text: str, length: int) -> str:
    """Put foreign text on one line, white space squeezed, cut to a length with `...`.

    >>> one_line("a long   story", 9)
    'a long...'
    """
    line = inert(" ".join(text[: 8 * length].split()))
    return line if len(line) <= length else line[: length - 3].rstrip() + "..."


def figure(value: float | None, unit: Unit) -> str:
    """Write a value with its unit, so that it never reads as an end it does not reach.

    >>> [figure(value, Unit.FRACTION) for value in (1.0, 0.9996, 0.8444, None)]
    ['1.00', '0.9996', '0.84', '-']
    >>> [figure(value, Unit.SECONDS) for value in (0.00042, 0.0851, 2.5)]
    ['0.42 ms', '85 ms', '2.50 s']
    """
    if value is None:
        return "-"
    match unit:
        case Unit.SECONDS if value == 0:
            return "0 s"
        case Unit.SECONDS if abs(value) < 1:
            thousandths = value * 1000
            return f"{thousandths:.2f} ms" if abs(thousandths) < 10 else f"{thousandths:.0f} ms"
        case Unit.SECONDS:
            return f"{value:.2f} s" if value < 100 else f"{value:,.0f} s"
        case Unit.USD:
            return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.2g}"
        case Unit.COUNT:
            return f"{value:,.0f}" if value.is_integer() else f"{value:,.2f}"
        case _:
            return _decimal(value)


def interval(line: Line) -> str:
    """Write a line's interval as `[0.38, 0.96]`, empty where there is none."""
    if line.bounds.ends is None:
        return ""
    low, high = (figure(end, line.column.declared.unit) for end in line.bounds.ends)
    number, _, sign = low.partition(" ")
    if number == "0" or (sign and high.endswith(f" {sign}")):
        low = number
    return f"[{low}, {high}]"


def pairs(values: Mapping[str, object]) -> str:
    """Write names and values in one line: `k=5, gain=linear`."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _decimal(value: float) -> str:
    """Two decimals, and as many more as keep it apart from -1, 0 and 1."""
    for digits in range(2, 7):
        text = f"{value:.{digits}f}"
        if float(text) not in {-1.0, 0.0, 1.0} or float(text) == value:
            return text.replace("-0.00", "0.00") if float(text) == 0 else text
    return f"{value:.2e}" if abs(value) < 0.5 else f"{value:.9g}"


def by_family(keys: Sequence[str]) -> list[str]:
    """Metric keys, those of one family in one.

    >>> by_family(["query.steps", "query.intent_f1", "system.tokens"])
    ['query.{steps, intent_f1}', 'system.tokens']
    """
    families: dict[str, list[str]] = {}
    for key in keys:
        family, dot, name = key.partition(".")
        families.setdefault(family + dot, []).append(name)
    return [
        f"{family}{{{', '.join(names)}}}" if len(names) > 1 else f"{family}{names[0]}"
        for family, names in families.items()
    ]


def the_worst(cases: int) -> str:
    """Head the cases that a report shows.

    >>> the_worst(1), the_worst(3)
    ('The worst case', 'The worst 3 cases')
    """
    return "The worst case" if cases == 1 else f"The worst {counted(cases, 'case')}"


def unmeasured_because(line: Line) -> tuple[str, ...]:
    """Why a metric looked at no case."""
    return tuple(line.skip_reasons) or (UNFINISHED if line.errors else "no case was looked at",)
