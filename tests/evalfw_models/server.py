"""A real HTTP server that speaks the protocols of OpenAI and Anthropic, and misbehaves on schedule."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

KEY = "sk-test-0123456789abcdef"
"""The API key that the server accepts."""


@dataclass(frozen=True)
class Act:
    """What the server does with a request: it sends `body` with `status`, as a whole unless `how` says otherwise.

    Args:
        status: Of the response.
        body: Of the response: bytes, or what becomes JSON.
        headers: Of the response, beside the usual ones.
        how: `hang`: never answers. `cut`: closes the connection in the middle. `drip`: sends a byte now and then,
            for ever. `refuse`: closes the connection without a word.
        seconds: How long it thinks first.
    """

    status: int = 200
    body: object = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    how: Literal["whole", "hang", "cut", "drip", "refuse"] = "whole"
    seconds: float = 0.0


@dataclass(frozen=True)
class Seen:
    """A request as it arrived.

    Args:
        name: See `Server`.
        path: Of the URL.
        body: The JSON in it.
        headers: Names in lower case.
        at: Monotonic time.
    """

    name: object
    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    at: float


Script = Callable[[Seen, int], Act]
"""What to do with a request that has been seen so many times before."""


def seed(body: Mapping[str, Any]) -> object:
    """The seed of a request, which differs for each."""
    return body["seed"]


def prompt(body: Mapping[str, Any]) -> str:
    """The last message of a request, or its bare prompt."""
    return str(body["messages"][-1]["content"] if "messages" in body else body["prompt"])


def chat(content: object, finish_reason: str = "stop", **message: object) -> Act:
    """An answer in OpenAI's protocol."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}}
    return Act(body=completion(choice | {"finish_reason": finish_reason}))


def completion(*choices: Mapping[str, object]) -> dict[str, object]:
    """The body of an answer in OpenAI's protocol."""
    usage = {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}
    return {
        "id": "cmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny-2026-01-01",
        "system_fingerprint": "fp_1",
        "choices": list(choices),
        "usage": usage,
    }


def error(status: int, message: str = "no", headers: Mapping[str, str] | None = None, **more: object) -> Act:
    """An error as OpenAI reports it."""
    return Act(status, {"error": {"message": message, **more}}, headers or {})


def in_order(*acts: Act) -> Script:
    """Do these with every request, one after the other, and the last one from then on."""
    return lambda _, before: acts[min(before, len(acts) - 1)]


class Server:
    """Listens on the loopback until it is left.

    Args:
        script: What it does.
        name: What tells requests apart; the same request, sent again, has the same name.
    """

    def __init__(self, script: Script, name: Callable[[Mapping[str, Any]], object] = seed) -> None:
        self.seen: list[Seen] = []
        self.answered: Counter[object] = Counter()
        """How often each request was answered as a whole with status 200: what would be on the bill."""
        self.most_at_once = 0
        self.stopped = threading.Event()
        self._script = script
        self._name = name
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._http = _Http(self)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def names(self) -> list[object]:
        """The requests in the order of their arrival."""
        return [seen.name for seen in self.seen]

    def times(self) -> Counter[object]:
        """How often each request arrived."""
        return Counter(self.names())

    def begin(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str], sock: socket.socket) -> Act:
        """Note a request, and decide what to do with it."""
        seen = Seen(self._name(body), path, body, headers, time.monotonic())
        with self._lock:
            before = self.times()[seen.name]
            self.seen.append(seen)
            self._open = [*(other for other in self._open if not gone(other)), sock]
            self.most_at_once = max(self.most_at_once, len(self._open))
        return self._script(seen, before)

    def end(self, name: object, sock: socket.socket, answered: bool) -> None:
        """Note that nothing more is done for a request: said before the client can know."""
        with self._lock:
            self._open = [other for other in self._open if other is not sock]
            self.answered[name] += answered


def gone(sock: socket.socket) -> bool:
    """Whether the other side has closed the connection."""
    try:
        return bool(select.select([sock], [], [], 0)[0]) and sock.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return True


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, owner: Server) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, *_: object) -> None:
        """A client that goes away is none of the server's errors."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def do_POST(self) -> None:
        owner = self.server.owner
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        act = owner.begin(self.path, body, headers, self.connection)
        name = owner._name(body)
        key = headers.get("authorization", "").removeprefix("Bearer ")
        if key not in {KEY, "none", ""}:
            act = error(401, f"Incorrect API key provided: {key}")
        if owner.stopped.wait(act.seconds):
            return
        content = act.body if isinstance(act.body, bytes) else json.dumps(act.body).encode()
        whole = act.how == "whole"
        if whole:
            owner.end(name, self.connection, answered=act.status == 200 and not isinstance(act.body, bytes))
        try:
            self._do(act, content)
        finally:
            if not whole:
                owner.end(name, self.connection, answered=False)

    def _do(self, act: Act, content: bytes) -> None:
        if act.how in {"hang", "refuse"}:
            while act.how == "hang" and not gone(self.connection) and not self.server.owner.stopped.wait(0.01):
                pass
            self.close_connection = True
            return
        self.send_response(act.status)
        for header, value in {"Content-Type": "application/json", **act.headers}.items():
            self.send_header(header, value)
        self.send_header("Content-Length", str(len(content) + (1 << 20) * (act.how == "drip")))
        self.end_headers()
        if act.how == "whole":
            self.wfile.write(content)
            return
        self.close_connection = True
        self.wfile.write(content[: len(content) // 2])
        while act.how == "drip" and not self.server.owner.stopped.wait(0.05):
            self.wfile.write(b" ")

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""
