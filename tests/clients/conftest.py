"""A real server for clients to talk to, and the clients that are generated for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.serving import running_server
from tools.build_clients import generate_python

# A program that needs the generated client, and is started by a test that has it.
collect_ignore = ["terminal_player.py"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_server(tmp_path_factory.mktemp("served")) as address:
        yield address


@pytest.fixture(scope="session")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the generated package, for PYTHONPATH."""
    folder = tmp_path_factory.mktemp("python")
    generate_python(folder / "haggis_client")
    return folder
