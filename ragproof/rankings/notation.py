"""Names of measures: `nDCG@10` as in ir_measures, `ndcg_cut_10` as in trec_eval."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any, NoReturn

from ragproof.core import UsageError
from ragproof.rankings.catalog import FAMILIES, At, Measure
from ragproof.rankings.decimals import number
from ragproof.rankings.measures import Asked
from ragproof.text.nearest import nearest

CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
TREC_EVAL: Mapping[str, str] = {
    **{"map": "AP", "recip_rank": "RR", "ndcg": "nDCG", "rbp": "RBP"},
    **{"set_P": "SetP", "set_recall": "SetR", "set_F": "SetF", "set_map": "SetAP"},
    **{"set_relative_P": "SetRelativeP"},
    **{"num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet"},
}
"""trec_eval's other names of measures without a cut-off."""
TREC_EVAL_AT: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "P": ("P", CUTOFFS),
    "recall": ("R", CUTOFFS),
    "ndcg_cut": ("nDCG", CUTOFFS),
    "map_cut": ("AP", CUTOFFS),
    "relative_P": ("RelativeP", CUTOFFS),
    "success": ("Success", ("1", "5", "10")),
    "unj": ("Unjudged", ("5", "10", "20")),
    "iprec_at_recall": ("IPrec", tuple(f"{tenth / 10:.2f}" for tenth in range(11))),
    "Rprec_mult": ("RprecMult", tuple(f"{fifth / 5:.2f}" for fifth in range(1, 11))),
}
"""Measures with one: `P_5`, `P.5,10`, or `P` for trec_eval's own choice; the family and these."""
ALIASES: Mapping[str, str] = {
    **{"MRR": "RR", "MAP": "AP", "Precision": "P", "Recall": "R", "Hit": "Success"},
    **{"HitRate": "Success", "R-Prec": "Rprec", "RPrecision": "Rprec"},
}
_FAMILY: Mapping[str, str] = {
    name.casefold(): family
    for name, family in [*((one, one) for one in FAMILIES), *TREC_EVAL.items(), *ALIASES.items()]
}
_NOTATION = re.compile(r"(?P<name>[^@()]+)(\((?P<params>[^()]*)\))?(@(?P<at>.*))?")
_TREC_RBP = 0.9
"""trec_eval's persistence, of the measure that it calls `rbp`; 0.8 otherwise."""


def measures(text: str, asked: Asked) -> Iterator[Measure]:
    """Read a name; `asked` holds the parameters that the name does not give.

    One of trec_eval's names may stand for several: `P.5,10`, or `P` for its own choice. Raises
    UsageError for a name that is none, or that lacks or has a parameter too many.

    >>> [one.name for one in measures("ndcg_cut.5,10", Asked())]
    ['ndcg_cut_5', 'ndcg_cut_10']
    >>> next(measures("AP(rel=2)@100", Asked())).asked.level
    2
    """
    text = text.strip()
    for base, joint in _splits(text):
        if base in TREC_EVAL_AT:
            family, usual = TREC_EVAL_AT[base]
            arguments = (
                text[len(base) + 1 :].split(",") if joint == "." else [text[len(base) + 1 :]]
            )
            for one in arguments if joint else usual:
                yield _measure(f"{base}_{_as_trec_eval(family, one)}", family, "", one, asked)
            return
    found = _NOTATION.fullmatch(text)
    family = _FAMILY.get(found["name"].casefold(), "") if found else ""
    if found is None or not family:
        _unknown(text)
    if text == "rbp":
        asked = replace(asked, persistence=_TREC_RBP)
    yield _measure(text, family, found["params"] or "", found["at"], asked)


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """The ways to read a name of trec_eval: whole, and before a dot or its last underscore."""
    yield text, ""
    for joint, base in ((".", text.partition(".")[0]), ("_", text.rpartition("_")[0])):
        if base and base != text:
            yield base, joint


def _as_trec_eval(family: str, argument: str) -> str:
    """Shares are shown with two decimals."""
    shares = FAMILIES[family].at in {At.SHARE, At.MULTIPLE}
    return f"{number(argument.encode()):.2f}" if shares else argument


def _measure(name: str, family: str, params: str, at: str | None, asked: Asked) -> Measure:
    known = FAMILIES[family]
    asked = _with_params(name, params, known.params, asked)
    match known.at:
        case At.NOTHING if at is not None:
            raise UsageError(f"{name!r}: {family} takes no cut-off")
        case At.CUTOFF | At.SHARE | At.MULTIPLE if at is None:
            example = f"{family}@{10 if known.at is At.CUTOFF else 0.5}"
            raise UsageError(f"{name!r}: {family} needs {known.at}: {example}")
        case At.SHARE | At.MULTIPLE:
            most = 1.0 if known.at is At.SHARE else 1e6
            return Measure(name, known, replace(asked, share=_number(name, "@", at, 0.0, most)))
        case _ if at is not None:
            return Measure(name, known, replace(asked, cutoff=_whole(name, "the cut-off", at)))
    return Measure(name, known, asked)


def _with_params(name: str, params: str, allowed: tuple[str, ...], asked: Asked) -> Asked:
    for one in filter(None, (part.strip() for part in params.split(","))):
        key, _, value = (part.strip() for part in one.partition("="))
        if key not in allowed:
            takes = f"it takes {', '.join(allowed)}" if allowed else "it takes none"
            raise UsageError(f"{name!r}: no parameter {key!r};{nearest(key, allowed)} {takes}")
        asked = _READ[key](name, asked, value.strip("'\""))
    return asked


def _dcg(name: str, asked: Asked, value: str) -> Asked:
    if value not in {"log2", "exp-log2"}:
        raise UsageError(f"{name!r}: dcg is {value!r}; allowed: log2, exp-log2")
    return replace(asked, exponential=value == "exp-log2")


def _persistence(name: str, value: str) -> float:
    got = _number(name, "p", value, 0.0, 1.0)
    if got == 1:
        raise UsageError(f"{name!r}: p is {value!r}, with which all is worth 0; it must be below 1")
    return got


_READ: Mapping[str, Callable[[str, Asked, str], Asked]] = {
    "rel": lambda name, asked, value: replace(asked, level=_whole(name, "rel", value)),
    "p": lambda name, asked, value: replace(asked, persistence=_persistence(name, value)),
    "beta": lambda name, asked, value: replace(asked, beta=_number(name, "beta", value, 0.0, 1e6)),
    "dcg": _dcg,
}


def _whole(name: str, what: str, value: Any) -> int:  # noqa: ANN401
    if not re.fullmatch(r"[0-9]{1,9}", value) or int(value) < 1:
        raise UsageError(f"{name!r}: {what} is {value!r}; it must be a whole number of at least 1")
    return int(value)


def _number(name: str, what: str, value: Any, least: float, most: float) -> float:  # noqa: ANN401
    got = number(value.encode())
    if not (isfinite(got) and least <= got <= most):
        raise UsageError(f"{name!r}: {what} is {value!r}; allowed: {least:g} to {most:g}")
    return got


def _unknown(text: str) -> NoReturn:
    base = re.split(r"[@(]", text, maxsplit=1)[0]
    rest = text[len(base) :]
    known = [*ALIASES, *TREC_EVAL_AT, *TREC_EVAL, *FAMILIES]  # of two alike the last is meant
    meant = nearest(re.sub(r"[._]?[0-9.]+$", "", base), known)
    meant = re.sub(r"'\?$", f"{rest}'?", meant) if rest else meant
    raise UsageError(f"There is no measure {text!r}.{meant} Known: {', '.join(FAMILIES)}")
