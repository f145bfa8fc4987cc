"""What a price file may say, and what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragproof.core import UsageError
from ragproof.core.price_list import Price, PriceList, StoragePrice
from ragproof.wiring.pricing import load_prices, prices_hash

WHOLE = """
models:
  large: {input_per_mtok: 10, output_per_mtok: 30, hit: {input_per_mtok: 1, output_per_mtok: 30}}
stages:
  retrieve: {usd_per_call: 0}
  rerank: {usd_per_hour: 1.5}
  generate: {model: large}
storage: {usd_per_month: 70, queries_per_month: 200000}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_models_stages_and_storage_are_read(tmp_path: Path) -> None:
    hit = Price(input_per_mtok=1.0, output_per_mtok=30.0)
    assert load_prices(written(tmp_path, WHOLE)) == PriceList(
        models={"large": Price(input_per_mtok=10.0, output_per_mtok=30.0, hit=hit)},
        stages={
            "retrieve": Price(usd_per_call=0.0),
            "rerank": Price(usd_per_hour=1.5),
            "generate": Price(model="large"),
        },
        storage=StoragePrice(usd_per_month=70.0, queries_per_month=200_000.0),
    )


def test_the_price_file_of_the_page_loads(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/system.md").read_text(encoding="utf-8")
    text = page.partition("<!-- file: prices.yaml -->\n```text\n")[2].partition("```")[0]
    found = load_prices(written(tmp_path, text))
    assert found.models.keys() == {"large", "embed-small"}
    assert found.storage is not None
    assert round(found.storage.usd_per_query, 9) == 0.00035


def test_the_hash_is_of_what_is_said_and_not_of_how(tmp_path: Path) -> None:
    one = prices_hash(written(tmp_path, WHOLE))
    assert prices_hash(written(tmp_path, f"# of May\n{WHOLE}")) == one
    assert prices_hash(written(tmp_path, WHOLE.replace("1.5", "1.6"))) != one


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "prices.yaml:1: got null; allowed: a mapping with models, stages or storage"),
        ("stages: {a: {usd_per_cal: 1}}", "Did you mean 'usd_per_call'"),
        ("stages:\n  a: {usd_per_call: -1}", "prices.yaml:2: stages.a.usd_per_call: got -1"),
        ("stages: {a: {usd_per_call: '1'}}", 'got "1"; allowed: a number'),
        ("models: {m: {}}", "models.m: no price is given; allowed: input_per_mtok"),
        ("models: {m: {usd_per_call: 1, hit: {}}}", "models.m.hit: no price is given"),
        ("stages: {a: {model: m}}", 'stages.a.model: got "m"; allowed: a name under models'),
        (
            "models: {m: {usd_per_call: 1}}\nstages: {a: {model: m, usd_per_call: 1}}",
            "prices.yaml:2: stages.a: a stage has a price of its own or a model, not both",
        ),
        ("storage: {usd_per_month: 1}", "storage.queries_per_month: missing"),
        ("storage: {usd_per_month: 1, queries_per_month: 0}", "queries_per_month: got 0"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        load_prices(written(tmp_path, text))
    assert said in str(error.value)
