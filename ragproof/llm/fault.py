"""What can go wrong with one attempt, and what to do about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ragproof.core import JudgeError
from ragproof.llm.settings import KEYS, ModelSettings

_QUOTED = 300
_LOOKED_AT = 5_000
_HALF_HIDDEN = re.compile(r"[^\s'\",;:()]*\*{2,}[^\s'\",;:()]*")
"""A key as some providers quote it."""
_LIMITS = ("temperature", "max_tokens", "completion_tokens")
_TOO_LONG = ("context", "too long", "too large for")
_NO_MODEL = ("model_not_found", "not a valid model", "model not found", "unknown model")
_SPENT = ("insufficient_quota", "billing", "credit balance", "exceeded your current quota")


class Kind(StrEnum):
    """Kinds of fault."""

    KEY = "key"
    FORBIDDEN = "forbidden"
    ABSENT = "absent"
    QUOTA = "quota"
    SETTING = "setting"
    ADDRESS = "address"
    INPUT = "input"
    BUSY = "busy"
    SERVER = "server"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    GARBAGE = "garbage"


_BY_STATUS = {
    **{401: Kind.KEY, 403: Kind.FORBIDDEN, 404: Kind.ABSENT, 405: Kind.ADDRESS},
    **{408: Kind.SERVER, 409: Kind.SERVER, 429: Kind.BUSY},
}
LASTING = frozenset({Kind.KEY, Kind.FORBIDDEN, Kind.ABSENT, Kind.QUOTA, Kind.SETTING, Kind.ADDRESS})
"""The next call will fare no better, whatever it asks."""
PASSING = frozenset({Kind.BUSY, Kind.SERVER, Kind.CONNECTION, Kind.TIMEOUT, Kind.GARBAGE})
"""The next attempt may fare better."""


class Fault(JudgeError):
    """An attempt brought no reply. The message names the remedy where there is one."""

    def __init__(
        self,
        kind: Kind,
        why: str,
        *,
        status: int | None = None,
        said: str = "",
        wait: float | None = None,
        paid: bool = False,
    ) -> None:
        """Hold what happened."""
        super().__init__(why)
        self.kind = kind
        self.status = status
        self.said = said
        """All that the provider said of it, in lower case."""
        self.wait = wait
        """Seconds that the server asks to be left alone."""
        self.paid = paid
        """Whether the attempt may have been paid."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a provider's error document says."""

    message: str = ""
    type: str = ""
    code: str = ""
    param: str = ""

    @classmethod
    def of(cls, document: Any) -> Refusal:  # noqa: ANN401  any JSON
        """Read the error of any of the usual forms."""
        if not isinstance(document, dict):
            return cls(str(document or ""))
        inner = document.get("error")
        if not isinstance(inner, dict):
            inner = {"message": inner, **document} if inner else document
        message = inner.get("message") or inner.get("detail") or ""
        fields = (str(inner.get(name) or "") for name in ("type", "code", "param"))
        return cls(str(message), *fields)

    @property
    def everything(self) -> str:
        """All of it, in lower case."""
        return " ".join((self.message, self.type, self.code, self.param)).lower()


def quoted(text: str, key: str | None) -> str:
    """Give a provider's words in one line, cut short, and the key taken out first."""
    if key:
        text = text.replace(key, "(key)")
    line = " ".join(text[:_LOOKED_AT].split())[: 2 * _QUOTED]  # cut first: it may be megabytes
    text = "".join(one for one in _HALF_HIDDEN.sub("(key)", line) if one.isprintable())
    return text if len(text) <= _QUOTED else text[:_QUOTED] + "..."


def refused(
    settings: ModelSettings, status: int, refusal: Refusal, *, key: str | None, wait: float | None
) -> Fault:
    """Make a fault of a response that is not a success."""
    kind = _kind(status, refusal)
    words = quoted(refusal.message or refusal.code or refusal.type, key)
    why = f"{settings.model} at {settings.place} answers {status}" + (f": {words}" if words else "")
    if remedy := _remedy(kind, settings, refusal.everything, has_key=key is not None):
        why = f"{why.rstrip('.')}. {remedy}"
    return Fault(kind, why, status=status, said=refusal.everything, wait=wait)


