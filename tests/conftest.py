"""What every test may count on: the servers that it says it needs, and both databases if it asks."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import connections
from django.test import AsyncClient, Client
from django.test.utils import setup_databases, teardown_databases
from hypothesis import settings
from pytest_django import DjangoDbBlocker

from tests.needs import parse_requirements, reason_unavailable, skip_report

# How long an example takes says nothing on a shared machine: a test that hangs is stopped by its own timeout.
settings.register_profile("haggis", deadline=None, print_blob=True)
settings.load_profile("haggis")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to start with a requirement that nobody could meet."""
    config.addinivalue_line(
        "markers", "needs(service): runs only where this server or program is (tests/needs.py)"
    )
    try:
        parse_requirements(os.environ.get("HAGGIS_REQUIRE", ""))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out a test whose server is not there, or fail it where the server was promised."""
    for service in [mark.args[0] for mark in item.iter_markers("needs")]:
        reason = reason_unavailable(service)
        if reason is None:
            continue
        if service in parse_requirements(os.environ.get("HAGGIS_REQUIRE", "")):
            pytest.fail(f"{service} is required and not there: {reason}", pytrace=False)
        item.user_properties.append(("missed", service))
        pytest.skip(f"needs {service}: {reason}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end what was skipped for want of a server."""
    skips = [
        (str(service), report.nodeid.partition("::")[0])
        for report in terminalreporter.getreports("skipped")
        for name, service in report.user_properties
        if name == "missed"
    ]
    if skips:
        terminalreporter.section("skipped for want of a server", sep="-")
        for line in skip_report(skips):
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def postgresql_tables(
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """Make the test database on PostgreSQL, once a run and only where a test wants it."""
    with django_db_blocker.unblock():
        databases = setup_databases(verbosity=0, interactive=False, aliases=dict.fromkeys(["postgresql"]))
    yield
    with django_db_blocker.unblock():
        teardown_databases(databases, verbosity=0)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))])
def chosen_database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Let what a test knows as the default database be SQLite at one time and PostgreSQL at another."""
    if request.node.get_closest_marker("django_db"):
        pytest.fail("ask for `database` or `committing_database` instead of marking the test `django_db`")
    if request.param == "postgresql":
        request.getfixturevalue("postgresql_tables")
        with use_as_default_database("postgresql"):
            yield request.param
    else:
        yield request.param


@contextmanager
def use_as_default_database(alias: str) -> Iterator[None]:
    """Put another database in the place of the default one, for this thread and for those that start now."""
    original, original_settings = connections["default"], connections.settings["default"]
    connections.settings["default"] = connections.settings[alias]
    del connections["default"]
    ContentType.objects.clear_cache()
    yield
    connections["default"].close()
    connections["default"], connections.settings["default"] = original, original_settings
    ContentType.objects.clear_cache()


@pytest.fixture
def database(chosen_database: str, db: None) -> str:
    """Run a test on each database, within a transaction that is rolled back at its end."""
    return chosen_database


@pytest.fixture
def committing_database(chosen_database: str, transactional_db: None) -> str:
    """Run a test on each database, with transactions of its own; the tables are emptied at its end."""
    return chosen_database


@pytest.fixture(scope="session", autouse=True)
def validate_responses_against_contract(django_test_environment: None) -> Iterator[None]:
    """Hold every answer that a test client gets, the one that waits too, against the published contract."""
    from tests.games.api import contract  # noqa: PLC0415 -- the settings are there only now

    def request(client: Client, **options: Any) -> Any:
        response = original_request(client, **options)
        faults = contract.faults(options["REQUEST_METHOD"], options["PATH_INFO"], response)
        assert not faults, "\n".join(faults)
        return response

    async def async_request(client: AsyncClient, **options: Any) -> Any:
        response = await original_async_request(client, **options)
        faults = contract.faults(options["method"], options["path"], response)
        assert not faults, "\n".join(faults)
        return response

    original_request, original_async_request = Client.request, AsyncClient.request
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "request", request)
        patch.setattr(AsyncClient, "request", async_request)
        yield
