"""Read which signals `ragproof review report --out` validated, as far as they hold of a traffic."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragproof.analysis.monitor_signals import Reviewed, Validated, is_candidate_signal
from ragproof.analysis.monitor_traffic import Traffic
from ragproof.core import UsageError
from ragproof.text.faults import faults
from ragproof.text.files import as_utf8
from ragproof.text.strict_json import parse

VALIDATED, WITHHELD = "validated", "withheld"
ALLOWED = "It has to be the file that `ragproof review report --out` writes"
Told = Annotated[str, Field(min_length=1)]


class _Signal(BaseModel):
    """One signal beside one label; what more the file says of it is for people."""

    model_config = ConfigDict(strict=True)

    signal: Told
    standing: Told
    points_to: Told | None
    measured: Annotated[int, Field(ge=0)]
    version: int | None = None


class _Signals(BaseModel):
    """The file."""

    model_config = ConfigDict(strict=True)

    runs: list[Told]
    drawn_at: Told
    decided_at: Told
    signals: list[_Signal]


def refuse_other(path: Path) -> None:
    """Raise UsageError for a file that is there and is no earlier one of signals."""
    if not path.is_file():
        return
    try:
        _read(path)
    except UsageError:
        told = f"{path} is there already, and is no file of signals; give another name"
        raise UsageError(f"--out: {told}") from None


def _read(path: Path) -> _Signals:
    try:
        text = as_utf8(path.read_bytes(), path)
        parse(text)
        return _Signals.model_validate_json(text)
    except OSError as fault:
        raise UsageError(f"the signals {path} cannot be read: {fault.strerror}") from None
    except ValidationError as error:
        wrong = "; ".join(map(str, faults(error, _Signals)))
        raise UsageError(f"{path}: {wrong}. {ALLOWED}") from None
    except ValueError as fault:
        raise (
            fault if isinstance(fault, UsageError) else UsageError(f"{path}: {fault}. {ALLOWED}")
        ) from None


def reviewed_signals(path: Path, traffic: Traffic) -> Reviewed:
    """Take what holds of the metrics of this traffic; UsageError names file and field."""
    told = _read(path)
    found: dict[str, Validated] = {}
    untaken: dict[str, None] = {}
    for one in told.signals:
        if one.standing not in (VALIDATED, WITHHELD):
            continue
        if (why := _untaken(path, one, traffic)) is not None:
            untaken[why] = None
        elif one.points_to:
            before = found[one.signal].points_to if one.signal in found else ()
            said = (*before, one.points_to)
            sample = (one.measured, tuple(told.runs), told.drawn_at, told.decided_at)
            found[one.signal] = Validated(said, *sample)
    return Reviewed(found, tuple(untaken))


def _untaken(path: Path, one: _Signal, traffic: Traffic) -> str | None:
    """Why a signal that reviews bear out does not hold here."""
    measure = traffic.measure(one.signal)
    if measure is None or not is_candidate_signal(measure.declared):
        return None
    if one.standing == WITHHELD:
        return f"{one.signal}: {path.name} withheld it, the reviewers agree too little: not taken"
    if one.version == measure.declared.version:
        return None
    was = "an untold version" if one.version is None else f"version {one.version}"
    return (
        f"{one.signal}: {path.name} validated {was} of it, this is version "
        f"{measure.declared.version}: not taken"
    )
