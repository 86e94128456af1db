"""Compare the published surface with `snapshot/`."""

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.surface import contract, databases, observed, programs, source
from tests.surface.snapshot import check, differences


def test_http_contract_is_unchanged() -> None:
    newer, older = contract.document("/api/v1/schema"), contract.document("/api/v1/schema/3.0")
    check("openapi-3.1", newer)
    check("openapi-3.0", list(differences(newer, older)))


def test_url_patterns_are_unchanged() -> None:
    check("routes", contract.routes())


def test_database_objects_are_unchanged(database: str) -> None:
    check(f"database-{database}", databases.objects())


def test_stored_values_are_unchanged() -> None:
    models, migrations = databases.models(), databases.migrations()
    enumerations = databases.enumerations("games", "engine")
    check("models", {"models": models, "migrations": migrations, "enumerations": enumerations})


def test_literals_in_the_source_are_unchanged() -> None:
    surface = {
        "literals": source.literals(),
        "salts": source.salts(),
        "loggers": source.first_arguments("getLogger"),
        "log fields": source.log_fields(),
        "browser": source.browser(),
    }
    check("literals", surface)


def test_environment_variables_and_programs_are_unchanged() -> None:
    surface = {
        "environment": source.variables(),
        "deployment": source.deployment(),
        "programs": source.programs(),
        "management commands": programs.commands(),
    }
    check("operation", surface)


@pytest.mark.parametrize("settings_name", ("production", "development"))
def test_settings_tasks_and_logs_are_unchanged(settings_name: str, tmp_path: Path) -> None:
    surface = programs.probe(f"haggis_service.settings.{settings_name}", tmp_path)
    check(f"settings-{settings_name}", surface)


def test_responses_and_stored_formats_are_unchanged(db: None, settings: Settings) -> None:
    surface = {
        "responses": observed.responses(settings),
        "metrics": observed.metrics(settings),
        "health checks": observed.health_checks(),
    }
    check("observed", surface)


def test_differences_name_each_change() -> None:
    recorded = {"indexes": {"move_by_time": "btree"}, "codes": ["stale_version"]}
    current = {"indexes": {"move_by_date": "btree"}, "codes": ["stale_version", "not_found"]}
    assert list(differences(recorded, current)) == [
        '+ codes[] = "not_found"',
        '+ indexes > move_by_date = "btree"',
        '- indexes > move_by_time = "btree"',
    ]
