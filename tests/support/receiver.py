"""A local receiver of webhooks and push messages."""

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from standardwebhooks import Webhook

HOST: Final = "127.0.0.1"


@dataclass(frozen=True)
class Received:
    """One received request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """The id of the message."""
        return self.headers["webhook-id"]

    @property
    def form(self) -> Any:
        """The parsed body."""
        return json.loads(self.body)

    def verified(self, secret: str) -> Any:
        """Verify the signature and return the parsed body."""
        return Webhook(secret).verify(self.body, self.headers)


@dataclass
class Receiver:
    """A server on its own port. `answer` returns the status of each response."""

    port: int = 0
    received: list[Received] = field(default_factory=list)
    answer: Callable[[Received], int] = lambda _: 204
    slow: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The URL of the endpoint."""
        return f"http://{HOST}:{self.port}/hook"

    def wait_for(self, count: int, seconds: float = 30) -> list[Received]:
        """Wait until this many requests have been received."""
        give_up = time.monotonic() + seconds
        while len(self.received) < count:
            assert time.monotonic() < give_up, f"{len(self.received)} of {count} came"
            time.sleep(0.01)
        return self.received


@contextmanager
def run_receiver() -> Iterator[Receiver]:
    """Run a receiver during the block."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = self.rfile.read(length)
            if len(body) < length:  # the sender was killed: ignore the incomplete request
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.path, headers, body)
            receiver.received.append(received)
            time.sleep(receiver.slow)
            status = receiver.answer(received)
            with suppress(ConnectionError):  # the sender may have closed the connection
                self.send_response(status)
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(b"a response body")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer((HOST, 0), Handler)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


AUTH: Final = b"sixteen letters."
# Constant, so that test parameters can refer to it.
KEY: Final = ec.derive_private_key(20_261_118, ec.SECP256R1())


def base64url(data: bytes) -> str:
    """Encode bytes as base64url without padding, like browsers."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def push_subscription(name: str, endpoint: str = "https://push.example/send") -> dict[str, Any]:
    """Return the push subscription of a browser."""
    point = KEY.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {"endpoint": f"{endpoint}/{name}", "keys": {"p256dh": base64url(point), "auth": base64url(AUTH)}}


def decrypt(body: bytes) -> str:
    """Decrypt a push message as a browser does (RFC 8291)."""
    decrypted: bytes = http_ece.decrypt(body, private_key=KEY, auth_secret=AUTH, version="aes128gcm")
    return decrypted.decode()
