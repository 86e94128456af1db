"""A running server, and the generated Python client."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.serving import running_server
from tools.build_clients import generate_python

# A program that a test starts with the generated client.
collect_ignore = ["terminal_player.py"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_server(tmp_path_factory.mktemp("served")) as address:
        yield address


@pytest.fixture(scope="session")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide the folder of the generated package, for PYTHONPATH."""
    folder = tmp_path_factory.mktemp("python")
    generate_python(folder / "haggis_client")
    return folder
