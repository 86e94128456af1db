"""Fixtures for all tests: required servers, both databases and validation against the contract."""

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

from tests.support.requirements import parse_requirements, reason_unavailable, skip_report
from tests.support.roles import become_service_role, create_service_role, drop_service_role

# Durations of examples mean nothing on a shared machine; tests have timeouts of their own.
settings.register_profile("haggis", deadline=None, print_blob=True)
settings.load_profile("haggis")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and validate HAGGIS_REQUIRE."""
    config.addinivalue_line(
        "markers",
        "needs(*services): run only if these are available (tests/support/requirements.py)",
    )
    try:
        parse_requirements(os.environ.get("HAGGIS_REQUIRE", ""))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose server is not available, or fail it if the server is required."""
    for service in [name for mark in item.iter_markers("needs") for name in mark.args]:
        reason = reason_unavailable(service)
        if reason is None:
            continue
        if service in parse_requirements(os.environ.get("HAGGIS_REQUIRE", "")):
            pytest.fail(f"{service} is required and not available: {reason}", pytrace=False)
        item.user_properties.append(("missed", service))
        pytest.skip(f"needs {service}: {reason}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the tests that were skipped because a server is not available."""
    skips = [
        (str(service), report.nodeid.partition("::")[0])
        for report in terminalreporter.getreports("skipped")
        for name, service in report.user_properties
        if name == "missed"
    ]
    if skips:
        terminalreporter.section("skipped: server not available", sep="-")
        for line in skip_report(skips):
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def postgresql_tables(
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """Create the PostgreSQL test database, once per run and only if a test needs it."""
    with django_db_blocker.unblock():
        databases = setup_databases(verbosity=0, interactive=False, aliases=dict.fromkeys(["postgresql"]))
        role = create_service_role(connections["postgresql"])
    yield
    with django_db_blocker.unblock():
        teardown_databases(databases, verbosity=0)
        drop_service_role(connections["postgresql"], role)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))])
def chosen_database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test with SQLite and with PostgreSQL as the default database."""
    if request.node.get_closest_marker("django_db"):
        pytest.fail("use `database` or `committing_database` instead of marking the test `django_db`")
    if request.param == "postgresql":
        request.getfixturevalue("postgresql_tables")
        with use_as_default_database("postgresql"):
            yield request.param
    else:
        yield request.param


@contextmanager
def use_as_default_database(alias: str) -> Iterator[None]:
    """Use another database as the default one, in this thread and in threads that start during the block."""
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
    """Run a test on each database, in a transaction that is rolled back.

    On PostgreSQL the test has the privileges of the service, as in production: see `tests.support.roles`.
    """
    if chosen_database == "postgresql":
        become_service_role(connections["default"])
    return chosen_database


@pytest.fixture
def committing_database(chosen_database: str, transactional_db: None) -> str:
    """Run a test on each database with real transactions; the tables are emptied afterwards."""
    return chosen_database


@pytest.fixture(scope="session", autouse=True)
def deal_prepared_cards(django_test_environment: None) -> Iterator[None]:
    """Deal the cards that tests have prepared for their matches."""
    from tests.support.prepared_deals import use_prepared_deals  # noqa: PLC0415 -- needs configured settings

    with use_prepared_deals():
        yield


@pytest.fixture(scope="session", autouse=True)
def validate_responses_against_contract(django_test_environment: None) -> Iterator[None]:
    """Validate every response of a test client, synchronous or not, against the published contract."""
    from tests.support import contract  # noqa: PLC0415 -- needs configured settings

    def request(client: Client, **options: Any) -> Any:
        response = original_request(client, **options)
        errors = contract.contract_errors(options["REQUEST_METHOD"], options["PATH_INFO"], response)
        assert not errors, "\n".join(errors)
        return response

    async def async_request(client: AsyncClient, **options: Any) -> Any:
        response = await original_async_request(client, **options)
        errors = contract.contract_errors(options["method"], options["path"], response)
        assert not errors, "\n".join(errors)
        return response

    original_request, original_async_request = Client.request, AsyncClient.request
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "request", request)
        patch.setattr(AsyncClient, "request", async_request)
        yield
