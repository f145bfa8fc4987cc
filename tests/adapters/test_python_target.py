"""From `module:attribute` to a pipeline, and what is said when there is none."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragproof.adapters.python import PythonAdapter
from ragproof.core import Answer, Observation, QuestionCase, RunError, UsageError

CASE = QuestionCase(id="q1", question="How many moons?")
MODULE = """
import asyncio
version = "3"

class Pipeline:
    version = "1.2"

    def __init__(self, size: int = 3, name: str = "x") -> None:
        self.size = size

    def answer(self, question):
        return f"{self.size}"

def build(size=3):
    return Pipeline(size)

async def open_later(size=3):
    await asyncio.sleep(0.01)
    return Pipeline(size)

async def open_and_fail():
    raise OSError("no database")

def fails():
    raise ValueError("bad weights")

def leaves():
    raise SystemExit(1)

def nothing():
    return None

ready = Pipeline()
number = 5
"""


@pytest.fixture(autouse=True)
def _imports_undone() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text("")
    (tmp_path / "mine" / "pipeline.py").write_text(MODULE)
    (tmp_path / "mine" / "broken.py").write_text("import json\n\njson.loads('{')\n")
    (tmp_path / "mine" / "lacking.py").write_text("import no_such_library\n")
    return tmp_path


def load(folder: Path, target: str, **params: object) -> PythonAdapter:
    return PythonAdapter.load(target, params, folder, 5)


def text(one: PythonAdapter) -> str:
    seen = asyncio.run(one.observe(CASE))
    assert seen.answer is not None
    return seen.answer.answer_text


@pytest.mark.parametrize("name", ["Pipeline", "build", "open_later"])
def test_a_class_or_factory_is_given_the_parameters(folder: Path, name: str) -> None:
    one = load(folder, f"mine.pipeline:{name}", size=9)
    assert text(one) == "9"
    info = one.info()
    assert (info.type, info.target, info.params) == ("python", f"mine.pipeline:{name}", {"size": 9})
    assert one.capabilities == {"answer"}


def test_the_version_is_the_pipelines_unless_the_config_says(folder: Path) -> None:
    one = load(folder, "mine.pipeline:ready")
    assert (one.info().version, one.info("7").version) == ("1.2", "7")
    assert one.name == "mine.pipeline:ready"


def test_an_async_factory_is_not_stopped_by_a_case_that_times_out(folder: Path) -> None:
    one = load(folder, "mine.pipeline:open_later", size=4)

    async def main() -> Observation:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(one.observe(CASE), 0.001)
        return await one.observe(CASE)

    seen = asyncio.run(main())
    assert seen.answer == Answer(answer_text="4")


def test_an_async_factory_that_fails_stops_the_run(folder: Path) -> None:
    one = load(folder, "mine.pipeline:open_and_fail")
    with pytest.raises(RunError, match=r"could not be loaded: OSError: no database \(pipeline.py:"):
        asyncio.run(one.observe(CASE))


def test_an_async_factory_that_is_never_needed_does_not_warn(folder: Path) -> None:
    asyncio.run(load(folder, "mine.pipeline:open_later").close())
    gc.collect()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("mine.pipeline", r"write it as module:attribute"),
        ("mine/pipeline.py:build", r"write it as module:attribute"),
        ("mine.pipelin:build", r"no module mine\.pipelin .* Did you mean 'mine\.pipeline'"),
        ("minee.pipeline:build", r"no module minee .* Did you mean 'mine'"),
        ("mine.pipeline.more:build", r"mine\.pipeline is a module, not a package"),
        ("mine.pipeline:biuld", r"has no attribute 'biuld'\. Did you mean 'build'"),
        ("mine.pipeline:nothing", r"gives None, which has none of the methods"),
        ("mine.pipeline:number", r"gives 5, which has none of the methods"),
    ],
)
def test_a_wrong_target_is_told_what_is_there(folder: Path, target: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        load(folder, target)


def test_parameters_that_do_not_suit_are_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"'sise'\. Did you mean 'size'\? It takes \(size=3\)"):
        load(folder, "mine.pipeline:build", sise=3)
    with pytest.raises(UsageError, match="is an object and takes none"):
        load(folder, "mine.pipeline:ready", size=3)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("mine.broken:x", r"JSONDecodeError: .* \(broken\.py:3\)"),
        ("mine.lacking:x", r"ModuleNotFoundError: .*no_such_library.* \(lacking\.py:1\)"),
        ("mine.pipeline:fails", r"ValueError: bad weights \(pipeline\.py:"),
        ("mine.pipeline:leaves", r"SystemExit: 1 \(pipeline\.py:"),
    ],
)
def test_what_fails_in_the_users_code_names_the_place(folder: Path, target: str, said: str) -> None:
    with pytest.raises(RunError, match=f"^{target} could not be loaded: {said}"):
        load(folder, target)


def test_a_module_of_the_same_name_in_another_folder_is_another_module(tmp_path: Path) -> None:
    for size in (1, 2):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / "same_name.py").write_text(MODULE.replace("size=3", f"size={size}"))
        assert text(load(folder, "same_name:build")) == str(size)


def test_a_module_hidden_by_a_loaded_one_is_not_silently_another(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text(MODULE)
    with pytest.raises(UsageError, match=r"'json' .* is hidden by one of the same name"):
        load(tmp_path, "json:build")
