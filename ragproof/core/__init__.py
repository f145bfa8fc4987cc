"""The shared words. Inputs are in `core.needs`, runs as read back in `core.record`.

Each is imported when it is first asked for: commands that need few of them start sooner.
"""

from importlib import import_module

TYPE_CHECKING = False  # of `typing`, which takes longer to import than all else here
if TYPE_CHECKING:
    from ragproof.core.case import DOCUMENTS as DOCUMENTS
    from ragproof.core.case import QUESTIONS as QUESTIONS
    from ragproof.core.case import Boundary as Boundary
    from ragproof.core.case import Case as Case
    from ragproof.core.case import CaseKind as CaseKind
    from ragproof.core.case import Document as Document
    from ragproof.core.case import DocumentCase as DocumentCase
    from ragproof.core.case import Element as Element
    from ragproof.core.case import Mention as Mention
    from ragproof.core.case import Nugget as Nugget
    from ragproof.core.case import QuestionCase as QuestionCase
    from ragproof.core.case import Relation as Relation
    from ragproof.core.case import Section as Section
    from ragproof.core.case import SourceSpan as SourceSpan
    from ragproof.core.case import Split as Split
    from ragproof.core.case import Trial as Trial
    from ragproof.core.case import Turn as Turn
    from ragproof.core.case import TypedSpan as TypedSpan
    from ragproof.core.corpus import Corpus as Corpus
    from ragproof.core.errors import Absent as Absent
    from ragproof.core.errors import AdapterError as AdapterError
    from ragproof.core.errors import DoesNotArise as DoesNotArise
    from ragproof.core.errors import JudgeError as JudgeError
    from ragproof.core.errors import MissingInput as MissingInput
    from ragproof.core.errors import ModelError as ModelError
    from ragproof.core.errors import OverBudget as OverBudget
    from ragproof.core.errors import RagproofError as RagproofError
    from ragproof.core.errors import ReadingError as ReadingError
    from ragproof.core.errors import RunError as RunError
    from ragproof.core.errors import StoreError as StoreError
    from ragproof.core.errors import UnknownMetric as UnknownMetric
    from ragproof.core.errors import UsageError as UsageError
    from ragproof.core.errors import UselessReply as UselessReply
    from ragproof.core.errors import WrongKind as WrongKind
    from ragproof.core.header import AdapterInfo as AdapterInfo
    from ragproof.core.header import DatasetInfo as DatasetInfo
    from ragproof.core.header import Declared as Declared
    from ragproof.core.header import Mode as Mode
    from ragproof.core.header import RunHeader as RunHeader
    from ragproof.core.header import RunSettings as RunSettings
    from ragproof.core.header import RunState as RunState
    from ragproof.core.local import LocalModels as LocalModels
    from ragproof.core.local import PairModel as PairModel
    from ragproof.core.local import PairScore as PairScore
    from ragproof.core.naming import declared as declared
    from ragproof.core.naming import key as key
    from ragproof.core.naming import labelled as labelled
    from ragproof.core.need import Need as Need
    from ragproof.core.observation import Answer as Answer
    from ragproof.core.observation import Chunk as Chunk
    from ragproof.core.observation import Citation as Citation
    from ragproof.core.observation import Event as Event
    from ragproof.core.observation import EventKind as EventKind
    from ragproof.core.observation import Feedback as Feedback
    from ragproof.core.observation import Observation as Observation
    from ragproof.core.observation import Parsed as Parsed
    from ragproof.core.observation import Stage as Stage
    from ragproof.core.observation import Step as Step
    from ragproof.core.observation import Trace as Trace
    from ragproof.core.ontology import Entity as Entity
    from ragproof.core.ontology import Kinship as Kinship
    from ragproof.core.ontology import Ontology as Ontology
    from ragproof.core.outcome import Cause as Cause
    from ragproof.core.outcome import Failed as Failed
    from ragproof.core.outcome import Json as Json
    from ragproof.core.outcome import NotApplicable as NotApplicable
    from ragproof.core.outcome import Outcome as Outcome
    from ragproof.core.outcome import Scored as Scored
    from ragproof.core.outcome import Skipped as Skipped
    from ragproof.core.outcome import Status as Status
    from ragproof.core.pipeline import Pipeline as Pipeline
    from ragproof.core.ports import Adapter as Adapter
    from ragproof.core.ports import Finished as Finished
    from ragproof.core.ports import Judge as Judge
    from ragproof.core.ports import Metric as Metric
    from ragproof.core.ports import PureMetric as PureMetric
    from ragproof.core.ports import Reading as Reading
    from ragproof.core.ports import Reply as Reply
    from ragproof.core.ports import Row as Row
    from ragproof.core.ports import Scores as Scores
    from ragproof.core.ports import Store as Store
    from ragproof.core.ports import ToolMetric as ToolMetric
    from ragproof.core.ports import Tools as Tools
    from ragproof.core.ports import Weighed as Weighed
    from ragproof.core.ports import accept as accept
    from ragproof.core.ports import calling as calling
    from ragproof.core.prompt import Prompt as Prompt
    from ragproof.core.readings import Readings as Readings
    from ragproof.core.readings import Refusal as Refusal
    from ragproof.core.spec import Better as Better
    from ragproof.core.spec import Gather as Gather
    from ragproof.core.spec import Interval as Interval
    from ragproof.core.spec import Layer as Layer
    from ragproof.core.spec import Pool as Pool
    from ragproof.core.spec import Spec as Spec
    from ragproof.core.spec import Unit as Unit
    from ragproof.core.subject import CaseRun as CaseRun
    from ragproof.core.subject import GroupRun as GroupRun
    from ragproof.core.subject import Level as Level
    from ragproof.core.subject import SetRun as SetRun
    from ragproof.core.subject import SourceMatch as SourceMatch
    from ragproof.core.subject import Subject as Subject
    from ragproof.core.subject import WindowRun as WindowRun

