"""docs/ as a static site: no requests to other hosts, no broken links."""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from tools.build_clients import ROOT

LINK = re.compile(r'(?:href|src)="([^"]+)"')


@pytest.fixture(scope="module")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [str(Path(sys.executable).with_name("mkdocs")), "build", "--strict", "--quiet"]
    command += ["--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_pages_load_nothing_from_other_hosts(built_site: Path) -> None:
    for page in built_site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|iframe)[^>]+src="([^"]+)"', text)
        loaded += re.findall(r'<link[^>]+rel="(?:stylesheet|shortcut icon)"[^>]+href="([^"]+)"', text)
        assert [address for address in loaded if "//" in address] == [], page


def test_links_between_pages_are_valid(built_site: Path) -> None:
    missing = [
        (str(page.relative_to(built_site)), link)
        for page in built_site.rglob("*.html")
        if page.name != "404.html"
        for link in LINK.findall(page.read_text(encoding="utf-8"))
        if not re.match(r"[a-z]+:|//|#", link)
        if ".html" in link and not (page.parent / unquote(link.partition("#")[0])).exists()
    ]
    assert missing == []


def test_site_has_every_page(built_site: Path) -> None:
    wanted = {
        page.relative_to(ROOT / "docs").with_suffix("")
        for page in (ROOT / "docs").rglob("*.md")
        if page.name != "README.md"
    }
    assert wanted <= {page.relative_to(built_site).with_suffix("") for page in built_site.rglob("*.html")}
