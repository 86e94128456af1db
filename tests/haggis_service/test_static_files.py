import asyncio
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import AsyncClient, Client
from pytest_django import Settings

from haggis_service.settings.base import INSTALLED_APPS


@pytest.fixture
def a_file(tmp_path: Path, settings: Settings) -> str:
    (tmp_path / "source").mkdir()
    (tmp_path / "collected").mkdir()
    (tmp_path / "source" / "lib.js").write_text("export const one = 1;\n")
    (tmp_path / "source" / "page.js").write_text('import { one } from "./lib.js";\n')
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.WHITENOISE_AUTOREFRESH = False
    return "/static/page.js"


def test_a_file_is_answered_as_it_lies_in_the_code(a_file: str) -> None:
    answer = Client().get(a_file)
    assert answer.status_code == 200
    assert answer.content == b'import { one } from "./lib.js";\n'
    assert answer["Content-Type"].startswith("text/javascript")
    again = Client().get(a_file, headers={"If-Modified-Since": answer["Last-Modified"]})
    assert again.status_code == 304


def test_so_it_is_where_requests_wait_without_threads(a_file: str) -> None:
    answer = asyncio.run(AsyncClient().get(a_file))
    assert answer.status_code == 200
    assert answer.content.startswith(b"import")


def test_what_is_no_static_file_is_404_and_does_not_go_on(a_file: str) -> None:
    assert Client().get("/static/nothing.js").status_code == 404
    assert Client().get("/static/../manage.py").status_code == 404


def test_collected_files_carry_a_hash_also_where_scripts_import_each_other(
    a_file: str, tmp_path: Path, settings: Settings
) -> None:
    settings.INSTALLED_APPS = INSTALLED_APPS
    settings.STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "haggis_service.static_files.HashedStaticFilesStorage"},
    }
    settings.WHITENOISE_USE_FINDERS = False
    call_command("collectstatic", interactive=False, verbosity=0)
    [page] = [each for each in (tmp_path / "collected").glob("page.*.js") if each.name != "page.js"]
    assert '"./lib.js"' not in page.read_text()
    answer = Client().get(f"/static/{page.name}")
    assert answer.status_code == 200
    assert "immutable" in answer["Cache-Control"]
