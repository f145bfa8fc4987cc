"""Real retrievers and query engines of LlamaIndex, with a model that only recites."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from few_pages import CASES, PAGES, adapter, by_overlap, evaluated, observed, started
from llama_index.core import VectorStoreIndex, get_response_synthesizer
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.base.response.schema import Response
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.query_engine import (
    CitationQueryEngine,
    CustomQueryEngine,
    RetrieverQueryEngine,
)
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import (
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from pydantic import BaseModel

from ragproof.adapters.llamaindex import LLAMAINDEX
from ragproof.core import Citation, Observation, UsageError

HERE = "test_llamaindex_real"


class Axes(BaseEmbedding):
    """A dimension for each page: how many words the text shares with it."""

    def _get_query_embedding(self, query: str) -> list[float]:
        ranked = by_overlap(query)
        return [1.0 - ranked.index(page) / len(ranked) for page in PAGES]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_query_embedding(text)


class Reciter(CustomLLM):
    """Says the same to everything."""

    says: str = "24 months [1]."

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:  # noqa: ARG002, FBT001, FBT002
        return CompletionResponse(text=self.says)

    @llm_completion_callback()
    def stream_complete(
        self,
        prompt: str,  # noqa: ARG002
        formatted: bool = False,  # noqa: ARG002, FBT001, FBT002
        **_: Any,
    ) -> CompletionResponseGen:
        def tokens() -> CompletionResponseGen:
            said = ""
            for word in self.says.split(" "):
                said = f"{said} {word}".strip()
                yield CompletionResponse(text=said, delta=f" {word}" if said != word else word)

        return tokens()


class Pages(BaseRetriever):
    """The best page by shared words, with the score that is its share."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        best = by_overlap(query_bundle.query_str)[0]
        return [NodeWithScore(node=node, score=0.5) for node in nodes() if best in node.node_id]


class Verdict(BaseModel):
    months: int


def nodes() -> list[TextNode]:
    return [
        TextNode(
            text=text,
            id_=f"{page}#0",
            start_char_idx=0,
            end_char_idx=len(text),
            relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=page)},
            metadata={"file_name": page.upper()},
        )
        for page, text in PAGES.items()
    ]


def index() -> VectorStoreIndex:
    return VectorStoreIndex(nodes(), embed_model=Axes())


def search() -> BaseRetriever:
    return index().as_retriever(similarity_top_k=1)


def engine() -> RetrieverQueryEngine:
    return index().as_query_engine(llm=Reciter(), similarity_top_k=2)


def streaming() -> RetrieverQueryEngine:
    return index().as_query_engine(llm=Reciter(), similarity_top_k=1, streaming=True)


def structured() -> RetrieverQueryEngine:
    synthesizer = get_response_synthesizer(
        llm=Reciter(says='{"months": 24}'), output_cls=Verdict, response_mode="compact"
    )
    return RetrieverQueryEngine(Pages(), response_synthesizer=synthesizer)


def citing() -> CitationQueryEngine:
    return CitationQueryEngine.from_args(
        index(),
        llm=Reciter(says="24 months [1], or so [2, 7]."),
        similarity_top_k=2,
        text_splitter=SentenceSplitter(chunk_size=256, chunk_overlap=0),
    )


class Echo(CustomQueryEngine):
    """Its answer is the text of the best page, so that mixed-up cases would show."""

    def custom_query(self, query_str: str) -> Response:
        found = Pages().retrieve(query_str)
        return Response(found[0].get_content(), source_nodes=found)


echo = Echo


def chat() -> ContextChatEngine:
    return ContextChatEngine.from_defaults(
        retriever=Pages(), llm=Reciter(), memory=ChatMemoryBuffer(token_limit=100)
    )


retriever = Pages()


def seen(target: str, **params: Any) -> Observation:
    return observed(LLAMAINDEX, f"{HERE}:{target}", **params)[0]


def ids(one: Observation) -> list[str]:
    assert one.retrieved is not None
    return [chunk.id for chunk in one.retrieved]


