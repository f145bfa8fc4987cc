"""How far a local entailment model goes with people: `python -m bench.entailment_agreement`.

`--model PATH` is whatever `local.nli` takes: a folder, an ONNX file, a name in the hub's cache.
`--data` is a folder with `mtrag_human`, `begin`, `scifact` and `xquad` in it, by default
`../shared/data`; `bench.entailment_cases` tells what people said there. The model is asked by
ragproof's own metrics and engine. Beside its figures stand those of the share of the answer's words
that the passages have (`generation.k_precision`), which needs no model, on the very same answers,
and what the model adds to it. Intervals are of 95 %, from resamples of questions. It needs
`pip install "ragproof[local]" scipy`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau, rankdata, spearmanr

from bench.entailment_cases import Labelled, begin, mtrag, scifact, scifact_claims, xquad
from bench.language_agreement import LANGUAGES
from ragproof.analysis.agreement import kappa
from ragproof.core import LocalModels, Metric, Outcome, PairModel, PairScore, Scored, Tools
from ragproof.engine.run import wanted
from ragproof.engine.score import Scorer, read
from ragproof.local.files import find
from ragproof.local.models import Loading, OnnxPairModel
from ragproof.metrics import catalog
from ragproof.wiring.config import load_config
from ragproof.wiring.plan import READINGS
from ragproof.wiring.thresholds import calibrate_threshold

Floats: TypeAlias = NDArray[np.float64]
Statistic: TypeAlias = Callable[[Floats, Floats], float]
DATA = Path(__file__).parents[2] / "shared/data"
WORDS, SUPPORT = "generation.k_precision", "generation.nli_support"
RECALL, PRECISION = "citation.nli_recall", "citation.nli_precision"
MEAN, LEAST = f"{SUPPORT}[aggregate=mean]", f"{SUPPORT}[aggregate=min]"
SUPPORTS = (SUPPORT, MEAN, LEAST)
RESAMPLES = 1000
SETS = ("mtrag", "begin", "scifact", "xquad")


class Timed:
    """A model, and how long it took."""

    def __init__(self, model: PairModel) -> None:
        self.model, self.fingerprint = model, model.fingerprint
        self.pairs = self.windows = 0
        self.seconds = self.cpu = 0.0
        self._known: dict[tuple[str, str], PairScore] = {}

    async def scores(self, pairs: Sequence[tuple[str, str]], /) -> list[PairScore]:
        """Score; what was asked before is remembered, so that several metrics cost as one."""
        new = [one for one in dict.fromkeys(pairs) if one not in self._known]
        begun, cpu = time.perf_counter(), time.process_time()
        found = await self.model.scores(new)
        self.seconds += time.perf_counter() - begun
        self.cpu += time.process_time() - cpu
        self.pairs += len(new)
        self.windows += sum(one.windows for one in found)
        self._known.update(zip(new, found, strict=True))
        return [self._known[one] for one in pairs]

    @property
    def told(self) -> str:
        """How long a pair takes."""
        each = 1000 / max(1, self.pairs)
        return (
            f"{self.pairs} pairs in {self.windows} windows: {each * self.seconds:.0f} ms a pair, "
            f"{each * self.cpu:.0f} ms of CPU"
        )


@dataclass(frozen=True)
class Scores:
    """What metrics and people say of the same answers."""

    values: Mapping[str, Floats]
    """Metric to its values."""
    good: NDArray[np.bool_]
    ratings: Floats
    units: NDArray[np.intp]
    kept: Sequence[Labelled]
    without: Mapping[str, int]
    """Metric and reason to how many answers have no value; these are left out for all metrics."""

    def of(self, some: NDArray[Any]) -> Scores:
        """Those at these places."""
        return Scores(
            {name: told[some] for name, told in self.values.items()},
            self.good[some],
            self.ratings[some],
            self.units[some],
            [self.kept[at] for at in some],
            self.without,
        )


def scored(answers: Iterable[Labelled], names: Sequence[str], model: PairModel) -> Scores:
    """Ask the metrics of every answer, as a run does."""
    metrics = {name: _metric(name) for name in names}
    scorers = [Scorer({name: metric}) for name, metric in metrics.items()]
    readings = wanted(READINGS, metrics)
    tools = Tools(local=LocalModels(nli=model))
    kept, rows, without = [], [], Counter[str]()

    async def ask() -> None:
        for one in answers:
            run, _ = await read(one.run, readings, tools)
            rows_of = [await scorer.outcomes(run, tools) for scorer in scorers]  # no pair twice
            found = {row.key: row.outcome for each in rows_of for row in each}
            told = {key: out.value for key, out in found.items() if isinstance(out, Scored)}
            lacking = {key: out for key, out in found.items() if key not in told}
            without.update(f"{key}: {_reason(out)}" for key, out in lacking.items())
            if not lacking:
                kept.append(one)
                rows.append([told[name] for name in names])

    asyncio.run(ask())
    columns = np.array(rows, float).reshape(len(rows), len(names)).T
    places = {unit: at for at, unit in enumerate(dict.fromkeys(one.unit for one in kept))}
    return Scores(
        dict(zip(names, columns, strict=True)),
        np.array([one.good for one in kept]),
        np.array([one.rating for one in kept]),
        np.array([places[one.unit] for one in kept], np.intp),
        kept,
        without,
    )


def _metric(name: str) -> Metric[Any]:
    """A metric by its key: `generation.nli_support[aggregate=min]`."""
    bare, _, told = name.partition("[")
    given = dict([told.rstrip("]").split("=")]) if told else {}
    return catalog.build(bare, given)


def _reason(outcome: Outcome) -> str:
    return str(getattr(outcome, "reason", None) or getattr(outcome, "message", outcome))


def auroc(values: Floats, good: Floats) -> float:
    """How often a good answer has the higher value than a bad one; half where they are equal.

    >>> auroc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([0.0, 1.0, 0.0, 1.0]))
    0.875
    """
    yes = good > 0.5
    count, others = int(yes.sum()), int((~yes).sum())
    if not count or not others:
        return float("nan")
    ranks = float(rankdata(values)[yes].sum())
    return (ranks - count * (count + 1) / 2) / (count * others)


def spearman(values: Floats, ratings: Floats) -> float:
    """Rank correlation; no number where one of them is the same for all."""
    return float(spearmanr(values, ratings).statistic) if _vary(values, ratings) else float("nan")


def kendall(values: Floats, ratings: Floats) -> float:
    """Kendall's tau-b."""
    return float(kendalltau(values, ratings).statistic) if _vary(values, ratings) else float("nan")


