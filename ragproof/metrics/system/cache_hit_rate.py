"""system.cache_hit_rate"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Pool, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import CACHES

HIT, MISS = "hit", "miss"


@dataclass(frozen=True)
class CacheHitRate(PureMetric[CaseRun]):
    """Share of each stage's calls that a cache answered.

    Question: At which level does the cache spare work, and how much of it?
    Formula: for each stage name, hits / (hits + misses); pooled over the cases as a ratio of sums
    Range: 0, the cache answered no call, to 1, it answered all. Higher is better, as long as what
        it keeps is fresh.
    Edge cases: A stage has one level: name them apart where there are several, as `embed_cache`,
        `retrieve_cache`, `kv_cache`. Calls that do not tell their `cache` are not counted, and a
        trace without any that does is skipped. Anything but `hit` and `miss` is an error. The
        rate is that of the dataset's questions as often as they were asked: repeats of a run fill
        the cache, and production repeats other questions.
    Not to be confused with: the hits of the judge's cache, which are no work of the pipeline.
    References: Bang, GPTCache, NLP-OSS 2023, for the hit ratio of a cache of answers.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Observation, QuestionCase, Stage, Trace
        >>> stages = tuple(Stage(name="embed", seconds=0.1, cache=one) for one in ("hit", "miss"))
        >>> answer = Answer(answer_text="", trace=Trace(stages=stages))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> CacheHitRate().score(run)["embed"].value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(CACHES,),
        pool=Pool.RATIO,
        each="stage",
    )

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Count hits and calls by stage."""
        told: dict[str, list[bool]] = defaultdict(list)
        for stage in run[CACHES]:
            if stage.cache not in (HIT, MISS):
                raise ValueError(
                    f"stage {stage.name!r} tells cache {stage.cache!r}; allowed: {HIT}, {MISS}"
                )
            told[stage.name].append(stage.cache == HIT)
        return {
            name: Scored(sum(hits) / len(hits), {"hits": sum(hits)}, float(len(hits)))
            for name, hits in told.items()
        }