@pytest.mark.parametrize("use_async", [False, True])
def test_a_retriever_gives_nodes_with_score_source_and_place(use_async: bool) -> None:  # noqa: FBT001
    one = seen("retriever", use_async=use_async)
    assert one.answer is None
    assert one.retrieved is not None
    (chunk,) = one.retrieved
    assert (chunk.id, chunk.text, chunk.score) == ("warranty.md#0", PAGES["warranty.md"], 0.5)
    assert chunk.metadata == {
        "file_name": "WARRANTY.MD",
        "document_id": "warranty.md",
        "start": 0,
        "end": len(PAGES["warranty.md"]),
    }


def test_the_key_of_the_document_may_be_chosen() -> None:
    one = seen("retriever", document_id_key="file_name")
    assert one.retrieved is not None
    assert one.retrieved[0].metadata["document_id"] == "WARRANTY.MD"


def test_as_many_nodes_are_asked_for_as_the_depth_says() -> None:
    assert len(ids(seen("search"))) == 2
    assert len(ids(seen("search", depth=3))) == 3


@pytest.mark.parametrize("use_async", [False, True])
def test_a_query_engine_answers_from_its_source_nodes(use_async: bool) -> None:  # noqa: FBT001
    one = seen("engine", use_async=use_async)
    assert one.answer is not None
    assert one.answer.answer_text == "24 months [1]."
    assert one.answer.citations is None  # no source of this engine has a number
    assert one.answer.retrieved_chunks == one.retrieved
    assert ids(one)[0] == "warranty.md#0"
    assert len(ids(one)) == 2


@pytest.mark.parametrize("use_async", [False, True])
def test_a_streamed_response_is_read_to_its_end_and_its_first_token_timed(
    use_async: bool,  # noqa: FBT001
) -> None:
    one = seen("streaming", use_async=use_async)
    assert one.answer is not None
    assert one.answer.answer_text == "24 months [1]."
    assert one.answer.trace is not None
    assert one.answer.trace.first_token_seconds is not None
    assert one.seconds is not None
    assert 0 < one.answer.trace.first_token_seconds <= one.seconds


def test_a_structured_response_is_kept_as_output() -> None:
    one = seen("structured")
    assert one.answer is not None
    assert one.answer.answer_text == '{"months":24}'
    assert one.answer.trace is not None
    assert one.answer.trace.output == {"months": 24}


def test_citations_by_number_are_those_of_the_numbered_sources() -> None:
    one = seen("citing")
    assert one.answer is not None
    assert one.retrieved is not None
    first, second = one.retrieved
    assert first.metadata["document_id"] == "warranty.md"
    assert one.answer.citations == (
        Citation(chunk_id=first.id),
        Citation(chunk_id=second.id),
        Citation(chunk_id="7"),  # there are two sources
    )


def test_cases_at_once_do_not_mix() -> None:
    cases = CASES * 8
    for case, one in zip(cases, observed(LLAMAINDEX, f"{HERE}:echo", cases), strict=True):
        assert one.answer is not None
        assert one.answer.answer_text == PAGES[case.id]
        assert ids(one) == [f"{case.id}#0"]


def test_a_chat_engine_is_refused_for_what_it_remembers() -> None:
    with pytest.raises(UsageError, match="a ContextChatEngine remembers what was said"):
        adapter(LLAMAINDEX, f"{HERE}:chat")


def test_an_index_is_neither_and_the_way_out_is_said() -> None:
    with pytest.raises(UsageError, match=r"as_query_engine\(\)\) or a retriever \(index\.as_ret"):
        adapter(LLAMAINDEX, f"{HERE}:index")


def test_a_whole_run_finds_every_page(tmp_path: Path) -> None:
    found = evaluated("llamaindex", f"{HERE}:engine", tmp_path)
    assert found["cases"]["ok"] == 3
    assert found["metrics"]["retrieval.recall_at_k"]["mean"] == 1.0


def test_the_starter_runs(tmp_path: Path) -> None:
    found = started("llamaindex", tmp_path)
    assert found["cases"]["ok"] == 5
    assert found["metrics"]["retrieval.recall_at_k"]["mean"] > 0
