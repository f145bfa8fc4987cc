"""Real pipelines of Haystack, with a generator that only recites."""

import os
from pathlib import Path
from typing import Any

import pytest
from few_pages import CASES, PAGES, QUESTIONS, adapter, evaluated, observed, started

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from haystack import Document, Pipeline, component, telemetry
from haystack.components.builders import AnswerBuilder, ChatPromptBuilder, PromptBuilder
from haystack.components.joiners import DocumentJoiner
from haystack.components.rankers import LostInTheMiddleRanker, MetaFieldRanker
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore

from ragproof.adapters.haystack import HAYSTACK
from ragproof.core import Citation, Observation, UsageError

HERE = "test_haystack_real"


@component
class Reciter:
    """A generator that says the same to everything, or what it was asked."""

    def __init__(self, says: str | None = "24 months [1].") -> None:
        self.says = says

    @component.output_types(replies=list[str], meta=list[dict[str, Any]])
    def run(self, prompt: str) -> dict[str, Any]:
        usage = {"prompt_tokens": 7, "completion_tokens": 3}
        meta = {"model": "reciter-1", "usage": usage}
        return {"replies": [prompt if self.says is None else self.says], "meta": [meta]}


@component
class ChatReciter:
    """Says how many messages it was given."""

    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage]) -> dict[str, Any]:
        meta = {"model": "c", "usage": {"prompt_tokens": 1, "completion_tokens": 2}}
        return {"replies": [ChatMessage.from_assistant(f"{len(messages)} messages", meta=meta)]}


@component
class Agent:
    """Gives the last message of its conversation, as agents do."""

    @component.output_types(messages=list[ChatMessage], last_message=ChatMessage)
    def run(self, messages: list[ChatMessage]) -> dict[str, Any]:
        said = " ".join(one.role.value for one in messages)
        return {"messages": messages, "last_message": ChatMessage.from_assistant(said)}


@component
class Odd:
    """Needs something that is not a question."""

    @component.output_types(documents=list[Document])
    def run(self, wish: str) -> dict[str, Any]:
        return {"documents": [Document(id=wish, content=wish)]}


@component
class Silent:
    """Gives nothing that could be scored."""

    @component.output_types(number=int)
    def run(self, query: str) -> dict[str, Any]:
        return {"number": len(query)}


def searcher(top_k: int = 1) -> InMemoryBM25Retriever:
    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(id=f"{page}#0", content=text, meta={"file_path": page, "split_idx_start": 0})
            for page, text in PAGES.items()
        ]
    )
    return InMemoryBM25Retriever(document_store=store, top_k=top_k)


def joined(components: dict[str, Any], *connections: tuple[str, str]) -> Pipeline:
    made = Pipeline()
    for name, one in components.items():
        made.add_component(name, one)
    for sender, receiver in connections:
        made.connect(sender, receiver)
    return made


def search() -> Pipeline:
    return joined({"retriever": searcher()})


def ranked() -> Pipeline:
    """The ranker decides how many are left; the retriever's own depth is not touched."""
    parts = {"retriever": searcher(3), "ranker": LostInTheMiddleRanker(top_k=1)}
    return joined(parts, ("retriever.documents", "ranker.documents"))


PROMPT = "{% for one in documents %}{{ one.content }}{% endfor %}"


def prompt(template: str = PROMPT + " {{ question }}") -> PromptBuilder:
    return PromptBuilder(template=template, required_variables="*")


def replying(
    says: str | None = "24 months.", template: str = PROMPT + " {{ question }}"
) -> Pipeline:
    parts = {"retriever": searcher(), "prompt": prompt(template), "llm": Reciter(says)}
    links = (("retriever.documents", "prompt.documents"), ("prompt.prompt", "llm.prompt"))
    return joined(parts, *links)


def echo() -> Pipeline:
    """Its answer is the text of the best page, so that mixed-up cases would show."""
    return replying(None, PROMPT)


def answering() -> Pipeline:
    """Two documents, of which the answer cites the first."""
    parts = {
        "retriever": searcher(2),
        "prompt": prompt(),
        "llm": Reciter(),
        "answers": AnswerBuilder(reference_pattern=r"\[(\d+)\]"),
    }
    return joined(
        parts,
        ("retriever.documents", "prompt.documents"),
        ("prompt.prompt", "llm.prompt"),
        ("llm.replies", "answers.replies"),
        ("llm.meta", "answers.meta"),
        ("retriever.documents", "answers.documents"),
    )


def rewriting() -> Pipeline:
    """A first generator rewrites the question; the answer is the second one's."""
    parts = {
        "asking": prompt("warranty {{ question }}"),
        "rewriter": Reciter(None),
        "first": Adapter(),
        "retriever": searcher(),
        "prompt": prompt(PROMPT),
        "llm": Reciter("24 months."),
    }
    return joined(
        parts,
        ("asking.prompt", "rewriter.prompt"),
        ("rewriter.replies", "first.replies"),
        ("first.query", "retriever.query"),
        ("retriever.documents", "prompt.documents"),
        ("prompt.prompt", "llm.prompt"),
    )


@component
class Adapter:
    """The first reply as a query."""

    @component.output_types(query=str)
    def run(self, replies: list[str]) -> dict[str, Any]:
        return {"query": replies[0]}


def hybrid() -> Pipeline:
    """Two searches joined, then ranked."""
    parts = {
        "one": searcher(1),
        "two": searcher(2),
        "joiner": DocumentJoiner(),
        "ranker": MetaFieldRanker(meta_field="file_path", weight=0.0),
    }
    return joined(
        parts,
        ("one.documents", "joiner.documents"),
        ("two.documents", "joiner.documents"),
        ("joiner.documents", "ranker.documents"),
    )


