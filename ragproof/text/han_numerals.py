"""Numbers in Chinese characters, as Chinese and Japanese write them, put into digits."""

# signs of other scripts are what this is about

from __future__ import annotations

import re

_ONES = {
    **dict(zip("〇零一二三四五六七八九", (0, *range(10)), strict=True)),
    **{"两": 2, "兩": 2, "○": 0},
}
_TENS = {"十": 10, "百": 100, "千": 1000}
_FACTORS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_DIGIT = "〇零○一二两兩三四五六七八九"
_COUNTERS = (
    "个個人名位年月日号號天岁歲元块塊次种種件条條家间間座所倍成小周週届屆章节節层層楼樓米公千"
    "克吨噸票支只隻张張本部场場世ヶヵかつ時时点點度円回枚台軒階点目"
)
_RUN = re.compile(
    f"(?<![几幾数數多])(?:[{_DIGIT}十]|\\d+(?=[万萬亿億千]\\d))"
    f"(?:[{_DIGIT}十百千万萬亿億]|(?<=[万萬亿億千])\\d+)*(?:点[{_DIGIT}]+)?(?![几幾])"
)
_COUNT = re.compile(f"(?<![第{_DIGIT}十百千万]){_RUN.pattern}")
_THERE = re.compile(f"[{_DIGIT}十]|\\d[万萬亿億千]\\d")
_SHARE = re.compile(f"百分之\\s?([{_DIGIT}十百点]+|\\d+(?:\\.\\d+)?)")
_PART = re.compile(f"([{_DIGIT}十百]+|\\d+)分之([{_DIGIT}十百]+|\\d+)")
_TENTHS = re.compile(r"(?<!\d)([1-9])成(?=[^\w]|[的以左人多半为]|$)")
_DOUBT = frozenset({"十"})
"""Also the first character of words, as in 十分, very."""
_NO_COUNTERS = frozenset("分足")


def in_digits(text: str, *, rows: bool = True) -> str:
    """Write numbers in digits; what only may be one, a single character before no counter, stays.

    Numbers of a row, 第三, are left as well without `rows`.

    >>> in_digits("二〇二四年三月五日 三十五人 百分之二十 三分之一 一万两千元")
    '2024年3月5日 35人 20% 1/3 12000元'
    >>> in_digits("统一三国 十分小心 千万不要 几十人"), in_digits("1万5千円")
    ('统一三国 十分小心 千万不要 几十人', '15000円')
    """
    if text.isascii() or _THERE.search(text) is None:
        return text
    plain = _SHARE.sub(lambda found: f"{_number(found[1])}%", text)
    plain = _PART.sub(lambda found: f"{_number(found[2])}/{_number(found[1])}", plain)
    plain = (_RUN if rows else _COUNT).sub(_written, plain)
    return _TENTHS.sub(r"\g<1>0%", plain)


def _written(found: re.Match[str]) -> str:
    said = found[0]
    behind = found.string[found.end() : found.end() + 1]
    return _number(said) if _is_number(said, behind) else said


def _number(said: str) -> str:
    """It in digits; as it is where the characters make no number."""
    if said[0].isdecimal() and "点" not in said and said.replace(".", "").isdecimal():
        return said
    whole, _, part = said.partition("点")
    value = _digits(whole) if _is_digits(whole) else _value(whole)
    if value is None:
        return said
    return value + ("." + _digits(part) if part else "")


def _is_number(said: str, behind: str) -> bool:
    """Whether these characters, before that one, are a number and no word or part of one."""
    if len(said) == 1:
        counted = behind != "" and behind in _COUNTERS and said != "一"
        return counted and not (said in _DOUBT and behind in _NO_COUNTERS)
    return len(said) > 2 or behind == "年" or not _is_digits(said)


def _is_digits(said: str) -> bool:
    """Whether digits follow each other, as in a year."""
    return all(one in _ONES for one in said)


def _digits(said: str) -> str:
    return "".join(str(_ONES[one]) for one in said)


def _value(said: str) -> str | None:
    """The number; None where the characters make none.

    >>> _value("一亿五千万"), _value("两万三千"), _value("一千零五"), _value("百")
    ('150000000', '23000', '1005', None)
    """
    total = section = 0
    number: int | None = None
    last = 0
    for one in re.findall(r"\d+|.", said):
        if one.isdecimal():
            number = int(one)
        elif one in _ONES:
            if number and one not in "零〇○":
                return None
            number = _ONES[one]
        elif one in _TENS:
            if number is None and one != "十":
                return None
            section, number, last = (
                section + (1 if number is None else number) * _TENS[one],
                None,
                _TENS[one],
            )
        else:
            section += number or 0
            if not section and not total:
                return None
            total, section, number = _scaled(total, section, _FACTORS[one]), 0, None
            last = _FACTORS[one]
    rest = number or 0
    if rest and last >= 100 and said[-2] in _TENS | _FACTORS:
        rest *= last // 10  # 两万三: of the next lower rank
    return str(total + section + rest)


def _scaled(total: int, section: int, factor: int) -> int:
    """With a section times a factor; a greater factor multiplies all before it."""
    return (total + section) * factor if total and total < factor else total + section * factor
