"""Chunkers of known make on real documents, and languages on the same paragraphs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ragproof.core import CaseRun, Chunk, Document, DocumentCase, Observation
from ragproof.metrics.chunking.attribution_fidelity import AttributionFidelity
from ragproof.metrics.chunking.duplicated_tokens import DuplicatedTokens
from ragproof.metrics.chunking.structure_intact import StructureIntact
from ragproof.text.sentence_spans import sentence_spans

DATA = Path(__file__).parents[3] / "shared" / "data"
pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"{DATA} is absent"),
]


def run_of(text: str, size: int, step: int, *, told: bool) -> CaseRun:
    chunks = tuple(
        Chunk(
            id=str(at),
            text=text[at : at + size],
            metadata={"start": at, "end": min(at + size, len(text))} if told else {},
        )
        for at in range(0, len(text), step)
    )
    case = DocumentCase(id="d", document=Document(text=text))
    return CaseRun(case, Observation(case_id="d", chunks=chunks))


@pytest.fixture(scope="module", params=["state_of_the_union", "wikitexts", "pubmed"])
def text(request: pytest.FixtureRequest) -> str:
    path = DATA / "chunking_eval" / "corpora" / f"{request.param}.md"
    return path.read_text(encoding="utf-8")[:100_000]


def test_an_overlap_of_a_quarter_duplicates_a_quarter(text: str) -> None:
    assert DuplicatedTokens().score(run_of(text, 800, 800, told=False)).value < 0.005
    found = DuplicatedTokens().score(run_of(text, 800, 600, told=False)).value
    assert found == pytest.approx(0.25, abs=0.01)


def test_every_place_that_is_told_rightly_is_verified_and_a_shifted_one_is_not(text: str) -> None:
    right = run_of(text, 500, 500, told=True)
    assert AttributionFidelity().score(right).value == 1
    shifted = run_of("shifted " + text, 500, 500, told=True)
    moved = CaseRun(right.case, shifted.observation)
    assert AttributionFidelity().score(moved).value < 0.02


def test_search_places_what_metadata_would_have_told(text: str) -> None:
    told = StructureIntact(of="structures")
    if not StructureIntact().score(run_of(text + "\n- a\n- b", 700, 700, told=True)).weight:
        pytest.fail("no chunk was placed")
    runs = [run_of(text + "\n- a\n- b", 700, 700, told=one) for one in (True, False)]
    known, found = (told.score(run) for run in runs)
    assert known.value == found.value
    assert known.evidence["placed_by_metadata"] == found.evidence["placed_by_search"]


def test_paragraphs_have_about_as_many_sentences_in_every_language() -> None:
    counts: dict[str, int] = {}
    for language in ("en", "de", "zh", "hi", "ar"):
        with gzip.open(
            DATA / "xquad" / f"xquad.{language}.json.gz", "rt", encoding="utf-8"
        ) as file:
            articles = json.load(file)["data"]
        paragraphs = [one["context"] for article in articles for one in article["paragraphs"]]
        counts[language] = sum(len(sentence_spans(one)) for one in paragraphs)
    for language in counts:
        assert counts[language] == pytest.approx(counts["en"], rel=0.15), counts