def chatting() -> Pipeline:
    template = [ChatMessage.from_system("Be brief."), ChatMessage.from_user("{{ question }}")]
    builder = ChatPromptBuilder(template=template, required_variables=["question"])
    return joined({"prompt": builder, "llm": ChatReciter()}, ("prompt.prompt", "llm.messages"))


def agent() -> Pipeline:
    return joined({"agent": Agent()})


def odd() -> Pipeline:
    return joined({"odd": Odd()})


def silent() -> Pipeline:
    return joined({"silent": Silent()})


def seen(target: str, **params: Any) -> Observation:
    return observed(HAYSTACK, f"{HERE}:{target}", **params)[0]


def ids(one: Observation) -> list[str]:
    assert one.retrieved is not None
    return [chunk.id for chunk in one.retrieved]


def test_telemetry_is_off() -> None:
    assert telemetry._telemetry.telemetry is None


@pytest.mark.parametrize("use_async", [False, True])
def test_a_search_gives_chunks_with_score_source_and_place(use_async: bool) -> None:  # noqa: FBT001
    one = seen("search", use_async=use_async)
    assert one.answer is None
    assert one.retrieved is not None
    best, second = one.retrieved
    assert (best.id, best.text) == ("warranty.md#0", PAGES["warranty.md"])
    assert best.score is not None
    assert second.score is not None
    assert best.score > second.score
    assert best.metadata["document_id"] == "warranty.md"
    assert (best.metadata["start"], best.metadata["end"]) == (0, len(PAGES["warranty.md"]))


def test_the_last_component_is_told_how_many_documents_are_wanted() -> None:
    assert len(ids(seen("search", depth=3))) == 3
    assert len(ids(seen("ranked", depth=3))) == 3
    assert len(ids(seen("hybrid", depth=1))) == 1


@pytest.mark.parametrize("use_async", [False, True])
def test_a_reply_comes_with_the_documents_that_went_into_the_prompt(use_async: bool) -> None:  # noqa: FBT001
    one = seen("replying", use_async=use_async)
    assert one.answer is not None
    assert one.answer.answer_text == "24 months."
    assert one.answer.citations is None
    assert ids(one) == ["warranty.md#0"]
    assert one.answer.retrieved_chunks == one.retrieved
    trace = one.answer.trace
    assert trace is not None
    assert trace.model == "reciter-1"
    assert trace.stages is not None
    (stage,) = trace.stages
    assert (stage.name, stage.input_tokens, stage.output_tokens) == ("pipeline", 7, 3)


def test_an_answer_cites_what_the_builder_found_to_be_referenced() -> None:
    one = seen("answering")
    assert one.answer is not None
    assert one.answer.answer_text == "24 months [1]."
    assert one.answer.citations == (Citation(chunk_id="warranty.md#0"),)
    assert ids(one)[0] == "warranty.md#0"
    assert len(ids(one)) == 2


def test_the_answer_is_that_of_the_last_generator() -> None:
    one = seen("rewriting")
    assert one.answer is not None
    assert one.answer.answer_text == "24 months."
    assert ids(one) == ["warranty.md#0"]


def test_chat_messages_are_read_with_what_they_tell_of_tokens() -> None:
    one = seen("chatting")
    assert one.answer is not None
    assert one.answer.answer_text == "2 messages"
    assert one.retrieved is None
    assert one.answer.trace is not None
    assert one.answer.trace.stages is not None
    assert one.answer.trace.stages[0].output_tokens == 2


def test_an_agent_is_given_the_history() -> None:
    one = seen("agent")
    assert one.answer is not None
    assert one.answer.answer_text == "user assistant user"


def test_cases_at_once_do_not_mix() -> None:
    cases = CASES * 8
    for case, one in zip(cases, observed(HAYSTACK, f"{HERE}:echo", cases), strict=True):
        assert one.answer is not None
        assert one.answer.answer_text == PAGES[case.id]
        assert ids(one) == [f"{case.id}#0"]


def test_an_input_that_the_question_does_not_fill_must_be_named() -> None:
    with pytest.raises(UsageError, match=r"inputs: the pipeline needs odd\.wish; name what takes"):
        adapter(HAYSTACK, f"{HERE}:odd")
    one = seen("odd", inputs={"odd": "wish"})
    assert ids(one) == [QUESTIONS["warranty.md"]]
    with pytest.raises(UsageError, match=r"no input odd\.wis\. Did you mean 'odd\.wish'\?"):
        adapter(HAYSTACK, f"{HERE}:odd", inputs={"odd": ["wis"]})
    with pytest.raises(UsageError, match=r"inputs\.odd: got 3; allowed: the name of an input"):
        adapter(HAYSTACK, f"{HERE}:odd", inputs={"odd": 3})


def test_a_pipeline_without_documents_or_answers_is_refused() -> None:
    with pytest.raises(UsageError, match="has the outputs number; it must have one of documents"):
        adapter(HAYSTACK, f"{HERE}:silent")


def test_a_whole_run_finds_every_page(tmp_path: Path) -> None:
    found = evaluated("haystack", f"{HERE}:replying", tmp_path)
    assert found["cases"]["ok"] == 3
    assert found["metrics"]["retrieval.recall_at_k"]["mean"] == 1.0


def test_the_starter_runs(tmp_path: Path) -> None:
    found = started("haystack", tmp_path)
    assert found["cases"]["ok"] == 5
    assert found["metrics"]["retrieval.recall_at_k"]["mean"] > 0
