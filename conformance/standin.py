"""A stand-in for the model: it answers on loopback, stores the requests, and makes the calls of a probe."""

from __future__ import annotations

import importlib
import json
import pkgutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from conformance import dialects
from conformance.dialects import Dialect, Request
from conformance.probe import Call

DIALECTS: list[Dialect] = [
    importlib.import_module(f"conformance.dialects.{module.name}").DIALECT
    for module in pkgutil.iter_modules(dialects.__path__)
]


class Step(NamedTuple):
    """A call, and the conversations in which it may be made: others have the same tools, and other rights."""

    call: Call
    belongs: Callable[[Request], bool]


class StandIn:
    """Answers "ok", after it has made each step once, in order, in its own conversation, when its tool was offered."""

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        self.url = ""
        self._lock = threading.Lock()
        self.begin(steps)

    def begin(self, steps: Sequence[Step]) -> None:
        """Forget everything, and answer the next probe."""
        self.requests: list[Request] = []
        self.called: list[tuple[Call, Request]] = []
        self.asked = 0.0
        """The time of the first request."""
        self.failure: Exception | None = None
        """An error of the stand-in itself, which must not be mistaken for behaviour of the harness."""
        self._left = list(steps)

    def answer(self, request: Request) -> str | Call:
        with self._lock:
            self.asked = self.asked or time.time()
            self.requests.append(request)
            if self._left and self._left[0].call.tool in request.tools and self._left[0].belongs(request):
                call = self._left.pop(0).call
                self.called.append((call, request))
                return call
            return "ok"


@contextmanager
def serving(stand_in: StandIn) -> Iterator[StandIn]:
    """Answer requests at `stand_in.url` until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

        def do_GET(self) -> None:
            self._send("application/json", b'{"object": "list", "data": []}')

        def do_POST(self) -> None:
            data = self._body()
            dialect = next((each for each in DIALECTS if each.understands(self.path)), None)
            if dialect is None:
                self._send("application/json", b"{}")
                return
            try:
                body = json.loads(data)
                answer = stand_in.answer(dialect.read(self.path, body))
                content = dialect.write(self.path, body, answer)
            except Exception as error:  # any error makes the run worthless
                stand_in.failure = error
                self.send_error(400)  # a status that clients do not retry
                return
            self._send(*content)

        def _body(self) -> bytes:
            if self.headers.get("transfer-encoding", "").lower() != "chunked":
                return self.rfile.read(int(self.headers.get("content-length") or 0))
            data = b""
            while size := int(self.rfile.readline().partition(b";")[0], 16):
                data += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return data

        def _send(self, kind: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            # Else a server that asks again might use the connection that is just being closed.
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stand_in.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        server.server_close()
