"""Parsing and cleaning on real data: published figures, known duplicates, labelled spans."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bench.ingestion import language_f1, languages
from ragproof.analysis.near_duplicates import near_duplicates, signature, sweep
from ragproof.core import CaseRun, DocumentCase, Observation, Parsed
from ragproof.core.case import Document, TypedSpan
from ragproof.metrics.ingestion.pii_precision import PiiPrecision
from ragproof.metrics.ingestion.pii_recall import PiiRecall
from ragproof.metrics.ingestion.teds import Teds
from ragproof.metrics.ingestion.teds_structure import TedsStructure
from ragproof.text.shingles import jaccard, shingles

DATA = Path(__file__).parents[3] / "shared" / "data"
pytestmark = pytest.mark.shared_data


@pytest.fixture(autouse=True)
def _data_is_there() -> None:
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is absent")


def run_of(parsed: Parsed, **labels: Any) -> CaseRun:
    case = DocumentCase(id="d", document=Document(path="d"), **labels)
    return CaseRun(case, Observation(case_id="d", parsed=parsed))


def test_teds_is_the_published_one_to_twelve_digits() -> None:
    folder = DATA / "pubtabnet"
    gold, given, published = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("sample_gt", "sample_pred", "expected_teds")
    )
    assert len(published) == 20
    for name, expected in published.items():
        run = run_of(Parsed(text="", tables=(given[name],)), expected_tables=(gold[name]["html"],))
        assert Teds().score(run).value == pytest.approx(expected, abs=1e-12), name
        assert TedsStructure().score(run).value >= expected - 1e-12, name


def test_near_duplicates_are_exactly_the_known_pairs() -> None:
    folder = DATA / "neardup_minhash"
    with gzip.open(folder / "articles_1000.train.gz", "rt", encoding="utf-8") as lines:
        texts = dict(line.rstrip("\n").split(" ", 1) for line in lines)
    labelled = (folder / "articles_1000.truth").read_text(encoding="utf-8").splitlines()
    known = {(min(pair), max(pair)) for pair in (tuple(line.split()) for line in labelled)}
    parts = {name: shingles(text) for name, text in texts.items()}
    assert (len(parts), len(known)) == (1000, 10)
    assert min(jaccard(parts[one], parts[other]) or 0 for one, other in known) >= 0.97
    signatures = {name: signature(part) for name, part in parts.items()}
    assert {pair.ids for pair in near_duplicates(signatures, 0.8)} == known


def test_a_sweep_on_a_hundred_articles_finds_settings_that_make_no_mistake() -> None:
    folder = DATA / "neardup_minhash"
    lines = (folder / "articles_100.train").read_text(encoding="utf-8").splitlines()
    parts = {name: shingles(text) for name, _, text in (line.partition(" ") for line in lines)}
    labelled = (folder / "articles_100.truth").read_text(encoding="utf-8").splitlines()
    pairs = [(one, other) for one, other in (line.split() for line in labelled)]
    table = sweep(parts, pairs, [16, 64], [0.02, 0.5, 0.9])
    assert all(one.recall == 1 for one in table if one.threshold == 0.5)
    assert all(one.precision == 1 for one in table if one.threshold == 0.5)
    assert all((one.precision or 0) < 0.5 for one in table if one.threshold == 0.02)


MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+\w")
CARD = re.compile(r"\b\d{12,19}\b")


def detected(text: str) -> Iterator[TypedSpan]:
    for name, pattern in (("EMAIL_ADDRESS", MAIL), ("CREDIT_CARD", CARD)):
        for found in pattern.finditer(text):
            yield TypedSpan(start=found.start(), end=found.end(), type=name)


def test_a_simple_detector_is_scored_against_labelled_spans() -> None:
    path = DATA / "pii_presidio" / "synth_dataset_v2.json"
    texts = json.loads(path.read_text(encoding="utf-8"))
    sums: dict[tuple[str, str], list[float]] = {}
    right = unique = 0
    for one in texts:
        gold = tuple(
            TypedSpan(
                start=span["start_position"], end=span["end_position"], type=span["entity_type"]
            )
            for span in one["spans"]
        )
        found = tuple(detected(one["full_text"]))
        unique += len(set(gold))
        right += len(
            {(s.start, s.end, s.type) for s in gold} & {(s.start, s.end, s.type) for s in found}
        )
        run = run_of(Parsed(text="", pii=found), expected_pii=gold)
        for name, metric, spans in (("p", PiiPrecision(), found), ("r", PiiRecall(), gold)):
            if spans:
                for kind, scored in metric.score(run).items():
                    total = sums.setdefault((name, kind), [0.0, 0.0])
                    total[0] += scored.value * scored.weight
                    total[1] += scored.weight
    assert sum(of for (name, _), (_, of) in sums.items() if name == "r") == unique
    assert len([1 for name, _ in sums if name == "r"]) == 17
    assert sum(hits for (name, _), (hits, _) in sums.items() if name == "r") == pytest.approx(right)
    assert sum(hits for (name, _), (hits, _) in sums.items() if name == "p") == pytest.approx(right)
    assert sums["r", "EMAIL_ADDRESS"][0] / sums["r", "EMAIL_ADDRESS"][1] == 1
    assert sums["r", "PERSON"][0] == 0


def test_the_languages_of_real_paragraphs_are_recognised() -> None:
    texts = list(islice(languages(DATA / "xquad"), 0, None, 4))
    assert {language for language, _ in texts} == {"ar", "de", "en", "hi", "zh"}
    macro, each = language_f1(texts)
    assert macro > 0.99
    assert min(each.values()) > 0.98
