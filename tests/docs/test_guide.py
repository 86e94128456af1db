"""Each sample of the client guide runs against a real server, page by page."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.build_clients import ROOT

PAGES = sorted((ROOT / "docs" / "guide").glob("*.md"))
SAMPLE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.timeout(300)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_samples_of_a_page_run_in_order(page: Path, site: str, python_client: Path) -> None:
    samples = SAMPLE.findall(page.read_text(encoding="utf-8"))
    assert samples
    assert "python" in {language for language, _ in samples} <= {"python", "js", "json"}
    python = (code for language, code in samples if language == "python")
    program = "\n".join([f"site = {site!r}", *python])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(python_client)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_javascript_of_the_sign_in_is_that_of_the_example() -> None:
    example = (ROOT / "examples" / "oauth_app" / "oauth.js").read_text(encoding="utf-8")
    samples = SAMPLE.findall((ROOT / "docs" / "guide" / "oauth.md").read_text(encoding="utf-8"))
    parts = [part for language, code in samples if language == "js" for part in code.strip().split("\n\n")]
    assert parts
    assert [part for part in parts if part not in example] == []


def test_json_samples_are_valid() -> None:
    for page in PAGES:
        for language, code in SAMPLE.findall(page.read_text(encoding="utf-8")):
            if language == "json":
                json.loads(code)
