"""The table of controls in docs/security.md names tests that exist."""

import re
from typing import Final

import pytest

from tools.build_clients import ROOT

PAGE: Final = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
TABLE_ROWS: Final = [
    row
    for row in re.findall(r"^\| (.+) \|$", PAGE, re.MULTILINE)
    if not row.startswith(("control |", "--- |"))
]


@pytest.mark.parametrize("row", TABLE_ROWS)
def test_each_control_names_tests_that_exist(row: str) -> None:
    cells = row.split(" | ")
    assert len(cells) == 3, "a row has a control, its tests and a figure"
    names = re.findall(r"`(tests/[\w/.]+)::(\w+)`", cells[1])
    assert names, "the second cell names tests as `tests/...py::test_...`"
    for path, name in names:
        assert re.search(rf"^\s*(async )?def {name}\(", (ROOT / path).read_text(), re.MULTILINE), name
