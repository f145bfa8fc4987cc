"""What `ragproof.yaml` may hold. The reference page of the config is made from this file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Literal

from pydantic import PrivateAttr

from ragproof.core import SourceMatch, UsageError
from ragproof.datasets.reading import name_of
from ragproof.text.files import at_home
from ragproof.text.strict_yaml import Yaml
from ragproof.wiring.schema_decisions import DecisionConfig
from ragproof.wiring.schema_monitor import MonitorConfig
from ragproof.wiring.schema_sweep import SweepConfig
from ragproof.wiring.section import Count, Fraction, NotNegative, Seconds, Section, Text, Texts


class RequestConfig(Section):
    """How to put a question.

    `{question}`, `{k}`, `{history}`, `{caller}` and the names of `adapter.params` are filled in,
    `env:NAME` is read from the environment.
    """

    url: Text
    """Address, `http://` or `https://`; like headers and body a template, in which `{question}`,
    `{k}`, `{history}`, `{caller}` and the names of `adapter.params` are filled in."""
    method: Text | None = None
    """HTTP method; default POST where there is a body, else GET."""
    headers: Mapping[str, str] = {}
    """Header names to values; secrets as `env:NAME`, as in `Bearer env:TOKEN`."""
    body: Any = None
    """JSON to send, or a text sent as it is."""


class ChunkFields(Section):
    """Where in a chunk its parts are, as JSONPath; default under their own names."""

    id: Text | None = None
    """Its id."""
    text: Text | None = None
    """Its text."""
    score: Text | None = None
    """Its score."""
    metadata: Text | Mapping[str, Text] | None = None
    """Its metadata as a whole, or name to path: `document_id: $.doc.id`."""


class EndpointConfig(Section):
    """One request, and where in the reply things are, as JSONPath."""

    request: RequestConfig
    """What is sent."""
    answer_path: Text | None = None
    """The answer's text."""
    citations_path: Text | None = None
    """The list of cited chunk ids, or of mappings with `chunk_id`."""
    chunks_path: Text | None = None
    """The list of retrieved chunks, best first."""
    trace_path: Text | None = None
    """What it tells of its inner life, as `trace` of an answer: stages, lanes, candidates. A reply
    without it has none."""
    chunk_fields: ChunkFields = ChunkFields()
    """Where in a chunk its parts are."""


class HttpConfig(Section):
    """A pipeline behind HTTP."""

    timeout_seconds: Seconds = 30.0
    """Longest wait for one attempt."""
    max_attempts: Count = 3
    """Attempts at one request; 408, 429, 500 to 504, 529 and lost connections are tried again."""
    retrieve: EndpointConfig | None = None
    """The search: needs `chunks_path`."""
    answer: EndpointConfig | None = None
    """The answer: needs `answer_path`."""


class AdapterConfig(Section):
    """The pipeline under test."""

    type: Literal["python", "http", "recorded", "langchain", "llamaindex", "haystack"]
    """What it is."""
    target: Text | None = None
    """`module:attribute` of a class, factory or instance; relative to the config's folder."""
    params: Mapping[str, Any] = {}
    """Given to the class or factory, filled into HTTP templates; a sweep varies them."""
    version: Text | None = None
    """The pipeline's version; default the target's attribute `version`."""
    http: HttpConfig | None = None
    """For type `http`."""
    path: Path | None = None
    """For type `recorded`: the JSONL file of observations; `{name}` is filled in by `params`."""


class RunConfig(Section):
    """How cases are put to the pipeline and what is counted."""

    k: Count = 5
    """Cut-off of all `*_at_k` metrics that state no other."""
    depth: Count | None = None
    """How many chunks are asked for; default the largest k of the run."""
    concurrency: Count = 8
    """Cases under way at once."""
    case_timeout_seconds: Seconds = 60.0
    """Longest time for one case."""
    source_match: SourceMatch = SourceMatch.CHUNK
    """What an expected source id names."""


class Prices(Section):
    """What the judge's model costs, in US dollars a million tokens."""

    input_per_mtok: NotNegative | None = None
    """Of what is sent; unknown where not given."""
    output_per_mtok: NotNegative | None = None
    """Of what is answered; unknown where not given."""


