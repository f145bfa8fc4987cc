"""How a framework's objects are found and called, with objects that only have its methods."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ragproof.adapters.framework import Framework, FrameworkAdapter, has
from ragproof.core import (
    Chunk,
    Document,
    DocumentCase,
    Observation,
    QuestionCase,
    RunError,
    UsageError,
)
from ragproof.wiring.config import load_config
from ragproof.wiring.systems import system

CASE = QuestionCase(id="q1", question="How many moons?")


class Tool:
    """What a made-up framework offers."""

    version = "7"

    def __init__(self, says: str = "two") -> None:
        self.says = says

    def use(self, question: str) -> dict[str, Any]:
        chunks = [{"id": "mars", "text": question}]
        return {"answer_text": self.says, "retrieved_chunks": chunks}


class Wrapped:
    def __init__(self, tool: Tool, settings: Mapping[str, Any]) -> None:
        self._tool = tool
        self._loud = settings.get("loud", False)

    def answer(self, question: str) -> dict[str, Any]:
        return self._tool.use(question.upper() if self._loud else question)


def wrapped(found: object, settings: Mapping[str, Any]) -> object | None:
    return Wrapped(found, settings) if isinstance(found, Tool) else None


MADE_UP = Framework(
    name="made-up",
    module="made_up_framework",
    allowed="a Tool",
    settings={"loud": bool},
    wrapped=wrapped,
    environ={"MADE_UP_TELEMETRY": "off"},
)
tool = Tool()
nothing = 5


def make(says: str = "three") -> Tool:
    return Tool(says)


async def make_later(says: str = "four") -> Tool:
    await asyncio.sleep(0)
    return Tool(says)


def make_nothing() -> int:
    return 5


async def make_nothing_later() -> int:
    return 5


def adapter(target: str, **params: Any) -> FrameworkAdapter:
    full = f"test_framework_adapter:{target}"
    return FrameworkAdapter.load(MADE_UP, full, params, Path(__file__).parent, depth=3)


def observed(target: str, **params: Any) -> Observation:
    async def act() -> Observation:
        one = adapter(target, **params)
        try:
            return await one.observe(CASE)
        finally:
            await one.close()

    return asyncio.run(act())


def refused(target: str, **params: Any) -> str:
    with pytest.raises(UsageError) as error:
        adapter(target, **params)
    return str(error.value)


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))


@pytest.mark.parametrize(
    ("target", "says"),
    [("tool", "two"), ("make", "three"), ("make_later", "four"), ("Tool", "two")],
)
def test_an_object_a_factory_and_a_class_are_taken(target: str, says: str) -> None:
    seen = observed(target)
    assert seen.answer is not None
    assert seen.answer.answer_text == says
    assert seen.seconds is not None


def test_what_the_answer_was_given_is_what_was_retrieved() -> None:
    seen = observed("tool")
    assert seen.retrieved == (Chunk(id="mars", text="How many moons?"),)
    assert seen.answer is not None
    assert seen.answer.retrieved_chunks == seen.retrieved


def test_settings_are_the_adapters_and_the_rest_is_the_factorys() -> None:
    seen = observed("make", loud=True, says="five")
    assert seen.answer is not None
    assert seen.answer.answer_text == "five"
    assert seen.retrieved == (Chunk(id="mars", text="HOW MANY MOONS?"),)


def test_a_document_exposes_nothing() -> None:
    case = DocumentCase(id="d", document=Document(text="Mars"))
    assert asyncio.run(adapter("tool").observe(case)) == Observation(case_id="d")


def test_the_header_says_type_target_parameters_and_version() -> None:
    info = adapter("tool", loud=True).info()
    assert (info.type, info.target) == ("made-up", "test_framework_adapter:tool")
    assert (info.params, info.version) == ({"loud": True}, "7")
    assert adapter("tool").info("8").version == "8"
    assert adapter("tool").name == "test_framework_adapter:tool"
    assert adapter("tool").capabilities == {"answer"}


def test_telemetry_is_switched_off_unless_the_user_wants_it() -> None:
    adapter("tool")
    assert os.environ["MADE_UP_TELEMETRY"] == "off"
    os.environ["MADE_UP_TELEMETRY"] = "on"
    adapter("tool")
    assert os.environ["MADE_UP_TELEMETRY"] == "on"


def test_what_is_neither_is_named_with_what_there_can_be() -> None:
    said = "for adapter type made-up it must be a Tool, or a factory of one. Use type python"
    assert f"test_framework_adapter:nothing is 5, a int; {said}" in refused("nothing")
    assert f"test_framework_adapter:make_nothing gives 5, a int; {said}" in refused("make_nothing")


def test_an_async_factory_that_makes_something_else_stops_the_run() -> None:
    with pytest.raises(RunError, match="make_nothing_later gives 5, a int"):
        observed("make_nothing_later")


def test_an_object_takes_only_the_settings() -> None:
    assert refused("tool", lout=True) == (
        "adapter.params.lout: test_framework_adapter:tool is an object and takes no parameters. "
        "Did you mean 'loud'? For such a target there are only loud; name a factory to give it "
        "others"
    )


def test_a_setting_of_the_wrong_type_is_named() -> None:
    assert refused("tool", loud="yes") == ("adapter.params.loud: got 'yes'; allowed: true or false")


def test_a_factory_is_told_of_parameters_that_it_does_not_take() -> None:
    assert "adapter.params do not suit" in refused("make", sais="five")


def written(folder: Path, code: str) -> Path:
    (folder / "own_rag.py").write_text(textwrap.dedent(code), encoding="utf-8")
    return folder


def test_a_framework_that_is_not_installed_is_one_sentence(tmp_path: Path) -> None:
    folder = written(tmp_path, "import made_up_framework.chains")
    with pytest.raises(UsageError) as error:
        FrameworkAdapter.load(MADE_UP, "own_rag:chain", {}, folder, 3)
    assert str(error.value) == (
        "adapter type made-up: made_up_framework is not installed; pip install 'ragproof[made-up]'"
    )


def test_another_missing_package_is_the_users_own(tmp_path: Path) -> None:
    folder = written(tmp_path, "import made_up_integration")
    with pytest.raises(RunError, match="No module named 'made_up_integration'"):
        FrameworkAdapter.load(MADE_UP, "own_rag:chain", {}, folder, 3)


def test_a_class_is_not_taken_for_an_object() -> None:
    assert has(tool, "use")
    assert not has(Tool, "use")
    assert not has(tool, "use", "stay")


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (
            "langchain",
            """
            class Chain:
                def invoke(self, question):
                    return question.upper()
                ainvoke = invoke
            """,
        ),
        (
            "llamaindex",
            """
            from types import SimpleNamespace
            class Chain:
                def query(self, question):
                    return Said(question.upper())
                aquery = query
            class Said(SimpleNamespace):
                def __init__(self, text):
                    super().__init__(response=text, source_nodes=[])
                def __str__(self):
                    return self.response
            """,
        ),
        (
            "haystack",
            """
            class Chain:
                graph = {}
                def inputs(self):
                    return {"llm": {"prompt": {"is_mandatory": True}}}
                def outputs(self, include_components_with_connected_outputs):
                    return {"llm": {"replies": {}}}
                def run(self, data, include_outputs_from):
                    return {"llm": {"replies": [data["llm"]["prompt"].upper()]}}
                class graph:
                    @staticmethod
                    def successors(name):
                        return []
            """,
        ),
    ],
)
def test_the_config_names_the_framework(
    kind: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.delitem(sys.modules, "own_rag", raising=False)
    written(tmp_path, code)
    file = tmp_path / "ragproof.yaml"
    file.write_text(f'adapter: {{type: {kind}, target: "own_rag:Chain"}}', encoding="utf-8")
    made = system(load_config(file, {}), [], 5, {})
    seen = asyncio.run(made.adapter.observe(CASE))
    assert seen.answer is not None
    assert seen.answer.answer_text == "HOW MANY MOONS?"
    assert made.info.type == kind
