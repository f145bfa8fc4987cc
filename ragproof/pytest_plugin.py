"""The plugin of pytest: a fixture, one test for each case, and one verdict at the end.

It is imported by every pytest of an environment in which ragproof is installed; what it needs it
imports when a test asks for it.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragproof.api.bound import Bound
    from ragproof.api.ledger import Ledger, Verdict
    from ragproof.api.result import CaseResult

MARKER = "ragproof_cases"
CASE = "ragproof_case"
TOLD = "ragproof"
"""Under which a worker of xdist tells what it holds."""
_LEDGER: pytest.StashKey[Ledger] = pytest.StashKey()
_VERDICTS: pytest.StashKey[list[Verdict]] = pytest.StashKey()
_TOLD: pytest.StashKey[list[str]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what can be said of a session."""
    group = parser.getgroup("ragproof", "evaluation of RAG pipelines")
    group.addoption("--ragproof-config", metavar="PATH", help="ragproof.yaml of the session.")
    group.addoption(
        "--ragproof-baseline", metavar="RUN", help="Run or file to compare with in gates."
    )
    parser.addini("ragproof_config", "ragproof.yaml of the session, relative to the root.")


def pytest_configure(config: pytest.Config) -> None:
    """Explain the marker."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(dataset=None, **asked): one test for each case of a dataset, whose result is "
        f"the fixture `{CASE}`; the path is relative to the test's file. Asked may be metrics, k, "
        "sample, seed, limit, split, repeats, judge, thresholds, ...",
    )


@pytest.fixture(scope="session", name="ragproof")
def _bound(request: pytest.FixtureRequest) -> Bound:
    """Evaluate, gate and compare with the session's config."""
    from ragproof.api.bound import Bound

    config = request.config
    ledger = _ledger(config)
    baseline = config.getoption("--ragproof-baseline")
    return Bound(_config_path(config), baseline, lambda result: ledger.note(repr(result)))


@pytest.fixture(scope="session")
def ragproof_adapter() -> object | None:
    """Give the pipeline under test; None for that of the config. Define your own to replace it."""
    return None


@pytest.fixture(name=CASE)
def _case(request: pytest.FixtureRequest, ragproof_adapter: object | None) -> CaseResult:
    """Evaluate the case of this test; the test fails where the pipeline does."""
    from ragproof.core import RagproofError

    if not hasattr(request, "param"):
        pytest.fail(f"{CASE} goes with the marker {MARKER}", pytrace=False)
    key, case_id = request.param
    try:
        results = _ledger(request.config).case(key, case_id, ragproof_adapter)
    except RagproofError as fault:
        pytest.fail(f"ragproof: {fault}", pytrace=False)
    for one in results:
        if one.failure is not None:
            told = f"{one.failure.cause}: {one.failure.message}"
            pytest.fail(f"the pipeline failed on case {case_id!r}: {told}", pytrace=False)
    return results[0]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each case of a marked function."""
    marker = metafunc.definition.get_closest_marker(MARKER)
    if marker is None:
        return
    from ragproof.core import RagproofError

    where = f"{metafunc.definition.nodeid}: {MARKER}"
    if CASE not in metafunc.fixturenames:
        raise pytest.Collector.CollectError(f"{where}: the test does not take `{CASE}`")
    try:
        key, ids = _table(metafunc, marker)
    except RagproofError as fault:
        raise pytest.Collector.CollectError(f"{where}: {fault}") from None
    metafunc.parametrize(CASE, [(key, one) for one in ids], ids=ids, indirect=True)


def _table(metafunc: pytest.Metafunc, marker: pytest.Mark) -> tuple[str, tuple[str, ...]]:
    from ragproof.api.ledger import Table
    from ragproof.core import UsageError

    if len(marker.args) > 1:
        raise UsageError(f"got {len(marker.args)} arguments; allowed: one, the dataset")
    said = {**marker.kwargs}
    dataset = marker.args[0] if marker.args else said.pop("dataset", None)
    config = metafunc.config
    if (baseline := config.getoption("--ragproof-baseline")) is not None:
        said.setdefault("baseline", baseline)
    path = None if dataset is None else str(metafunc.definition.path.parent / Path(dataset))
    table = Table(path, _config_path(config), said)
    return table.key, _ledger(config).ids(table)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note which cases are to be evaluated, now that it is known which tests are to run."""
    if session.config.stash.get(_LEDGER, None) is None or session.config.option.collectonly:
        return
    for item in session.items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        if CASE in params and item.get_closest_marker(MARKER) is not None:
            _ledger(session.config).expect(*params[CASE])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:  # noqa: ANN401  xdist need not be there
    """Keep what a worker of xdist told when it ended."""
    told = getattr(node, "workeroutput", {}).get(TOLD)
    if told is not None:
        node.config.stash.setdefault(_TOLD, []).append(told)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Tell the controller what this worker holds; or give the verdict."""
    config = session.config
    told = config.stash.get(_TOLD, [])
    if config.stash.get(_LEDGER, None) is None and not told:
        return
    ledger = _ledger(config)
    if (output := getattr(config, "workeroutput", None)) is not None:
        output[TOLD] = ledger.told()
        return
    for one in told:
        ledger.take(one)
    verdicts = config.stash.setdefault(_VERDICTS, [])
    verdicts.extend(ledger.verdicts())
    if exitstatus == pytest.ExitCode.OK and not all(one.passed for one in verdicts):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show the figures of all cases that were evaluated, and the verdict on them."""
    ledger = config.stash.get(_LEDGER, None)
    verdicts = config.stash.get(_VERDICTS, [])
    if ledger is None or not (verdicts or ledger.runs):
        return
    passed = all(one.passed for one in verdicts)
    terminalreporter.write_sep("=", "ragproof", green=passed, red=not passed)
    for line in _shown(verdicts, ledger):
        terminalreporter.write_line(line)


def _shown(verdicts: list[Verdict], ledger: Ledger) -> Iterator[str]:
    from ragproof.api.showing import shown

    yield from ledger.runs
    for one in verdicts:
        yield from shown(one)


def _ledger(config: pytest.Config) -> Ledger:
    from ragproof.api.ledger import Ledger

    if _LEDGER not in config.stash:
        workers = getattr(config, "workerinput", {}).get("workercount", 1)
        config.stash[_LEDGER] = Ledger(is_told=hasattr(config, "workeroutput"), processes=workers)
    return config.stash[_LEDGER]


def _config_path(config: pytest.Config) -> str | None:
    """The option's path is relative to where pytest was called, the ini's to the root."""
    if (option := config.getoption("--ragproof-config")) is not None:
        return str(config.invocation_params.dir / option)
    ini = config.getini("ragproof_config")
    return str(config.rootpath / ini) if ini else None
