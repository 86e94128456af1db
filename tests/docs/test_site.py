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


def test_pages_work_under_the_content_security_policy(built_site: Path) -> None:
    for page in built_site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert (
            re.findall(
                r"<script>|<style|\sstyle=|\son\w+=\"", re.sub(r"<code.*?</code>", "", text, flags=re.DOTALL)
            )
            == []
        ), page


def target_of(page: Path, link: str, built_site: Path) -> Path:
    path = unquote(link.partition("#")[0])
    # The service serves this file of the site at its root, too.
    path = path.replace("/llms.txt", "/docs/llms.txt")
    target = built_site / path.removeprefix("/docs/") if path.startswith("/docs/") else page.parent / path
    return target / "index.html" if path.endswith(("/", ".")) or not path else target


def test_links_between_pages_are_valid(built_site: Path) -> None:
    missing = [
        (str(page.relative_to(built_site)), link)
        for page in built_site.rglob("*.html")
        for link in LINK.findall(page.read_text(encoding="utf-8"))
        if not re.match(r"[a-z]+:|//|#", link)
        if not target_of(page, link, built_site).exists()
    ]
    assert missing == []


def test_site_has_every_page_and_lists_it_for_language_models(built_site: Path) -> None:
    pages = {page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")}
    built = {page.relative_to(built_site).parent for page in built_site.rglob("index.html")}
    assert {
        page.parent if page.name in ("README.md", "index.md") else page.with_suffix("") for page in pages
    } <= built
    listed = re.findall(r"\(/docs/(.*?\.md)\): (.+)", (built_site / "llms.txt").read_text(encoding="utf-8"))
    assert {Path(page) for page, _ in listed} >= {page for page in pages if "decisions" not in page.parts}
    for page, summary in listed:
        assert len(summary) > len("A word."), page
        assert (built_site / page).read_text(encoding="utf-8") == (ROOT / "docs" / page).read_text(
            encoding="utf-8"
        )
