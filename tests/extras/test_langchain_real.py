"""Real retrievers, vector stores and chains of LangChain, with a model that only recites."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from few_pages import CASES, PAGES, QUESTIONS, adapter, by_overlap, evaluated, observed, started
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore

from ragproof.adapters.langchain import LANGCHAIN
from ragproof.core import Citation, Observation, UsageError

HERE = "test_langchain_real"
DOCUMENTS = [
    Document(page_content=text, id=f"{page}#0", metadata={"source": page, "start_index": 0})
    for page, text in PAGES.items()
]


class Pages(BaseRetriever):
    """Ranks the pages by the words they share with the question."""

    k: int = 1

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002
    ) -> list[Document]:
        ids = [f"{page}#0" for page in by_overlap(query)[: self.k]]
        return [one for name in ids for one in DOCUMENTS if one.id == name]


class Rewriting(BaseRetriever):
    """Has a model rewrite the question, and asks another retriever twice."""

    inner: BaseRetriever
    model: Any

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        config = {"callbacks": run_manager.get_child()}
        self.model.invoke(query, config=config)
        found = [self.inner.invoke(query, config=config) for _ in range(2)]
        return found[0]


class Axes(Embeddings):
    """A dimension for each page: how many words the text shares with it."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        ranked = by_overlap(text)
        return [1.0 - ranked.index(page) / len(ranked) for page in PAGES]


def saying(*texts: str, **more: Any) -> GenericFakeChatModel:
    def messages() -> Iterator[AIMessage]:
        while True:
            yield from (AIMessage(text, **more) for text in texts)

    return GenericFakeChatModel(messages=messages())


USAGE = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
MODEL = {"usage_metadata": USAGE, "response_metadata": {"model_name": "reciter-1"}}
PROMPT = ChatPromptTemplate.from_template("{context}\n\n{question}")


def joined(documents: list[Document]) -> str:
    return "\n".join(one.page_content for one in documents)


def store() -> InMemoryVectorStore:
    made = InMemoryVectorStore(Axes())
    made.add_documents(DOCUMENTS)
    return made


def search() -> BaseRetriever:
    return store().as_retriever(search_kwargs={"k": 1})


def chain() -> Runnable[Any, Any]:
    """As in the tutorials: the documents are made one text, the answer is a string."""
    inputs = {"context": Pages() | joined, "question": RunnablePassthrough()}
    return inputs | PROMPT | saying("24 months.", **MODEL) | StrOutputParser()


def with_context() -> Runnable[Any, Any]:
    """Takes `input` and `chat_history`, and gives the documents beside the answer."""
    prompt = ChatPromptTemplate.from_messages(
        [("system", "{context}"), MessagesPlaceholder("chat_history"), ("human", "{input}")]
    )
    answering = prompt | RunnableLambda(lambda given: f"{len(given.to_messages())} messages")
    return RunnablePassthrough.assign(context=itemgetter("input") | Pages(k=2)).assign(
        answer=answering
    )


def echo() -> Runnable[Any, Any]:
    """Its answer is the text of the best page, so that mixed-up cases would show."""
    return Pages() | joined


def conversation() -> Runnable[Any, Any]:
    """Takes and gives messages, as agents do."""

    def reply(state: dict[str, list[BaseMessage]]) -> dict[str, list[BaseMessage]]:
        asked = state["messages"]
        said = [one.type for one in asked]
        return {"messages": [*asked, AIMessage([{"type": "text", "text": " ".join(said)}])]}

    return RunnableLambda(reply)


def citing() -> Runnable[Any, Any]:
    answer = {"answer": "24 months.", "citations": [{"source_id": "warranty.md#0", "quote": "24"}]}
    return RunnableLambda(lambda _: answer)


def rewriting() -> Runnable[Any, Any]:
    retriever = Rewriting(inner=Pages(), model=saying("warranty?", **MODEL))
    inputs = {"context": retriever | joined, "question": RunnablePassthrough()}
    return inputs | PROMPT | saying("24 months.")


def only_async() -> Runnable[Any, Any]:
    async def answer(question: str) -> str:
        return question.upper()

    return RunnableLambda(answer)


retriever = Pages()
many_keys = ChatPromptTemplate.from_template("{tone} {topic}")
neither = 5


def seen(target: str, **params: Any) -> Observation:
    return observed(LANGCHAIN, f"{HERE}:{target}", **params)[0]


def ids(one: Observation) -> list[str]:
    assert one.retrieved is not None
    return [chunk.id for chunk in one.retrieved]


def test_a_retriever_gives_chunks_with_source_and_place() -> None:
    one = seen("retriever")
    assert one.answer is None
    assert one.retrieved is not None
    assert ids(one)[0] == "warranty.md#0"
    assert one.retrieved[0].text == PAGES["warranty.md"]
    assert one.retrieved[0].metadata == {
        "source": "warranty.md",
        "document_id": "warranty.md",
        "start_index": 0,
        "start": 0,
        "end": len(PAGES["warranty.md"]),
    }


