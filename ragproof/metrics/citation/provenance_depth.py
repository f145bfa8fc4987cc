"""citation.provenance_depth"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    Json,
    Pool,
    Scored,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import ANSWER, CITATIONS, CONTEXT, CORPUS, RESOLVE, RESOLVER
from ragproof.core.places import document_of
from ragproof.text.quotes import occurs


@dataclass(frozen=True)
class ProvenanceDepth(ToolMetric[CaseRun]):
    """Share of the cited ids that lead back to a source document with an id of its own.

    Question: Can an auditor get from a citation to the document, not only to a chunk of it?
    Formula: |cited ids whose document is there under its id| / |cited ids|
    Range: 0, citations end at chunks, to 1, all lead to a document.
    Edge cases: The document of a cited chunk is its `metadata.document_id` in the answer's own
        `retrieved_chunks`, else in those of `retrieve`; an id that is no chunk's is taken as a
        document's. It is there if the adapter's `document` or the configured `corpus` gives its
        text, and that is not blank: the hash of a chunk alone leads nowhere, and an id that was
        told and is not there does not count. An id cited twice counts once. Whether the cited
        chunk's text stands in the document is told as evidence (`text_found`). Over a set it is
        the ratio of the sums.
    Not to be confused with: `generation.citation_validity`, which asks whether what is cited was
        retrieved; or `chunking.attribution_fidelity`, which asks it of chunks that nobody cited.
    References: provenance as auditors need it; no published figure is known.

    Example:
        >>> import asyncio
        >>> from ragproof.core import Answer, CaseRun, Citation, Observation, QuestionCase, Tools
        >>> class Documents(dict):
        ...     text = dict.get
        >>> cited = (Citation(chunk_id="manual"), Citation(chunk_id="9f2c"))
        >>> seen = Observation(case_id="q", answer=Answer(answer_text="?", citations=cited))
        >>> run = CaseRun(QuestionCase(id="q", question="?"), seen)
        >>> tools = Tools(corpus=Documents(manual="Hold it for ten seconds."))
        >>> asyncio.run(ProvenanceDepth().score(run, tools)).value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(RESOLVER, ANSWER, CITATIONS),
        uses=(CONTEXT, CORPUS, RESOLVE),
        pool=Pool.RATIO,
    )

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Look up the document of each cited id."""
        tools[RESOLVER]
        run[ANSWER]  # that there is no answer says more than that nothing is cited
        context = run.get(CONTEXT) or ()
        chunks = {one.id: one for one in context[::-1]}  # the best rank of an id wins
        accounts: list[Json] = []
        resolved = 0
        cited = dict.fromkeys(one.chunk_id for one in run[CITATIONS])
        for name in cited:
            chunk = chunks.get(name)
            document = name if chunk is None else document_of(chunk)
            text = None if document is None else await _text(document, tools)
            resolved += text is not None
            held = None if text is None or chunk is None else occurs(chunk.text, [text])
            accounts.append(
                {"id": name, "document": document, "there": text is not None, "text_found": held}
            )
        return Scored(resolved / len(cited), {"citations": accounts}, weight=len(cited))


async def _text(document: str, tools: Tools) -> str | None:
    """The document's text, by the adapter or else the corpus; None if it is not there, or blank."""
    resolve, corpus = RESOLVE.of(tools), CORPUS.of(tools)
    if resolve is not None and (text := await resolve(document)) and text.strip():
        return text
    if corpus is not None and (text := corpus.text(document)) and text.strip():
        return text
    return None
