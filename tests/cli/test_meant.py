"""What was mistyped is answered with what was probably meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ragproof.cli.main import root
from ragproof.core import UnknownMetric, UsageError
from ragproof.metrics import catalog
from ragproof.wiring.looking import DEMO_STORE, open_for_reading
from ragproof.wiring.plan import plan


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["rport"], "No such command 'rport'. Did you mean 'report'?"),
        (["trace_gold"], "No such command 'trace_gold'. Did you mean 'trace-gold'?"),
        (["dataset", "imprt"], "No such command 'imprt'. Did you mean 'import'?"),
        (["judge", "biass"], "No such command 'biass'. Did you mean 'bias'?"),
        (["index", "tun"], "No such command 'tun'. Did you mean 'tune'?"),
        (["run", "--metrcs", "x"], "No such option '--metrcs'. Did you mean '--metrics'?"),
    ],
)
def test_a_command_or_an_option_that_is_not_there(
    arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        root.main(arguments)
    assert ended.value.code == 3
    told = capsys.readouterr()
    assert (told.out, meant in told.err) == ("", True)


def test_what_is_like_no_command_has_no_proposal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        root.main(["zzz"])
    assert "Error: No such command 'zzz'.\n" in capsys.readouterr().err


@pytest.mark.parametrize("group", ["dataset", "index", "judge"])
def test_a_group_lists_each_command_with_a_whole_sentence(
    group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        root.main([group, "--help"])
    listed = capsys.readouterr().out.split("Commands:\n")[1]
    sentences = re.findall(r"^  \S.*(?:\n   .*)*", listed, re.MULTILINE)
    assert ended.value.code == 0
    assert sentences
    assert all(re.search(r"[^.][.?]\Z", one) for one in sentences), listed


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("retrieval.recal_at_k", "Did you mean 'retrieval.recall_at_k'?"),
        ("retreival.*", "Did you mean 'retrieval.*'?"),
        ("retrieval", "It is a family; 'retrieval.*' stands for its metrics."),
        ("mrr", "Of this name: reranking.mrr_gain, retrieval.mrr."),
    ],
)
def test_a_metric_a_family_or_the_part_of_a_name(pattern: str, meant: str) -> None:
    with pytest.raises(UnknownMetric) as caught:
        catalog.matching(pattern)
    assert meant in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "a", "b", "--markdown", "-", "--json"],
        ["decide", "--baseline", "a", "--markdown", "-", "--json"],
        ["gate", "--markdown", "-", "--junit", "-"],
        ["sweep", "--markdown", "-", "--html", "-"],
        ["report", "--html", "-", "--json"],
        ["trace-gold", "--html", "-", "--json"],
    ],
)
def test_two_things_are_not_printed_into_one_another(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        root.main(arguments)
    assert ended.value.code == 3
    told = capsys.readouterr()
    assert (told.out, "both print to stdout; give one of them" in told.err) == ("", True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "latest", "--to", "csv", "-"],
        ["export", "latest", "--to", "csv", "a.csv", "--observations", "-"],
        ["rankings", "--run", "a.run", "--fuse", "b.run", "--fused", "-"],
        ["dataset", "split", "d.jsonl", "--out", "-"],
        ["generate", "docs", "--out", "-"],
        ["calibrate", "--record", "-"],
    ],
)
def test_what_goes_to_a_file_of_its_own_is_not_printed(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        root.main(arguments)
    assert ended.value.code == 3
    assert "'-' names no file" in capsys.readouterr().err


def test_a_glob_leaves_out_what_has_to_be_asked_for_by_name() -> None:
    named = catalog.matching("context.*")
    wanted = plan([("context.*", {})])
    assert "context.precision" in named
    assert set(wanted) == {one for one in named if not catalog.load(one).spec.on_request}
    assert list(plan([("context.precision", {})])) == ["context.precision"]
    with pytest.raises(UsageError, match=r"by its own name: context\.recall, context\.relevance$"):
        plan([("context.re*", {})])


def test_the_demos_store_is_pointed_to_where_it_is_the_only_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught, open_for_reading(None, None, {}):
        pass
    assert "--store" not in str(caught.value)
    DEMO_STORE.parent.mkdir()
    DEMO_STORE.touch()
    with pytest.raises(UsageError) as caught, open_for_reading(None, None, {}):
        pass
    assert str(caught.value).endswith("`ragproof demo` has its own: --store .ragproof/demo.db")
