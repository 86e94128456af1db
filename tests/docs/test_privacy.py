"""docs/privacy.md names every table and every column of an account."""

import re
from typing import Final

import pytest
from django.apps import apps

from games.identity.models import Player
from tools.build_clients import ROOT

PAGE: Final = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
IN_TABLES: Final = {
    name
    for row in re.findall(r"^\|([^|]+)\|", PAGE, re.MULTILINE)
    for name in re.findall(r"`([a-z_]+)`", row)
}
TABLES: Final = sorted(
    {model._meta.db_table for model in apps.get_models(include_auto_created=True)} | {"django_migrations"}
)


@pytest.mark.parametrize("table", TABLES)
def test_each_table_has_a_purpose_and_a_retention(table: str) -> None:
    assert table in IN_TABLES or table == Player._meta.db_table


@pytest.mark.parametrize("column", [field.name for field in Player._meta.concrete_fields])
def test_each_column_of_an_account_has_a_purpose_and_a_retention(column: str) -> None:
    assert column in IN_TABLES


def test_page_names_no_table_that_does_not_exist() -> None:
    named = {name for name in IN_TABLES if name.startswith(("games_", "django_", "auth_"))}
    assert named - set(TABLES) == set()
