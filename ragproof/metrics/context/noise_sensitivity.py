"""context.noise_sensitivity"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from ragproof.core import (
    Better,
    CaseRun,
    Chunk,
    Corpus,
    DoesNotArise,
    Scored,
    SourceMatch,
    Spec,
    ToolMetric,
    Tools,
    Unit,
)
from ragproof.core.needs import (
    CORPUS,
    DISTRACTORS,
    EXPECTED_ANSWER,
    EXPECTED_SOURCES,
    GENERATE,
    QUESTION,
    SUPPLIED,
)
from ragproof.metrics.parameters import at_least
from ragproof.metrics.positions import told
from ragproof.metrics.saying import said
from ragproof.metrics.supplied import EMPTY, distinct


@dataclass(frozen=True)
class NoiseSensitivity(ToolMetric[CaseRun]):
    """How much of its correctness an answer loses when irrelevant chunks join its context.

    Question: Does ballast make the answers worse?
    Formula: s(context) - s(context with `chunks` irrelevant ones), where s is 1 if an accepted
        answer is said by what `generate` answers from it, else 0; said as in
        `context.position_accuracy`
    Range: -1, it became right, over 0, nothing changed, to 1, it became wrong; the mean is the
        loss of accuracy.
    Edge cases: Noise are the case's `distractor_source_ids` that the corpus has, then documents
        of the corpus drawn by lot, the same for the same question and corpus. Documents that are
        expected or supplied, or that say an accepted answer, are no noise. Each is cut to the
        length of the longest supplied chunk; with `first` the noise stands before the context,
        else behind it. Where the corpus has too few such documents, and for an empty context, it
        is not applicable. Both answers are asked for anew: two calls of the pipeline a case. A
        pipeline that does not answer alike twice shows a spread around 0: give repeats.
    Not to be confused with: the noise sensitivity of Ragas, the share of wrong claims; or
        `context.irrelevant_share`, the ballast that is there already.
    References: Cuconasu et al., SIGIR 2024; Yoran et al., ICLR 2024, for irrelevant context.

    Example:
        >>> cut_to(Chunk(id="n", text="irrelevant"), [Chunk(id="a", text="short")]).text
        'irrel'
    """

    chunks: int = 3
    first: bool = False

    spec = Spec(
        unit=Unit.DIFFERENCE,
        better=Better.LOWER,
        needs=(GENERATE, CORPUS, EXPECTED_ANSWER, SUPPLIED),
        uses=(QUESTION, EXPECTED_SOURCES, DISTRACTORS),
        on_request=True,
    )

    def __post_init__(self) -> None:
        at_least("chunks", self.chunks)

    async def score(self, run: CaseRun, tools: Tools, /) -> Scored:
        """Have the question answered without the noise and with it."""
        generate, corpus = tools[GENERATE], tools[CORPUS]
        accepted, given = run[EXPECTED_ANSWER], run[SUPPLIED]
        context: list[Chunk] = [*distinct(given)]
        if not context:
            raise DoesNotArise(EMPTY)
        noise: list[Chunk] = []
        for document in irrelevant(run, corpus):
            noise.append(cut_to(document, context))
            if len(noise) == self.chunks:
                break
        else:
            raise DoesNotArise("the corpus has too few irrelevant documents", {"found": len(noise)})
        noisy = [*noise, *context] if self.first else [*context, *noise]
        one, two = [
            told(await generate(run.case, run[QUESTION], some), accepted, some)
            for some in (context, noisy)
        ]
        loss = float(one["said"] is not None) - float(two["said"] is not None)
        return Scored(loss, {"without": one, "with": two, "noise": [each.id for each in noise]})


def irrelevant(run: CaseRun, corpus: Corpus) -> Iterator[Chunk]:
    """Documents that do not help with the question: the labelled ones, then others by lot."""
    given: tuple[Chunk, ...] = run[SUPPLIED]
    excluded = {name for one in given for name in (one.id, SourceMatch.DOCUMENT.source(one))}
    expected, distractors = run.get(EXPECTED_SOURCES), run.get(DISTRACTORS)
    excluded |= expected or frozenset()
    accepted = [one for one in run[EXPECTED_ANSWER] if one.strip()]
    labelled = sorted(one for one in distractors or () if one in corpus)
    for name in chain(labelled, _drawn(list(corpus), run[QUESTION])):
        text = corpus.text(name) or ""
        if name in excluded or not text.strip() or said(text, accepted) is not None:
            continue
        excluded.add(name)
        yield Chunk(id=name, text=text, metadata={"document_id": name})


def _drawn(ids: list[str], question: str) -> Iterator[str]:
    """The ids by lot, the same for the same question, only as many as are asked for."""
    lot = Random(question)  # noqa: S311  no secret
    for at in range(len(ids)):
        other = lot.randrange(at, len(ids))
        ids[at], ids[other] = ids[other], ids[at]
        yield ids[at]


def cut_to(document: Chunk, context: Sequence[Chunk]) -> Chunk:
    """The beginning of a document, as long as the longest chunk of the context."""
    longest = max((len(one.text) for one in context), default=0)
    return Chunk(id=document.id, text=document.text[:longest], metadata=document.metadata)