class JudgeConfig(Section):
    """The model that judges answers; without `model` (or recorded replies) there is none."""

    provider: Literal["openai", "anthropic", "recorded"] = "openai"
    """The API it speaks; `recorded` replays the replies of `run`."""
    model: Text | None = None
    """Its name."""
    base_url: Text | None = None
    """Address of the API; default the provider's."""
    temperature: NotNegative | Literal["omit"] = 0.0
    """`omit` for models that reject one."""
    max_output_tokens: Count = 2048
    """Longest reply."""
    concurrency: Count = 16
    """Calls under way at once."""
    timeout_seconds: Seconds = 120.0
    """Longest wait for one attempt."""
    prices: Prices = Prices()
    """Needed for costs and for a budget."""
    panel: tuple[Text, ...] = ()
    """Models that judge together, instead of one."""
    run: Text | None = None
    """For provider `recorded`: the run whose replies are replayed."""
    extra: Mapping[str, Any] = {}
    """Further fields of every request."""

    @property
    def configured(self) -> bool:
        """Whether there is a judge."""
        return self.model is not None or bool(self.panel) or self.provider == "recorded"


class LocalConfig(Section):
    """Small ONNX models on this machine, run on the CPU (extra `local`).

    Each is a folder, an ONNX file, or a name on the Hugging Face hub whose files lie in this
    machine's cache already; nothing is fetched.
    """

    nli: Text | None = None
    """Model that says whether a premise entails a hypothesis: a folder, an ONNX file, or a name on
    the Hugging Face hub that lies in this machine's cache; nothing is fetched."""
    cross_encoder: Text | None = None
    """Model that says how far a passage answers a question, named likewise."""
    embeddings: Text | None = None
    """Model that gives sentences their vectors where the adapter has no `embed`; named likewise."""
    batch: Count = 16
    """Windows of text that are read at once."""
    threads: Count = 2
    """Threads of each model; no more are started than there are processors."""


class Versions(Section):
    """What else a figure depends on, as you call it; stored with each run."""

    corpus: Text | None = None
    """Of the documents searched."""
    labels: Text | None = None
    """Of the dataset's expectations."""
    policy: Text | None = None
    """Of the rules that answers follow."""


class Rule(Section):
    """One requirement on a metric. A drop is a change for the worse, whichever way that is."""

    min: float | None = None
    """Least allowed value."""
    max: float | None = None
    """Greatest allowed value."""
    max_drop: NotNegative | None = None
    """Greatest allowed change for the worse against the baseline."""
    max_rise: NotNegative | None = None
    """Greatest allowed increase against the baseline."""
    noise_floor: NotNegative = 0.0
    """Changes up to this size count as none."""
    statistic: Literal["mean", "p50", "p95", "p99", "completion"] = "mean"
    """Which figure of the metric is held to it."""
    slice: Mapping[str, Text | Texts] = {}
    """Only cases with these tags: name to a value, or a list of which any will do."""
    role: Literal["primary", "guardrail", "exploratory"] = "primary"
    """What the metric was chosen for before the run; an exploratory one never fails the gate."""
    non_inferiority: bool = False
    """Whether a change fails that is not shown to be within `max_drop` or `max_rise`."""
    min_samples: Count | None = None
    """Fewer scored cases, or pairs, are inconclusive; default that of the gate."""
    estimate: Literal["plain", "prediction_powered"] = "plain"
    """`prediction_powered` holds the mean to `min` and `max` as `gate.human_labels` correct it."""


class Waiver(Section):
    """A requirement set aside for a while; shown in every report."""

    metric: Text
    """The metric's key."""
    reason: Text
    """Why."""
    expires: date
    """Last day on which it holds."""


class GateConfig(Section):
    """When a run passes."""

    baseline: Text | None = None
    """The run to compare with: an id, a label (`pinned`, say), `latest` for the latest completed
    earlier one of the same project and dataset, or a file: another store (`.db`) or what
    `ragproof export --to jsonl` wrote."""
    on_missing: Literal["fail", "skip"] = "fail"
    """What a metric without a figure does."""
    on_inconclusive: Literal["fail", "warn"] | None = None
    """What a check does that the data cannot decide; default warn for a change against the
    baseline, fail for too few samples of a figure."""
    min_samples: Count = 1
    """Fewer scored cases than this are inconclusive."""
    min_completion: Fraction = 0.95
    """Least share of scored cases among those a metric applies to."""
    thresholds: Mapping[str, Rule | tuple[Rule, ...]] = {}
    """Metric key to one rule or a list of rules."""
    waivers: tuple[Waiver, ...] = ()
    """Requirements set aside for a while."""
    human_labels: Path | None = None
    """People's scores of the run's answers, JSON Lines of `case_id`, `score` and perhaps `metric`
    and `run`: a judged mean is shown as they correct it."""

    def rules(self, metric: str) -> tuple[Rule, ...]:
        """The rules of a metric key; none where it has no threshold."""
        found = self.thresholds.get(metric, ())
        return (found,) if isinstance(found, Rule) else found