def _kind(status: int, refusal: Refusal) -> Kind:
    said = refusal.everything
    if status == 402 or (status in {400, 403, 429} and any(word in said for word in _SPENT)):
        return Kind.QUOTA
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return Kind.SERVER
    if status < 400:
        return Kind.ADDRESS
    if any(word in said for word in _NO_MODEL):
        return Kind.ABSENT
    if any(word in said for word in _LIMITS) and not any(word in said for word in _TOO_LONG):
        return Kind.SETTING
    return Kind.INPUT


def _remedy(kind: Kind, settings: ModelSettings, said: str, *, has_key: bool) -> str:
    variables = " or ".join(KEYS[settings.provider])
    match kind:
        case Kind.KEY if not has_key:
            return f"No key was sent: set {variables}"
        case Kind.KEY:
            return f"The key in {variables} is not accepted there: set the right one"
        case Kind.FORBIDDEN:
            return f"The key in {variables} may not use this model: use another key or judge.model"
        case Kind.ABSENT if "model" in said or "deployment" in said:
            return "There is no such model: set judge.model (RAGPROOF_JUDGE_MODEL) to one it has"
        case Kind.ABSENT | Kind.ADDRESS:
            return _about_address(settings)
        case Kind.QUOTA:
            return "The account has no credit left: add some, then run --resume with --retry-errors"
        case _:
            return _about_request(kind, settings, said)


def _about_request(kind: Kind, settings: ModelSettings, said: str) -> str:
    if kind is Kind.SETTING:
        if "temperature" in said:
            return "Set judge.temperature: omit"
        return "Set judge.max_output_tokens to what the model takes"
    if kind is not Kind.INPUT:
        return ""
    if any(word in said for word in _TOO_LONG):
        return "The prompt is too long for this model: use one with a larger context"
    return (
        f"Are the fields of judge.extra right ({', '.join(settings.extra)})?"
        if settings.extra
        else ""
    )


def _about_address(settings: ModelSettings) -> str:
    hint = "judge.base_url (RAGPROOF_LLM_BASE_URL) is the address up to, without, the last part"
    if settings.provider == "openai" and not settings.url.split("?")[0].endswith(
        "/v1/chat/completions"
    ):
        hint += "; most servers want it to end in /v1"
    return f"Nothing takes chat requests there: {hint}"


def unreachable(settings: ModelSettings, why: str) -> Fault:
    """Make a fault of a connection that could not be made: surely not paid."""
    return Fault(
        Kind.CONNECTION,
        f"no connection to {settings.place}: {why}. Is the server running, and is judge.base_url "
        "(RAGPROOF_LLM_BASE_URL) right?",
    )


def broken_off(settings: ModelSettings, why: str) -> Fault:
    """Make a fault of a connection that was lost after the request went out."""
    return Fault(Kind.CONNECTION, f"{settings.place} broke the connection: {why}", paid=True)


def too_late(settings: ModelSettings, seconds: float) -> Fault:
    """Make a fault of an attempt that was not answered in its time."""
    return Fault(
        Kind.TIMEOUT,
        f"{settings.model} at {settings.place} gave no complete reply within {seconds:g} s "
        "(judge.timeout_seconds)",
        paid=True,
    )


def garbage(settings: ModelSettings, what: str, said: str, key: str | None) -> Fault:
    """Make a fault of a success that is no reply: paid, as far as anyone can tell."""
    words = quoted(said, key)
    why = f"{settings.model} at {settings.place} answers with {what}"
    why += f": {words}" if words else ""
    if "<html" in said[:1000].lower() or "<!doctype" in said[:1000].lower():
        why = f"{why.rstrip('.')}. {_about_address(settings)}"
    return Fault(Kind.GARBAGE, why, paid=True)