def _vary(*columns: Floats) -> bool:
    return all(len(set(one.tolist())) > 1 for one in columns)


def interval(found: Scores, statistic: Callable[[NDArray[np.intp]], float]) -> tuple[float, float]:
    """Where a statistic of some places lies in 95 % of resamples of the units."""
    draw = np.random.default_rng(1)
    members = [np.flatnonzero(found.units == unit) for unit in range(found.units.max() + 1)]
    told = []
    for _ in range(RESAMPLES):
        drawn = draw.integers(0, len(members), len(members))
        told.append(statistic(np.concatenate([members[one] for one in drawn])))
    low, high = np.nanpercentile(told, [2.5, 97.5])
    return float(low), float(high)


def with_interval(found: Scores, name: str, statistic: Statistic, truth: Floats) -> str:
    """A statistic of a metric against the truth, with its interval."""
    values = found.values[name]
    low, high = interval(found, lambda at: statistic(values[at], truth[at]))
    sign = "" if statistic is auroc else "+"
    return f"{statistic(values, truth):{sign}.2f} [{low:{sign}.2f}, {high:{sign}.2f}]"


def added(found: Scores, name: str) -> str:
    """How much higher the metric's AUROC is than that of shared words, with its interval."""
    one, words, good = found.values[name], found.values[WORDS], found.good.astype(float)

    def more(at: NDArray[np.intp]) -> float:
        return auroc(one[at], good[at]) - auroc(words[at], good[at])

    low, high = interval(found, more)
    return f"{more(np.arange(len(good))):+.2f} [{low:+.2f}, {high:+.2f}]"


def against(passes: NDArray[np.bool_], good: NDArray[np.bool_]) -> str:
    """Precision, recall and kappa of what passes, against what is good."""
    table = np.array([[int(np.sum((passes == a) & (good == b))) for b in (1, 0)] for a in (1, 0)])
    [right, false], [missed, _] = table.tolist()
    found = kappa(table)
    shown = "none" if found is None else f"{found.value:+.2f} {_ends(found.ends)}"
    return (
        f"precision {_share(right, right + false)}  recall {_share(right, right + missed)}  "
        f"kappa {shown}"
    )


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {part / whole:.2f}" if whole else "0/0"


def _ends(told: tuple[float, float] | None) -> str:
    return "" if told is None else f"[{told[0]:+.2f}, {told[1]:+.2f}]"


def show(title: str, found: Scores, names: Sequence[str], *, ranked: bool = False) -> None:
    """Print how each metric tells the good answers, and what the model adds."""
    good = found.good.astype(float)
    print(f"\n{title}: {len(good)} answers, people call {int(good.sum())} of them borne out")
    for reason, count in found.without.items():
        print(f"  {count} left out: {reason}")
    for name in (WORDS, *names):
        print(f"  {name}\n    AUROC {with_interval(found, name, auroc, good)}")
        if ranked:
            print(f"    Spearman {with_interval(found, name, spearman, found.ratings)}")
            print(f"    Kendall  {with_interval(found, name, kendall, found.ratings)}")
        if name != WORDS:
            print(f"    AUROC more than of shared words: {added(found, name)}")


