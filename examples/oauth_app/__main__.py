"""Serve the example app: `python -m examples.oauth_app --service http://localhost:8000 --client-id app_...`.

First register an app with the redirect address that this prints, on your account page or by `POST /me/apps`.
The page needs no build step: it is `index.html` and `app.js`.
"""

import argparse
import json
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGES = Path(__file__).parent


class Pages(SimpleHTTPRequestHandler):
    """Serve the files of this folder, and the address of the service as `config.json`."""

    config: bytes = b"{}"

    def do_GET(self) -> None:
        """Send a file, or the configuration."""
        if self.path.partition("?")[0] != "/config.json":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.config)))
        self.end_headers()
        self.wfile.write(self.config)

    def log_message(self, *_: object) -> None:
        """Log nothing: the address of a request has the code."""


def create_server(*, service: str, client_id: str, port: int) -> ThreadingHTTPServer:
    """Return the server; port 0 takes any free one."""
    config = json.dumps({"service": service, "clientId": client_id}).encode()
    handler = type("ConfiguredPages", (Pages,), {"config": config})
    return ThreadingHTTPServer(("127.0.0.1", port), partial(handler, directory=str(PAGES)))


def main() -> None:
    """Serve the app until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--service", default="http://localhost:8000", help="the address of the service")
    parser.add_argument("--client-id", required=True, help="the id of the app")
    parser.add_argument("--port", type=int, default=8710)
    options = parser.parse_args()
    server = create_server(service=options.service, client_id=options.client_id, port=options.port)
    print(f"Redirect address to register: http://127.0.0.1:{server.server_port}/")  # noqa: T201
    server.serve_forever()


if __name__ == "__main__":
    main()
