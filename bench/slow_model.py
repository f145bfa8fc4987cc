"""A model endpoint that answers everything after a fixed time: `python -m bench.slow_model MS`.

It prints its port, then serves until its standard input is closed. A few lines on a bare socket,
so that it takes little of the machine that is being measured. GET tells how many calls came in.
"""

from __future__ import annotations

import asyncio
import json
import sys

USAGE = {"prompt_tokens": 400, "completion_tokens": 20}
REPLY = {
    "model": "slow",
    "choices": [{"message": {"content": '{"verdict": "yes"}'}, "finish_reason": "stop"}],
    "usage": USAGE,
}


class Exchange(asyncio.Protocol):
    """One connection; requests on it come one after the other."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        if not found or len(body) < _length(head):
            return
        self._buffer = b""
        if head.startswith(b"GET"):
            self._answer(json.dumps({"calls": self._server.calls}).encode())
            return
        self._server.calls += 1
        loop = asyncio.get_running_loop()
        loop.call_later(self._server.seconds, self._answer, self._server.reply)

    def _answer(self, body: bytes) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        self._transport.write(head % len(body) + body)


class Server:
    """What all connections share."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.calls = 0
        self.reply = json.dumps(REPLY).encode()


def _length(head: bytes) -> int:
    _, found, rest = head.lower().partition(b"content-length:")
    return int(rest.split(b"\r\n", 1)[0]) if found else 0


async def serve(seconds: float) -> None:
    """Serve until standard input ends."""
    server = Server(seconds)
    loop = asyncio.get_running_loop()
    listening = await loop.create_server(lambda: Exchange(server), "127.0.0.1", 0, backlog=4096)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]) / 1000))
