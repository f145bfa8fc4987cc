"""`ragproof drift`: two samples held against each other, or known shifts of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

import numpy as np

from ragproof.analysis.drift import LEAST, Findings, Setup, detect, fewest_deals
from ragproof.analysis.drift_pool import Points, Pool
from ragproof.analysis.drift_result import Drift, Example, Side
from ragproof.analysis.drift_shifts import yardstick
from ragproof.analysis.drift_slices import one_sided, slices, surest, telling_words
from ragproof.analysis.drift_texts import LENGTH, language_of, side_figures, word_counts
from ragproof.analysis.intervals import Indices
from ragproof.core import UsageError
from ragproof.core.arrays import Floats
from ragproof.datasets.alike import Joined
from ragproof.index.exact import Distance, refuse_without_direction
from ragproof.index.vectors import Values, Vectors
from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.counting import counted
from ragproof.text.faults import shown
from ragproof.wiring.drift_embedding import Embedding, embed_samples, embedding
from ragproof.wiring.drift_samples import Columns, Sample, changing, read_sample, without_tags

AS_GIVEN = "as given"
LANGUAGE = "language (by its words)"
SHOWN = 8
"""Words and examples that are named."""
TWO_ENCODERS = (
    "Vectors of two encoders share no axes: no distance or cosine between them means anything. "
    "Embed both samples with one encoder; to compare encoders give --probes, which compares "
    "neighbours"
)


@dataclass(frozen=True, kw_only=True)
class DriftRequest:
    """What was asked of `ragproof drift`."""

    reference: Path
    current: Path | None
    config: Path | None = None
    embed: str | None = None
    distance: Distance = Distance.COSINE
    columns: Columns = field(default_factory=Columns)
    setup: Setup = field(default_factory=Setup)


@dataclass(frozen=True)
class Prepared:
    """Samples as points, and what made them so."""

    samples: tuple[Sample, ...]
    points: tuple[Points, ...]
    representation: str
    metric: str
    how: Embedding | None
    """What embedded them; None where the files have vectors."""
    sides: tuple[Side, ...]
    shared: int
    """Rows of the second sample whose vector a row of the first has."""


def measure_drift(request: DriftRequest, environ: Mapping[str, str]) -> Drift:
    """Read both samples, embed them where need be, and run all detectors.

    Raises UsageError for whatever the caller can mend, RunError where texts cannot be embedded.
    """
    if request.current is None:
        raise UsageError("drift compares two samples: ragproof drift REFERENCE CURRENT")
    ready = prepared((request.reference, request.current), request, environ)
    (reference, current), pool = ready.samples, Pool(*ready.points)
    draw = np.random.default_rng(request.setup.seed)
    unasked = changing(ready.samples, request.columns)
    tagged = [
        _of_units(_tagged(one), points)
        for one, points in zip(without_tags(ready.samples, unasked), ready.points, strict=True)
    ]
    parts = slices(*tagged)
    findings = detect(pool, request.setup, surest(parts))
    seen = None
    if not findings.is_alarm:
        enough = max(199, 2 * fewest_deals(request.setup.alpha))
        quicker = replace(request.setup, deals=min(request.setup.deals, enough))
        seen = yardstick(pool, quicker, 1.0 if parts else None)
    has_texts = reference.texts is not None and current.texts is not None
    return Drift(
        reference=ready.sides[0],
        current=ready.sides[1],
        representation=ready.representation,
        dimensions=pool.dimensions,
        metric=ready.metric,
        findings=findings,
        yardstick=seen,
        slices=parts,
        words=telling_words(_words(reference), _words(current), SHOWN) if has_texts else (),
        examples=_examples(findings, current, len(reference)) if findings.is_alarm else (),
        figures=side_figures(reference.texts or (), current.texts or (), draw) if has_texts else (),
        warnings=(*map(_uncompared, unasked), *_warnings(ready, tagged)),
    )


def prepared(paths: Sequence[Path], request: DriftRequest, environ: Mapping[str, str]) -> Prepared:
    """Read, embed and check samples, and find which rows belong together."""
    _refuse_few_deals(request.setup)
    _refuse_same(paths)
    read = [read_sample(path, request.columns) for path in paths]
    samples = without_tags(read, request.columns.without)
    for one in samples:
        _refuse_few(one)
    how: Embedding | None = None
    if any(one.vectors is None for one in samples):
        _refuse_mixed(samples)
        how = embedding(request.embed, request.config, environ)
        samples = embed_samples(samples, how)
    elif request.embed is not None:
        raise UsageError("--embed: the files have vectors, so that there is nothing to embed")
    for one in samples[1:]:
        _refuse_unlike(samples[0], one)
    values = [_directed(one, request.distance) for one in samples]
    marks = [_marks(one) for one in values]
    kin = _kin(samples, marks)
    points, start = [], 0
    for sample, vectors in zip(samples, values, strict=True):
        mine = kin[start : start + len(sample)]
        points.append(Points(vectors, _numbers(sample), _units(sample), mine))
        start += len(sample)
    told = AS_GIVEN if how is None else how.name
    sides = tuple(map(_side, samples, points, marks))
    first = {*marks[0]}
    shared = sum(one in first for one in marks[-1]) if len(marks) > 1 else 0
    return Prepared(tuple(samples), tuple(points), told, request.distance, how, sides, shared)


def _refuse_few_deals(setup: Setup) -> None:
    if setup.deals < (least := fewest_deals(setup.alpha)):
        raise UsageError(
            f"--permutations: got {setup.deals:,}; allowed: {least:,} at least, as with fewer no "
            f"p-value can reach --alpha {setup.alpha:g}, all detectors considered"
        )


def _refuse_same(paths: Sequence[Path]) -> None:
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError(f"{paths[0]} is both samples: give another file, nothing was compared")


def _refuse_few(sample: Sample) -> None:
    """Before any text is embedded, which may cost."""
    units = int(_units(sample).max(initial=-1)) + 1
    if units < LEAST:
        raise UsageError(
            f"{sample.source}: {counted(units, 'independent row')} (those of one group count "
            f"once); allowed: {LEAST} at least, and some hundreds to see anything"
        )


def _refuse_mixed(samples: Sequence[Sample]) -> None:
    for one in samples:
        if one.texts is None:
            other = next(each for each in samples if each.vectors is None)
            raise UsageError(
                f"{one.source} has vectors and {other.source} has texts; allowed: two of a kind"
            )


def _refuse_unlike(one: Sample, other: Sample) -> None:
    if one.vectors is None or other.vectors is None:
        return
    sizes = one.vectors.shape[1], other.vectors.shape[1]
    if sizes[0] != sizes[1]:
        raise UsageError(
            f"{one.source} has {sizes[0]} dimensions and {other.source} has {sizes[1]}. "
            f"{TWO_ENCODERS}"
        )
    if one.model is not None and other.model is not None and one.model != other.model:
        raise UsageError(
            f"{one.source} is of the model {one.model!r} and {other.source} of {other.model!r}. "
            f"{TWO_ENCODERS}"
        )


def _directed(sample: Sample, distance: Distance) -> Values:
    """The vectors; for the cosine of length 1. Raises UsageError where one has no direction."""
    given = sample.vectors if sample.vectors is not None else np.empty((0, 0))
    if distance is not Distance.COSINE:
        return given
    if sample.texts is not None and not np.any(given, axis=1).all():
        row = int(np.flatnonzero(~np.any(given, axis=1))[0])
        raise UsageError(
            f"{sample.source}: row {row} (from 0, id {shown(sample.ids[row])}): its vector is all "
            "0, so it has no direction (has the text any words?); leave it out, or give --metric l2"
        )
    if given.shape[1] == 1:
        raise UsageError(
            f"{sample.source}: of vectors of one dimension the cosine sees the sign alone; allowed "
            "for them: --metric l2"
        )
    refuse_without_direction(Vectors(ids=sample.ids, values=given, source=sample.source), distance)
    found = np.empty(given.shape, dtype=np.float32)
    for start in range(0, len(given), 8_192):
        block = np.asarray(given[start : start + 8_192], dtype=np.float64)
        found[start : start + 8_192] = block / np.linalg.norm(block, axis=1, keepdims=True)
    return found


def _units(sample: Sample) -> Indices:
    """Rows of one group have one number, each other row its own."""
    numbers: dict[object, int] = {}
    keys = (at if group is None else group for at, group in enumerate(sample.groups))
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def _marks(values: Values) -> list[bytes]:
    """What equal vectors have in common, and others do not."""
    return [
        blake2b(np.ascontiguousarray(values[row]).tobytes(), digest_size=16).digest()
        for row in range(len(values))
    ]


def _kin(samples: Sequence[Sample], marks: Sequence[Sequence[bytes]]) -> Indices:
    """What no fold may part: one group, one wording, or one vector, in either sample."""
    joined = Joined(sum(map(len, samples)))
    firsts: dict[tuple[str, object], int] = {}
    at = 0
    for sample, mine in zip(samples, marks, strict=True):
        for row, group in enumerate(sample.groups):
            keys: list[tuple[str, object]] = [("vector", mine[row])]
            if group is not None:
                keys.append(("group", group))
            if sample.texts is not None:
                keys.append(("text", " ".join(answer_tokens(sample.texts[row]))))
            for key in keys:
                joined.join(firsts.setdefault(key, at), at)
            at += 1
    return np.array([joined.root(one) for one in range(at)], dtype=np.intp)


def _numbers(sample: Sample) -> dict[str, Floats]:
    found = dict(sample.numbers)
    if sample.texts is not None and LENGTH not in found:
        found[LENGTH] = word_counts(sample.texts)
    return found


def _tagged(sample: Sample) -> Sequence[Mapping[str, str]]:
    if sample.texts is None:
        return sample.tags
    return [
        {**tags, LANGUAGE: language_of(text)}
        for tags, text in zip(sample.tags, sample.texts, strict=True)
    ]


def _of_units(tags: Sequence[Mapping[str, str]], points: Points) -> list[Mapping[str, str]]:
    """The tags of each unit: of several values in one group the most frequent."""
    rows: dict[int, list[Mapping[str, str]]] = {}
    for unit, one in zip(points.units.tolist(), tags, strict=True):
        rows.setdefault(unit, []).append(one)
    return [_most_frequent(some) if len(some) > 1 else some[0] for some in rows.values()]


def _most_frequent(rows: Sequence[Mapping[str, str]]) -> Mapping[str, str]:
    names = dict.fromkeys(name for one in rows for name in one)
    return {
        name: Counter(one[name] for one in rows if name in one).most_common(1)[0][0]
        for name in names
    }


def _words(sample: Sample) -> Iterator[frozenset[str]]:
    return (frozenset(answer_tokens(text)) for text in sample.texts or ())


def _side(sample: Sample, points: Points, marks: Sequence[bytes]) -> Side:
    zero = sum(
        int((~np.any(points.values[start : start + 8_192], axis=1)).sum())
        for start in range(0, len(sample), 8_192)
    )
    units = int(points.units.max(initial=-1)) + 1
    return Side(sample.source, len(sample), units, len(sample) - len({*marks}), zero)


def _examples(findings: Findings, current: Sample, before: int) -> tuple[Example, ...]:
    """The rows that the classifier, which has not seen them, holds to be newest; each text once."""
    found = findings.separation
    order = np.argsort(-found.scores, kind="stable")
    shown: dict[str, Example] = {}
    for at in order[found.rows[order] >= before].tolist():
        row = int(found.rows[at]) - before
        text = None if current.texts is None else current.texts[row]
        shown.setdefault(
            text or current.ids[row], Example(current.ids[row], text, float(found.scores[at]))
        )
        if len(shown) == SHOWN:
            break
    return tuple(shown.values())


def _uncompared(tag: str) -> str:
    return f"not compared: {tag}, which changes by itself; --tag {tag} compares it"


def _warnings(ready: Prepared, tagged: Sequence[Sequence[Mapping[str, str]]]) -> Iterator[str]:
    for side, sample in zip(ready.sides, ready.samples, strict=True):
        if side.zero:
            yield f"{side.source}: {counted(side.zero, 'vector')} of only 0, taken as they are"
        if side.repeated > side.rows // 10:
            yield (
                f"{side.source}: {side.repeated:,} of {side.rows:,} rows repeat another; that is "
                "traffic, if people ask alike, or a fault of the sample"
            )
        if sample.unread_tags:
            yield (
                f"{side.source}: the tags of {counted(sample.unread_tags, 'row')} are no object of "
                "names and values, and were not looked at; --tag NAME takes a column"
            )
    if alone := one_sided(*tagged):
        told = ", ".join(map(shown, alone[:5]))
        yield f"tags that only one sample has, and so tell nothing: {told}"
    yield from _dependences(ready)


def _dependences(ready: Prepared) -> Iterator[str]:
    """What may make rows depend on each other, though the tests take them to be independent."""
    first, second = ready.samples
    groups = [{*one.groups} - {None} for one in ready.samples]
    if spanning := len(groups[0] & groups[1]):
        told = counted(spanning, "group")
        yield f"{told} with rows in both samples, which are then not independent"
    for one, other, has, lacks in zip(
        (first, second), (second, first), groups, groups[::-1], strict=True
    ):
        if len(has) < sum(group is not None for group in one.groups) and not lacks:
            yield (
                f"{one.source} has groups (sessions) of several rows, {other.source} names none: "
                "if its rows come in sessions too, an alarm may be false"
            )
    both = len({*first.ids} & {*second.ids})
    if both and first.named and second.named:
        yield (
            f"{counted(both, 'id')} in both samples: the tests take samples to be independent. For "
            "two versions of the same documents give --probes"
        )
    if ready.shared > len(second) // 10:
        yield (
            f"{second.source}: {ready.shared:,} of {len(second):,} rows have the vector of a row "
            f"of {first.source}; that is traffic, if people ask alike. If they are the same rows, "
            "the samples are not independent, and drift may be hidden"
        )