@pytest.mark.parametrize("target", ["retriever", "search", "store"])
@pytest.mark.parametrize("use_async", [False, True])
def test_as_many_chunks_are_asked_for_as_the_depth_says(target: str, use_async: bool) -> None:  # noqa: FBT001
    assert len(ids(seen(target, use_async=use_async))) == 2
    assert len(ids(seen(target, use_async=use_async, depth=3))) == 3
    assert retriever.k == 1


def test_a_vector_store_tells_scores() -> None:
    one = seen("store")
    assert one.retrieved is not None
    best, second = one.retrieved
    assert best.score is not None
    assert second.score is not None
    assert best.score == pytest.approx(1.0)
    assert best.score > second.score


@pytest.mark.parametrize("use_async", [False, True])
def test_a_chain_that_gives_a_string_shows_what_its_retriever_found(use_async: bool) -> None:  # noqa: FBT001
    one = seen("chain", use_async=use_async)
    assert one.answer is not None
    assert one.answer.answer_text == "24 months."
    assert ids(one) == ["warranty.md#0"]
    assert one.answer.retrieved_chunks == one.retrieved
    trace = one.answer.trace
    assert trace is not None
    assert trace.model == "reciter-1"
    assert trace.stages is not None
    assert [stage.name for stage in trace.stages] == ["retrieve", "generate"]
    assert [stage.input_tokens for stage in trace.stages] == [None, 7]
    assert [stage.output_tokens for stage in trace.stages] == [None, 3]
    assert one.seconds is not None
    assert sum(stage.seconds for stage in trace.stages) <= one.seconds


def test_keys_of_the_input_are_found_and_the_history_is_given() -> None:
    one = seen("with_context")
    assert one.answer is not None
    assert one.answer.answer_text == "4 messages"  # the system's, two of the history, the question
    assert ids(one)[0] == "warranty.md#0"
    assert len(ids(one)) == 2


def test_an_agents_state_is_read_and_a_message_of_parts_is_joined() -> None:
    one = seen("conversation", input_key="messages")
    assert one.answer is not None
    assert one.answer.answer_text == "human ai human"
    assert one.retrieved is None


def test_citations_are_read_by_whatever_they_call_the_chunk() -> None:
    one = seen("citing")
    assert one.answer is not None
    assert one.answer.citations == (Citation(chunk_id="warranty.md#0"),)


def test_what_happens_inside_a_retriever_belongs_to_the_retrieval() -> None:
    one = seen("rewriting")
    assert ids(one) == ["warranty.md#0"]
    assert one.answer is not None
    assert one.answer.trace is not None
    assert one.answer.trace.stages is not None
    retrieve, generate = one.answer.trace.stages
    assert (retrieve.name, retrieve.input_tokens, retrieve.output_tokens) == ("retrieve", 7, 3)
    assert (generate.name, generate.input_tokens) == ("generate", None)


def test_a_chain_that_ends_in_a_retriever_retrieves() -> None:
    one = adapter(LANGCHAIN, f"{HERE}:ending_in_a_retriever")
    assert one.capabilities == {"retrieve"}


def ending_in_a_retriever() -> Runnable[Any, Any]:
    return RunnableLambda(str.upper) | Pages()


def test_only_async_chains_need_use_async() -> None:
    one = seen("only_async", use_async=True)
    assert one.answer is not None
    assert one.answer.answer_text == QUESTIONS["warranty.md"].upper()


def test_cases_at_once_do_not_mix() -> None:
    cases = CASES * 8
    for case, one in zip(cases, observed(LANGCHAIN, f"{HERE}:echo", cases), strict=True):
        assert one.answer is not None
        assert one.answer.answer_text == PAGES[case.id]
        assert ids(one) == [f"{case.id}#0"]


def test_an_input_of_unknown_keys_must_be_named() -> None:
    with pytest.raises(UsageError, match=r"input_key: name the key .* keys tone, topic"):
        seen("many_keys")


def test_what_is_neither_is_said() -> None:
    with pytest.raises(UsageError, match=r":neither is 5, a int; for adapter type langchain"):
        seen("neither")


def test_a_whole_run_finds_every_page(tmp_path: Path) -> None:
    found = evaluated("langchain", f"{HERE}:chain", tmp_path)
    assert found["cases"]["ok"] == 3
    assert found["metrics"]["retrieval.recall_at_k"]["mean"] == 1.0
    assert found["metrics"]["system.latency_seconds"]["scored"] == 3


def test_the_starter_runs(tmp_path: Path) -> None:
    found = started("langchain", tmp_path)
    assert found["cases"]["ok"] == 5
    assert found["metrics"]["retrieval.recall_at_k"]["mean"] > 0
