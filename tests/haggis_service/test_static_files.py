import asyncio
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import AsyncClient, Client
from pytest_django import Settings

from haggis_service.settings.base import INSTALLED_APPS


@pytest.fixture
def static_file(tmp_path: Path, settings: Settings) -> str:
    (tmp_path / "source").mkdir()
    (tmp_path / "collected").mkdir()
    (tmp_path / "source" / "lib.js").write_text("export const one = 1;\n")
    (tmp_path / "source" / "page.js").write_text('import { one } from "./lib.js";\n')
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.WHITENOISE_AUTOREFRESH = False
    return "/static/page.js"


def test_file_is_served_from_the_source_folder(static_file: str) -> None:
    response = Client().get(static_file)
    assert response.status_code == 200
    assert response.content == b'import { one } from "./lib.js";\n'
    assert response["Content-Type"].startswith("text/javascript")
    not_modified = Client().get(static_file, headers={"If-Modified-Since": response["Last-Modified"]})
    assert not_modified.status_code == 304


def test_file_is_served_by_asgi(static_file: str) -> None:
    response = asyncio.run(AsyncClient().get(static_file))
    assert response.status_code == 200
    assert response.content.startswith(b"import")


def test_missing_static_file_returns_404(static_file: str) -> None:
    assert Client().get("/static/nothing.js").status_code == 404
    assert Client().get("/static/../manage.py").status_code == 404


def test_collected_files_have_hashed_names_also_in_imports(
    static_file: str, tmp_path: Path, settings: Settings
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
    response = Client().get(f"/static/{page.name}")
    assert response.status_code == 200
    assert "immutable" in response["Cache-Control"]


def test_all_static_files_of_the_service_can_be_collected(tmp_path: Path, settings: Settings) -> None:
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "haggis_service.static_files.HashedStaticFilesStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    assert list((tmp_path / "collected" / "web" / "replay").glob("replay.*.js"))


@pytest.fixture
def docs(tmp_path: Path, settings: Settings) -> Path:
    folder = tmp_path / "docs"
    (folder / "errors").mkdir(parents=True)
    (folder / "index.html").write_text("<p>Welcome</p>")
    (folder / "errors" / "index.html").write_text("<p>Errors</p>")
    (folder / "llms.txt").write_text("# Haggis\n")
    settings.HAGGIS_DOCS_ROOT = folder
    return folder


@pytest.mark.parametrize(
    ("path", "content"), (("/docs/", b"Welcome"), ("/docs/errors/", b"Errors"), ("/llms.txt", b"# Haggis"))
)
def test_documentation_is_served_under_the_policy_of_pages(docs: Path, path: str, content: bytes) -> None:
    response = Client().get(path)
    assert response.status_code == 200
    assert content in response.content
    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert "public" in response["Cache-Control"]


def test_pages_of_the_documentation_are_found_without_the_final_slash(docs: Path) -> None:
    redirect = Client().get("/docs/errors")
    assert (redirect.status_code, redirect["Location"]) == (302, "errors/")


@pytest.mark.parametrize("path", ("/docs/nothing/", "/docs/../pyproject.toml"))
def test_missing_pages_of_the_documentation_are_404(docs: Path, path: str) -> None:
    assert Client().get(path).status_code == 404


def test_examples_in_the_documentation_are_shown_as_text(docs: Path) -> None:
    (docs / "examples").mkdir()
    (docs / "examples" / "bot.py").write_text("import httpx\n")
    response = Client().get("/docs/examples/bot.py")
    assert response.content == b"import httpx\n"
    assert response["Content-Type"].startswith("text/plain")


def test_documentation_that_was_not_built_is_404(tmp_path: Path, settings: Settings) -> None:
    settings.HAGGIS_DOCS_ROOT = tmp_path / "none"
    assert Client().get("/docs/").status_code == 404
