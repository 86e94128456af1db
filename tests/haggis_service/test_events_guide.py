"""What docs/events.md shows is run as it stands."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.haggis_service.test_serving import ROOT, serving

GUIDE: Final = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.timeout(240)


def shown(language: str) -> str:
    """All that the guide has in this language, in order."""
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE))


def test_the_examples_for_the_command_line_say_what_they_promise(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        done = subprocess.run(
            ["/bin/bash", "-e", "-c", shown("sh")],
            env={"H": f"http://127.0.0.1:{server.port}/api/v1", "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=200,
            check=True,
        )
    said = done.stdout
    assert '"version":1,' in said.splitlines()[0].replace(" ", "")
    assert re.search(r"^event: table\nid: \d+\ndata: \{.*\}\n\nevent: entry\nid: \d+\n", said, re.MULTILINE)
    assert said.count('{"event":"entry","id":') >= 4
    assert re.search(r'"results":\[\{"cursor":"[^"]+","match":"m_', said)


@pytest.mark.needs("node")
def test_the_example_for_browsers_can_be_read(tmp_path: Path) -> None:
    example = tmp_path / "watch.mjs"
    example.write_text(shown("js"), encoding="utf-8")
    node = shutil.which("node")
    assert node is not None
    subprocess.run([node, "--check", str(example)], check=True, timeout=60)
