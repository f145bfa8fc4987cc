"""The plugin of pytest, in sessions of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from textwrap import dedent

import pytest

import ragproof.api.bound
import ragproof.api.ledger
import ragproof.api.showing
import ragproof.metrics.generation.exact_match  # noqa: F401  a session in here unloads what it loads

pytest_plugins = ["pytester"]

PIPELINE = """
    import pytest

    class Pipeline:
        def answer(self, question):
            if question == "crash":
                raise ValueError("the index is down")
            return {"answer_text": "no" if question == "wrong" else "yes"}

    @pytest.fixture(scope="session")
    def ragproof_adapter():
        return Pipeline()
"""
MARKED = """
    import pytest

    @pytest.mark.ragproof_cases("cases.jsonl", metrics=["generation.exact_match"]{more})
    def test_answers(ragproof_case):
        assert "generation.exact_match" in ragproof_case.scores
"""
MATCH = "generation.exact_match"
QUICK = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")


def plugin() -> list[str]:
    """How the plugin is named to a session: not at all where it is installed."""
    installed = {one.name for one in entry_points(group="pytest11")}
    return [] if "ragproof" in installed else ["-p", "ragproof.pytest_plugin"]


def project(pytester: pytest.Pytester, *questions: str, more: str = "", **files: str) -> None:
    lines = [
        {"id": f"q{at}", "question": question, "expected_answer": "yes"}
        for at, question in enumerate(questions)
    ]
    text = "".join(json.dumps(one) + "\n" for one in lines)
    (pytester.path / "cases.jsonl").write_text(text)
    pytester.makeconftest(dedent(PIPELINE))
    pytester.makepyfile(test_rag=dedent(MARKED).format(more=more))
    for name, source in files.items():
        (pytester.path / f"{name}.yaml").write_text(dedent(source))


def ran(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess(*plugin(), "-p", "no:cacheprovider", *arguments)


def test_each_case_is_a_test_and_the_session_ends_with_one_verdict(
    pytester: pytest.Pytester,
) -> None:
    gate = f', thresholds={{"{MATCH}": {{"min": 0.5}}}}'
    project(pytester, "right", "right", "wrong", more=gate)
    result = ran(pytester, "-v")
    result.assert_outcomes(passed=3)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "test_rag.py::test_answers[[]q0[]] PASSED*",
            "*= ragproof =*",
            f"  {MATCH}  0.67 * (3 cases scored)",
            f"PASS {MATCH}: mean min 0.5",
        ]
    )
    assert not (pytester.path / ".ragproof").exists()


def test_a_gate_that_fails_fails_a_session_whose_tests_pass(pytester: pytest.Pytester) -> None:
    project(pytester, "right", "wrong", more=f', thresholds={{"{MATCH}": {{"min": 0.9}}}}')
    result = ran(pytester)
    result.assert_outcomes(passed=2)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            f"FAIL {MATCH}: mean min 0.9",
            "*found 0.50, 95 % interval *",
            "*worst cases: q1 0.00",
        ]
    )


def test_a_case_on_which_the_pipeline_fails_fails_its_test_and_completion(
    pytester: pytest.Pytester,
) -> None:
    project(pytester, "right", "crash", more=f', thresholds={{"{MATCH}": {{"min": 0.9}}}}')
    result = ran(pytester)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "*the pipeline failed on case 'q1': adapter: ValueError: the index is down*",
            f"  {MATCH}  1.00 * (1 case scored, 1 failed)",
            f"INCONCLUSIVE {MATCH}: mean min 0.9",
        ]
    )


def test_only_the_cases_whose_tests_are_chosen_are_expected(pytester: pytest.Pytester) -> None:
    project(pytester, "right", "wrong", "right", more=f', thresholds={{"{MATCH}": {{"min": 0.9}}}}')
    result = ran(pytester, "-k", "q0 or q2")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*: completed, 2 of 2 cases observed, *", f"PASS {MATCH}: *"])
    assert "ragproof =" not in ran(pytester, "--collect-only").stdout.str()


def test_a_session_that_leaves_cases_out_does_not_pass(pytester: pytest.Pytester) -> None:
    project(pytester, "right", "crash", "right", more=f', thresholds={{"{MATCH}": {{"min": 0.1}}}}')
    result = ran(pytester, "-x")
    result.stdout.fnmatch_lines(["*: partial, 1 of 3 cases observed, *", "INCONCLUSIVE *"])


def test_repeats_and_two_tests_of_a_case_are_evaluated_once(pytester: pytest.Pytester) -> None:
    project(pytester, "right", more=", repeats=2")
    with (pytester.path / "test_rag.py").open("a") as file:
        file.write(dedent(MARKED).format(more=", repeats=2").replace("test_answers", "test_more"))
    result = ran(pytester)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*2 of 2 cases observed*", "no thresholds: *"])


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (", limt=3", "there is no argument 'limt'. Did you mean 'limit'?"),
        (", metrik=1", "there is no argument 'metrik'"),
        (", k=0", "run.k: got 0"),
        (", limit=0", "limit"),
        (', thresholds={"nothing": {"min": 85}}, label=object()', "only what JSON can say"),
    ],
)
def test_a_marker_that_is_wrong_is_an_error_of_its_test(
    pytester: pytest.Pytester, more: str, told: str
) -> None:
    project(pytester, "right", more=more)
    result = ran(pytester)
    assert result.ret == 2
    result.stdout.fnmatch_lines([f"*test_answers: ragproof_cases: *{told.replace('?', '[?]')}*"])


def test_a_gate_that_cannot_be_asked_is_an_error_and_no_pass(pytester: pytest.Pytester) -> None:
    project(pytester, "right", more=f', thresholds={{"{MATCH}": {{"max_drop": 0.1}}}}')
    result = ran(pytester)
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"gate error: {MATCH}: there is no baseline: *"])


def test_the_fixture_is_bound_to_the_config_and_its_gate_says_what_was_found(
    pytester: pytest.Pytester,
) -> None:
    project(
        pytester,
        "right",
        "wrong",
        ragproof=f"""
            project: shop
            dataset: cases.jsonl
            metrics: [{MATCH}]
            gate: {{thresholds: {{{MATCH}: {{min: 0.9}}}}}}
        """,
    )
    pytester.makepyfile(
        test_rag=f"""
        def test_gate(ragproof, ragproof_adapter):
            first = ragproof.evaluate(adapter=ragproof_adapter, label="first")
            assert not ragproof.gate(first)
            ragproof.assert_gate(first, {{"{MATCH}": {{"min": 0.4}}}})
            second = ragproof.evaluate(adapter=ragproof_adapter)
            assert ragproof.compare(first, second).metrics["{MATCH}"]["delta"] == 0
            assert ragproof.open_run("first").run_id == first.run_id
            ragproof.assert_gate(second)
        """
    )
    result = ran(pytester, "--ragproof-config", "ragproof.yaml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            ">*ragproof.assert_gate(second)*",
            f"*FAIL {MATCH}: mean min 0.9*",
            "*mean 0.5 is below 0.9*",
            "*worst cases: q1 0.00*",
            "*= ragproof =*",
            "<ragproof.Result * 'first': completed, 2 of 2 cases observed, 1 figures>",
        ]
    )


UNUSED = """
import sys, pytest
code = pytest.main([*sys.argv[1:], "-q"])
heavy = {"numpy", "pydantic", "sqlalchemy", "rich", "click", "aiohttp", "jinja2"}
ours = {one for one in sys.modules if one.startswith("ragproof")}
print("imported:", sorted(heavy & sys.modules.keys()), sorted(ours))
sys.exit(code)
"""


def test_a_session_that_does_not_use_it_imports_nothing_of_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_other="def test_other(): pass")
    done = subprocess.run(
        [sys.executable, "-c", UNUSED, *plugin(), *QUICK],
        capture_output=True,
        text=True,
        check=False,
        cwd=pytester.path,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "imported: [] ['ragproof', 'ragproof.pytest_plugin']" in done.stdout
    assert "ragproof =" not in done.stdout


def test_workers_of_xdist_share_one_verdict(pytester: pytest.Pytester) -> None:
    project(
        pytester,
        *["right", "wrong"] * 3,
        ragproof=f"""
            project: shop
            dataset: cases.jsonl
            gate: {{thresholds: {{{MATCH}: {{min: 0.9}}}}}}
        """,
    )
    pytester.makeini("[pytest]\nragproof_config = ragproof.yaml\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugin(), "-n", "2", *QUICK],
        capture_output=True,
        text=True,
        check=False,
        cwd=pytester.path,
        timeout=300,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "6 passed" in done.stdout
    assert done.stdout.count("= ragproof =") == 1
    assert f"  {MATCH}  0.50 [0.19, 0.81] (6 cases scored)" in done.stdout
    assert f"FAIL {MATCH}: mean min 0.9" in done.stdout
    assert (pytester.path / ".ragproof/ragproof.db").exists()  # the config's store
