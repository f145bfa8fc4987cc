"""One call to see whether a model can be used at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from ragproof.core import JudgeError, Reply
from ragproof.llm.client import Client
from ragproof.llm.model import Ask

_SYSTEM = "Reply with JSON and nothing else."
_USER = 'Reply with {"ready": true}'
PROBE = Ask(
    system=_SYSTEM,
    user=_USER,
    prompt=sha256(f"{_SYSTEM}\0{_USER}".encode()).hexdigest(),
    schema={
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Probed:
    """A model that answers."""

    reply: Reply
    notes: tuple[str, ...]
    """What is worth knowing about it, a sentence each."""


async def probe(client: Client, *, weighs: bool = False) -> Probed:
    """Ask once, without trying again; `weighs` where probabilities of words are wanted, too.

    Raises JudgeError that says what to do.
    """
    settings = client.settings
    reply = await client.reply(replace(PROBE, weighs=("true",) if weighs else ()))
    if reply.truncated:
        raise JudgeError(
            f"{settings.model} at {settings.place} reached the limit of "
            f"{settings.max_output_tokens} tokens on the shortest of replies; raise "
            "judge.max_output_tokens (a model that reasons needs a few thousand)"
        )
    if not reply.text.strip():
        raise JudgeError(
            f"{settings.model} at {settings.place} gives an empty reply (it stopped because of "
            f"{reply.finish or 'no stated reason'}); use another judge.model"
        )
    notes = []
    if not client.dialect.takes_schema:
        notes.append("it takes no JSON Schema: the form of replies is asked for in words only")
    if "{" not in reply.text:
        notes.append("it did not reply with JSON though asked to: expect judge errors")
    if reply.estimated:
        notes.append("it tells no usage: tokens are estimated at 4 characters each")
    if weighs and not reply.weighed:
        notes.append("it tells no probabilities of tokens: ratings are taken as they are said")
    if reply.model is not None and reply.model != settings.model:
        notes.append(f"it calls itself {reply.model}")
    return Probed(reply, tuple(notes))
