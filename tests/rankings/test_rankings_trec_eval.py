"""trec_eval's own test files: every measure that is here, to the four digits it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.core import UsageError
from ragproof.wiring.ranking import RankingRequest, rank

FOLDER = Path(__file__).parents[3] / "shared/data/trec_eval"
pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=f"there is no {FOLDER}"),
]
ABSENT = {
    *("runid", "num_q", "relstring", "utility", "binG", "G", "ndcg_rel", "Rndcg", "rbp_resid"),
    *("utility_2,-1,0,0", "11pt_avg_.25,.5,.75", "ndcg_1=3,2=9,4=4.5"),
}
"""What trec_eval has beside them: experiments of its own, and gains given by hand."""


def expected(name: str) -> dict[tuple[str, str], float]:
    """Measure and query (`all`) to the value printed."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if line.split()[0] not in ABSENT]
    return {(measure, query): float(value) for measure, query, value in rows}


def found(qrels: str, names: set[str], level: int = 1) -> dict[tuple[str, str], float]:
    files = FOLDER / qrels, FOLDER / "results.test"
    run = rank(
        RankingRequest(qrels=files[0], run=files[1], names=tuple(sorted(names)), level=level)
    ).run
    figures = {(name, "all"): figure for name, figure in run.figures.items()}
    return figures | {
        (name, query): value
        for name, values in run.values.items()
        for query, value in zip(run.queries, values.tolist(), strict=True)
    }


@pytest.mark.parametrize("name", ["out.test", "out.test.a", "out.test.aq", "out.test.meas_params"])
def test_every_measure_has_trec_evals_value(name: str) -> None:
    wanted = expected(name)
    got = found("qrels.test", {measure for measure, _ in wanted})
    assert len(wanted) > 20
    assert {key: got[key] for key in wanted} == pytest.approx(wanted, abs=5.001e-5)


def test_a_measure_that_is_not_here_is_refused() -> None:
    for absent in ("relstring", "binG"):
        with pytest.raises(UsageError, match="There is no measure"):
            found("qrels.test", {absent})
    assert len({measure for measure, _ in expected("out.test.a")}) == 91
