"""A model behind HTTP on loopback, which says what it was asked and how often."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"prompt_tokens": 100, "completion_tokens": 10}
PRICES = "{input_per_mtok: 10.0, output_per_mtok: 0.0}"
USD = 0.001
"""Of a call, at those prices."""


@dataclass(frozen=True)
class Oddity:
    """What a provider does instead of answering well."""

    status: int = 200
    """What it refuses with."""
    text: str | None = None
    """The reply that it gives, unless it is asked to repair one."""
    reset: bool = False
    """Whether it breaks the connection."""
    hang: float = 0.0
    """Seconds for which it says nothing at all."""


FINE = Oddity()
REPAIR = b"That reply cannot be used"


@dataclass
class Provider:
    """What the model does, and what it saw."""

    seconds: float = 0.0
    status: int = 200
    says: Callable[[str], str] | None = None
    """From the prompt to the reply; default the best verdict there is."""
    says_by: Mapping[str, Callable[[str], str]] = field(default_factory=dict[str, Any])
    """From the name of a model to the same, given all of the prompt."""
    strange: Callable[[int], Oddity | None] | None = None
    """From the number of the request, from 0 on, to what goes wrong with it, if anything."""
    asked: int = 0
    """Requests, however they ended."""
    url: str = ""
    answered: Counter[str] = field(default_factory=Counter[str])
    """Request to how often it was answered, and so paid."""
    out: int = 0
    most: int = 0
    """Requests at once."""
    longest: int = 0
    """Bytes of the longest request."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def calls(self) -> int:
        """Answered requests."""
        return self.answered.total()

    def reply(self, body: bytes) -> tuple[int, dict[str, Any]]:
        """Answer one request. Raises ConnectionError to break the connection instead."""
        with self.lock:
            odd = (self.strange(self.asked) if self.strange else None) or FINE
            self.asked += 1
            self.out += 1
            self.most = max(self.most, self.out)
            self.longest = max(self.longest, len(body))
        time.sleep(self.seconds + odd.hang)
        with self.lock:
            self.out -= 1
            if odd.reset or odd.hang:
                raise ConnectionError
            if (status := max(self.status, odd.status)) != 200:
                return status, {"error": {"message": "no such key"}}
            self.answered[sha256(body).hexdigest()] += 1
        asked = json.loads(body)
        prompt = asked["messages"][0]["content"]
        if (by := self.says_by.get(asked["model"])) is not None:
            said = by("\n".join(one["content"] for one in asked["messages"]))
            choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            return 200, {"model": asked["model"], "choices": [choice], "usage": USAGE}
        said = (self.says or best)(prompt) if odd.text is None or REPAIR in body else odd.text
        choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        return 200, {"model": "m", "choices": [choice], "usage": USAGE}


@contextmanager
def serving(provider: Provider) -> Iterator[Provider]:
    """Have the model answer while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                status, document = provider.reply(body)
            except ConnectionError:
                self.close_connection = True
                return
            text = json.dumps(document).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
            except OSError:  # whoever asked was killed
                self.close_connection = True

        def log_message(self, *_: object) -> None: ...

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

        def handle_error(self, *_: object) -> None: ...

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    provider.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()


def best(prompt: str) -> str:
    """Give the best verdict there is."""
    if '"relevant"' in prompt:
        return json.dumps({"reason": "it does", "verdict": "relevant"})
    return json.dumps({"reason": "it is", "missing": [], "verdict": "complete"})
