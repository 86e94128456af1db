"""The examples of docs/events.md run as they are printed."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.haggis_service.test_serving import ROOT, serving

GUIDE: Final = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.timeout(240)


def code_blocks(language: str) -> str:
    """Return all code blocks of the guide in this language, in order."""
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE))


def test_shell_examples_print_what_the_guide_promises(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        completed = subprocess.run(
            ["/bin/bash", "-e", "-c", code_blocks("sh")],
            env={"H": f"http://127.0.0.1:{server.port}/api/v1", "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=200,
            check=True,
        )
    output = completed.stdout
    assert '"version":1,' in output.splitlines()[0].replace(" ", "")
    assert re.search(r"^event: table\nid: \d+\ndata: \{.*\}\n\nevent: entry\nid: \d+\n", output, re.MULTILINE)
    assert output.count('{"event":"entry","id":') >= 4
    assert re.search(r'"results":\[\{"cursor":"[^"]+","match":"m_', output)


@pytest.mark.needs("node")
def test_browser_example_is_valid_javascript(tmp_path: Path) -> None:
    example = tmp_path / "watch.mjs"
    example.write_text(code_blocks("js"), encoding="utf-8")
    node = shutil.which("node")
    assert node is not None
    subprocess.run([node, "--check", str(example)], check=True, timeout=60)