class Config(Section):
    """The whole file. Paths in it are relative to its folder; loaded, they are absolute."""

    project: Text | None = None
    """Name under which runs are kept; default the dataset's name."""
    adapter: AdapterConfig | None = None
    """The pipeline under test."""
    dataset: Path | None = None
    """The cases: a JSONL or frozen file."""
    store: Text = ".ragproof/ragproof.db"
    """Where runs are kept: a file, or the URL of a PostgreSQL database."""
    run: RunConfig = RunConfig()
    """How cases are put to the pipeline and what is counted."""
    metrics: tuple[Text | Mapping[str, Mapping[str, Any] | None], ...] | None = None
    """Ids, globs or `module:Class`, each may carry parameters; default all that apply. A glob
    leaves out what asks the judge or the pipeline more: that is asked for by its id."""
    judge: JudgeConfig = JudgeConfig()
    """The model that judges answers."""
    local: LocalConfig = LocalConfig()
    """Small models on this machine, which cost nothing and see nothing of the network."""
    max_cost_usd: NotNegative | None = None
    """The most that model calls of a run may cost; without it there is no limit."""
    generation_model: Text | None = None
    """The model that writes datasets."""
    corpus: Path | None = None
    """Folder or JSONL file of the documents searched."""
    ontology: Path | None = None
    """File of the ontology."""
    prices: Path | None = None
    """Price file of the pipeline: what its models, stages and storage cost."""
    versions: Versions = Versions()
    """What else a figure depends on."""
    gate: GateConfig = GateConfig()
    """When a run passes."""
    decisions: Mapping[Text, DecisionConfig] = {}
    """Rule name to rule: when a candidate is adopted."""
    sweep: SweepConfig | None = None
    """Combinations of adapter parameters to compare."""
    monitor: MonitorConfig = MonitorConfig()
    """How production is watched."""

    _folder: Path = PrivateAttr(default_factory=Path.cwd)
    _source: Yaml | None = PrivateAttr(default=None)

    @property
    def folder(self) -> Path:
        """The folder of the file, or where there is none the current one at loading; absolute."""
        return self._folder

    @property
    def runs_under(self) -> str | None:
        """The project, or else the dataset's name; None when neither is known."""
        if self.project is None and self.dataset is not None:
            return name_of(self.dataset)
        return self.project

    @property
    def asked(self) -> tuple[tuple[str, Mapping[str, Any]], ...] | None:
        """The `metrics`: id or glob and parameters of each; None for all that apply."""
        if self.metrics is None:
            return None
        listed = [{one: None} if isinstance(one, str) else one for one in self.metrics]
        return tuple((name, params or {}) for one in listed for name, params in one.items())

    @property
    def source_path(self) -> Path | None:
        """The file, where there is one."""
        return self._source.path if self._source else None

    @contextmanager
    def blamed(self, *place: str | int, unless: bool = False) -> Iterator[None]:
        """Put file and line of a section before a UsageError that shows when it is used."""
        try:
            yield
        except UsageError as fault:
            if unless or self._source is None or str(fault).startswith(str(self._source.path)):
                raise
            raise UsageError(f"{self.where(*place)}: {fault}") from fault

    def where(self, *place: str | int) -> str:
        """Name file and line of a key for a message: `ragproof.yaml:7`."""
        return self._source.where(place) if self._source else "config"

    def read_from(self, folder: Path, source: Yaml | None) -> Config:
        """The same, its paths made absolute, knowing where it stood."""
        changes: dict[str, Any] = {
            name: folder / at_home(path)
            for name in ("dataset", "corpus", "ontology", "prices")
            if (path := getattr(self, name)) is not None
        }
        if self.adapter is not None and self.adapter.path is not None:
            path = folder / at_home(self.adapter.path)
            changes["adapter"] = self.adapter.model_copy(update={"path": path})
        if "://" not in self.store:
            changes["store"] = str(folder / at_home(self.store))
        copy = self.model_copy(update=changes)
        copy._folder, copy._source = folder, source
        return copy