_HOMES = {
    "case": (
        "DOCUMENTS QUESTIONS Boundary Case CaseKind Document DocumentCase Element Mention Nugget "
        "QuestionCase Relation Section SourceSpan Split Trial Turn TypedSpan"
    ),
    "corpus": "Corpus",
    "errors": (
        "Absent AdapterError DoesNotArise JudgeError MissingInput ModelError OverBudget "
        "RagproofError ReadingError RunError StoreError UnknownMetric UsageError "
        "UselessReply WrongKind"
    ),
    "header": "AdapterInfo DatasetInfo Declared Mode RunHeader RunSettings RunState",
    "local": "LocalModels PairModel PairScore",
    "naming": "declared key labelled",
    "need": "Need",
    "observation": (
        "Answer Chunk Citation Event EventKind Feedback Observation Parsed Stage Step Trace"
    ),
    "ontology": "Entity Kinship Ontology",
    "outcome": "Cause Failed Json NotApplicable Outcome Scored Skipped Status",
    "pipeline": "Pipeline",
    "ports": (
        "Adapter Finished Judge Metric PureMetric Reading Reply Row Scores Store "
        "ToolMetric Tools Weighed accept calling"
    ),
    "prompt": "Prompt",
    "readings": "Readings Refusal",
    "spec": "Better Gather Interval Layer Pool Spec Unit",
    "subject": "CaseRun GroupRun Level SetRun SourceMatch Subject WindowRun",
}
"""File to the words that are offered from it."""
_HOME = {name: file for file, names in _HOMES.items() for name in names.split()}

if not TYPE_CHECKING:  # a misspelt name is an error to those who check types

    def __getattr__(name: str) -> object:
        """Import a word from its file when it is first asked for."""
        if (file := _HOME.get(name)) is None:
            raise AttributeError(f"module 'ragproof.core' has no attribute {name!r}")
        found: object = getattr(import_module(f"ragproof.core.{file}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """List what is offered, imported or not."""
    return sorted({*globals(), *_HOME})
