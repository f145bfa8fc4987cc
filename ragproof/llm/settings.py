"""Which model, where, and how it is asked."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import SplitResult, parse_qsl, urlsplit

from ragproof.core import UsageError

OWN_FIELDS = (
    *("model", "messages", "system", "stream", "n"),
    *("temperature", "max_tokens", "max_completion_tokens"),
)
"""Fields of a request that have a setting of their own, or that would break the reply."""
KEYS = {
    "openai": ("RAGPROOF_LLM_API_KEY", "OPENAI_API_KEY"),
    "anthropic": ("RAGPROOF_LLM_API_KEY", "ANTHROPIC_API_KEY"),
}
"""Variables that may hold the key; the first that is set does."""
DEFAULT_BASES = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}
_PATHS = {"openai": "/chat/completions", "anthropic": "/messages"}
_SHOWN = frozenset({"api-version"})
"""Parameters of the address whose values are shown; any other may be a secret."""
_AZURE = (".azure.com", ".azure.us", ".azure.cn")


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """One model behind one endpoint."""

    model: str
    provider: Literal["openai", "anthropic"] = "openai"
    base_url: str | None = None
    """Up to and without `/chat/completions` or `/messages`; may carry a query."""
    temperature: float | None = 0.0
    """None: not sent at all."""
    max_output_tokens: int = 2048
    timeout_seconds: float = 120.0
    """For one attempt."""
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further fields of every request."""

    def __post_init__(self) -> None:
        """Refuse what cannot be sent."""
        if taken := [name for name in self.extra if name in OWN_FIELDS]:
            raise UsageError(
                f"judge.extra may not set {taken[0]!r}: it is ragproof's own or has a setting "
                "(judge.model, judge.temperature, judge.max_output_tokens)"
            )
        parts = self._address
        try:
            fits = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        except ValueError:
            fits = False
        if not fits:
            raise UsageError(
                f"judge.base_url (RAGPROOF_LLM_BASE_URL): got {self.base_url!r}; "
                "allowed: http://HOST or https://HOST, a port and a path"
            )
        if parts.username is not None or parts.password is not None:
            raise UsageError(
                "judge.base_url (RAGPROOF_LLM_BASE_URL) holds a user or password; a key belongs "
                "in the variable RAGPROOF_LLM_API_KEY"
            )

    @property
    def url(self) -> str:
        """Where requests go."""
        return self._address.geturl()

    @property
    def place(self) -> str:
        """The base address as it may be shown and stored: parameters without their values."""
        parts = self._address
        path = parts.path.removesuffix(_PATHS[self.provider])
        shown = [
            f"{name}={value if name in _SHOWN else '...'}" for name, value in parse_qsl(parts.query)
        ]
        return f"{parts.scheme}://{parts.netloc}{path}" + (f"?{'&'.join(shown)}" if shown else "")

    @property
    def fingerprint(self) -> str:
        """Identify the judge: model, endpoint, temperature, limit of tokens, extra fields."""
        temperature = "omitted" if self.temperature is None else f"{self.temperature:g}"
        parts = [
            f"{self.model} at {self.place}",
            f"temperature {temperature}",
            f"at most {self.max_output_tokens} tokens",
        ]
        if self.extra:
            parts.append(json.dumps(self.extra, sort_keys=True, default=str))
        return ", ".join(parts)

    @property
    def is_local(self) -> bool:
        """Whether the endpoint is on this machine or in this network."""
        host = (self._address.hostname or "").lower()
        try:
            return ipaddress.ip_address(host).is_private
        except ValueError:
            return "." not in host or host.endswith((".local", ".internal", ".lan", ".localhost"))

    @property
    def is_azure(self) -> bool:
        """Whether the key goes into the header `api-key`."""
        return (self._address.hostname or "").lower().endswith(_AZURE)

    @property
    def is_openai(self) -> bool:
        """Whether it is OpenAI's own API, which has renamed `max_tokens`."""
        return self._address.hostname == "api.openai.com" or self.is_azure

    @property
    def _address(self) -> SplitResult:
        try:
            parts = urlsplit((self.base_url or DEFAULT_BASES[self.provider]).strip())
        except ValueError:
            return SplitResult("", "", "", "", "")
        path, end = parts.path.rstrip("/"), _PATHS[self.provider]
        if not path and self.provider == "anthropic":
            path = "/v1"  # its own clients are given the address without
        return parts._replace(path=path.removesuffix(end) + end, fragment="")


def api_key(provider: str, environ: Mapping[str, str]) -> str | None:
    """Look the key up; None where none is set.

    Raises UsageError, without the key in it, for one that no header can carry.
    """
    for name in KEYS[provider]:
        if key := environ.get(name, "").strip():
            if not (key.isascii() and key.isprintable() and " " not in key):
                raise UsageError(
                    f"{name} holds characters that no key has (blanks, line breaks, or beyond "
                    "ASCII); set it to the key alone"
                )
            return key
    return None
