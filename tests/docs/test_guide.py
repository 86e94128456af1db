"""Each sample of the client guide runs against a real server, page by page."""

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
    assert {language for language, _ in samples} == {"python"}
    program = "\n".join([f"site = {site!r}", *(code for _, code in samples)])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(python_client)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