def calibrated(name: str, found: Scores) -> None:
    """Print the threshold that one half of the units gives, and how it does on the other."""
    half = found.units % 2 == 0
    one, other = found.of(np.flatnonzero(half)), found.of(np.flatnonzero(~half))
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder) / "labels.jsonl"
        told = zip(one.values[LEAST].tolist(), one.good.tolist(), strict=True)
        lines = (
            {"case_id": str(at), "metric": SUPPORT, "value": value, "score": float(good)}
            for at, (value, good) in enumerate(told)
        )
        labels.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        [least] = calibrate_threshold(load_config(None, {}, default=None), {}, SUPPORT, labels)
    cut, (low, high) = least.found.chosen.threshold, least.found.ends
    print(f"\n{name}: threshold of the least sure statement, found on {least.labels} answers as by")
    print(f"`ragproof calibrate --metric {SUPPORT}`: {cut:.3f} [{low:.3f}, {high:.3f}]")
    print(f"  {len(other.good)} others: {against(other.values[LEAST] >= cut, other.good)}")
    print(f"  with 0.5: {against(other.values[LEAST] >= 0.5, other.good)}")


def languages(folder: Path, model: PairModel) -> None:
    """Print, for each language, how far own statements are told from planted and foreign ones."""
    print("\nXQuAD, own statement against one with another answer put in, and against")
    print("another article's paragraph: AUROC of words and model, passing at 0.5")
    for language in LANGUAGES:
        cases = [*xquad(folder, language)]
        found = scored((one for _, one in cases), (WORDS, LEAST), model)
        kinds = {id(one): kind for kind, one in cases}
        kind = np.array([kinds[id(one)] for one in found.kept])
        line = [f"  {language} {len(set(found.units.tolist())):3}"]
        for other in ("planted", "away"):
            some = found.of(np.flatnonzero((kind == "own") | (kind == other)))
            both = [auroc(some.values[name], some.good.astype(float)) for name in (WORDS, LEAST)]
            line.append(f"{other} {both[0]:.2f} {both[1]:.2f}")
        passing = [
            f"{each} {np.mean(found.values[LEAST][kind == each] >= 0.5):.2f}"
            for each in ("own", "planted", "away")
        ]
        print("  ".join([*line, "pass:", *passing]), flush=True)


def main() -> None:
    """Print a part for each set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", required=True, help="as `local.nli` takes it")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", choices=SETS, action="append", help="repeatable")
    parser.add_argument("--threads", type=int, default=2)
    said = parser.parse_args()
    files = find(said.model, Path.cwd(), os.environ)
    model = Timed(OnnxPairModel.nli(files, Loading(threads=said.threads)))
    print(f"{said.model} {files.fingerprint[:19]}")
    for name in said.only or SETS:
        _PARTS[name](said.data, model)
    print(f"\n{model.told}")


def _mtrag(data: Path, model: PairModel) -> None:
    found = scored(mtrag(data / "mtrag_human"), (WORDS, *SUPPORTS), model)
    show("MTRAG", found, SUPPORTS, ranked=True)
    calibrated("MTRAG", found)


def _begin(data: Path, model: PairModel) -> None:
    found = scored(begin(data / "begin"), (WORDS, *SUPPORTS), model)
    show("BEGIN", found, SUPPORTS)
    calibrated("BEGIN", found)


def _scifact(data: Path, model: PairModel) -> None:
    found = scored(scifact(data / "scifact"), (WORDS, LEAST, PRECISION), model)
    show("SciFact, a claim and an abstract that it cites", found, (LEAST, PRECISION))
    print(f"  {PRECISION} at 0.5: {against(found.values[PRECISION] >= 0.5, found.good)}")
    found = scored(scifact_claims(data / "scifact"), (WORDS, RECALL, PRECISION), model)
    show("SciFact, a claim and all that it cites", found, (RECALL, PRECISION), ranked=True)
    print(f"  {RECALL} at 0.5: {against(found.values[RECALL] >= 0.5, found.good)}")


def _xquad(data: Path, model: PairModel) -> None:
    languages(data / "xquad", model)


_PARTS: Mapping[str, Callable[[Path, PairModel], None]] = {
    "mtrag": _mtrag,
    "begin": _begin,
    "scifact": _scifact,
    "xquad": _xquad,
}

if __name__ == "__main__":
    main()
