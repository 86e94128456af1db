"""The page about errors has a section for every code, and names only operations that exist."""

import json
import re

import pytest

from games.core.errors import CODES, FIELD_CODES
from tools.build_clients import CONTRACT, ROOT

PAGE = ROOT / "docs" / "errors.md"
SECTION = re.compile(
    r"^### (\w+) \{ #(\w+) \}\n\n\*\*(\d+) (.*?)\.\*\* .*?\n\n\*What to do:\* .*?\n\n",
    re.MULTILINE | re.DOTALL,
)
OPERATION = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (/[^\s`?]*)[^`]*`")
PARAMETER = re.compile(r"\{[^}]*\}")
# Pages whose operations are written with a placeholder for part of the path, or are not of the API.
PAGES = [
    "errors.md",
    "faq.md",
    "limits.md",
    *(f"guide/{page.name}" for page in (ROOT / "docs/guide").glob("*.md")),
]


def test_every_code_has_a_section_with_its_status_and_title() -> None:
    sections = {
        code: (int(status), " ".join(title.split()))
        for code, anchor, status, title in SECTION.findall(PAGE.read_text(encoding="utf-8"))
        if code == anchor
    }
    assert sections == dict(CODES)


def test_every_field_code_is_listed() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == FIELD_CODES


@pytest.mark.parametrize("page", PAGES)
def test_operations_named_on_a_page_exist(page: str) -> None:
    paths = json.loads(CONTRACT.read_text(encoding="utf-8"))["paths"]
    existing = {
        f"{method.upper()} {PARAMETER.sub('{}', path.removeprefix('/api/v1'))}"
        for path, methods in paths.items()
        for method in methods
    }
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    named = {
        f"{method} {PARAMETER.sub('{}', path.removeprefix('/api/v1'))}"
        for method, path in OPERATION.findall(text)
    }
    assert named - existing == set()
