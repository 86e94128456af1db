"""Compare the published surface with `snapshot/`."""

from tests.surface import contract, databases
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


def test_differences_name_each_change() -> None:
    recorded = {"indexes": {"move_by_time": "btree"}, "codes": ["stale_version"]}
    current = {"indexes": {"move_by_date": "btree"}, "codes": ["stale_version", "not_found"]}
    assert list(differences(recorded, current)) == [
        '+ codes[] = "not_found"',
        '+ indexes > move_by_date = "btree"',
        '- indexes > move_by_time = "btree"',
    ]
