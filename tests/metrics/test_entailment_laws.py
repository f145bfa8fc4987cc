"""What holds of metrics that ask a local model, whatever it says."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from fixture import by_label
from hypothesis import given
from hypothesis import strategies as st
from scripted_models import ScriptedPairs

from ragproof.core import (
    Answer,
    CaseRun,
    Chunk,
    Citation,
    LocalModels,
    Observation,
    QuestionCase,
    Scored,
    Tools,
)
from ragproof.metrics import catalog
from ragproof.metrics.entailed import joined

SAID = ("Cats purr.", "Dogs bark.", "Fish swim.")
CHUNKS = {"a": "One.", "b": "Two.", "c": "Three."}
probabilities = st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0])
cited = st.lists(st.sampled_from([*CHUNKS, "z"]), max_size=3, unique=True)
citing = st.tuples(cited, cited, cited)
thresholds = st.lists(st.floats(0.01, 1), min_size=2, max_size=4)


@st.composite
def opinions(draw: st.DrawFn) -> Mapping[str, Mapping[str, float]]:
    """Whatever a model may make of each chunk, and of any of them together."""
    ids = [*CHUNKS]
    lists = [[one] for one in ids]
    lists += [[one, other] for one in ids for other in ids if one != other]
    lists += [[one, *pair] for one in ids for pair in lists[3:] if one not in pair]
    return {
        joined(CHUNKS[one] for one in some): {said: draw(probabilities) for said in SAID}
        for some in lists
    }


def run(cites: tuple[list[str], ...]) -> CaseRun:
    parts = [
        f"{said[:-1]} {''.join(f'[{one}]' for one in ids)}." if ids else said
        for said, ids in zip(SAID, cites, strict=True)
    ]
    chunks = tuple(Chunk(id=one, text=text) for one, text in CHUNKS.items())
    told = tuple(Citation(chunk_id=one) for one in sorted({one for ids in cites for one in ids}))
    answer = Answer(answer_text=" ".join(parts), citations=told, retrieved_chunks=chunks)
    return CaseRun(QuestionCase(id="q", question="?"), Observation(case_id="q", answer=answer))


def figure(
    metric: str, of: CaseRun, says: Mapping[str, Mapping[str, float]], **params: object
) -> float | None:
    tools = Tools(local=LocalModels(nli=ScriptedPairs(says)))
    [found] = by_label(catalog.build(metric, **params), of, tools).values()
    return found.value if isinstance(found, Scored) else None


@given(citing, opinions(), thresholds)
def test_a_higher_threshold_lets_no_more_through(
    cites: tuple[list[str], ...], says: Mapping[str, Mapping[str, float]], cuts: list[float]
) -> None:
    for metric in ("generation.nli_support", "citation.nli_recall"):
        found = [figure(metric, run(cites), says, threshold=one) for one in sorted(cuts)]
        shares = [one for one in found if one is not None]
        assert len(shares) == len(cuts)
        assert all(one >= other for one, other in pairwise(shares))


@given(opinions())
def test_the_least_score_reaches_a_threshold_where_all_statements_do(
    says: Mapping[str, Mapping[str, float]],
) -> None:
    of = run(([], [], []))
    least = figure("generation.nli_support", of, says, aggregate="min")
    mean = figure("generation.nli_support", of, says, aggregate="mean")
    assert least is not None
    assert mean is not None
    assert least <= mean + 1e-12
    for cut in (0.1, 0.5, 0.7, 1.0):
        is_whole = figure("generation.nli_support", of, says, threshold=cut) == 1
        assert is_whole == (least >= cut)


@given(citing, opinions())
def test_precision_is_counted_as_alce_has_it(
    cites: tuple[list[str], ...], says: Mapping[str, Mapping[str, float]]
) -> None:
    def entails(ids: list[str], said: str) -> bool:
        premise = joined(CHUNKS[one] for one in ids)
        return says.get(premise, {}).get(said, 0.0) >= 0.5

    right, recalled = 0, 0
    for said, ids in zip(SAID, cites, strict=True):
        if not ids or "z" in ids or not entails(ids, said):
            continue
        recalled += 1
        for one in ids:
            rest = [other for other in ids if other != one]
            right += not rest or entails([one], said) or not entails(rest, said)
    whole = sum(map(len, cites))
    assert figure("citation.nli_recall", run(cites), says) == recalled / 3
    expected = right / whole if whole else None
    assert figure("citation.nli_precision", run(cites), says) == expected
