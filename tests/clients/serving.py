"""A server in a subprocess, for clients."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.requirements import free_port
from tools.build_clients import ROOT

START_TIMEOUT_SECONDS: Final = 240
STOP_TIMEOUT_SECONDS: Final = 30


@contextmanager
def running_server(data: Path, **settings: str) -> Iterator[str]:
    """Run a server with these environment variables; yield its URL."""
    port = free_port()
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port), "--data", str(data)],
        cwd=ROOT,
        env=environment | {"DJANGO_SETTINGS_MODULE": "tests.clients.settings"} | settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    site = f"http://127.0.0.1:{port}"
    try:
        _wait_for(site, process)
        yield site
    finally:
        process.terminate()
        try:
            process.wait(timeout=STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:  # other tests check how it stops
            process.kill()
            process.wait()


def _wait_for(site: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server did not start"
        try:
            with urllib.request.urlopen(f"{site}/api/v1/schema", timeout=5):  # noqa: S310 -- a local server
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the server does not answer")
