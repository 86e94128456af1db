"""The audit log of an earlier release keeps its entries when its column is renamed, and stays append-only."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from tests.support.factories import make_player

PREVIOUS = ("games", "0017_indexes_served_by_others")
RENAMED = ("games", "0018_operator_action_column")

Migrate = Callable[[tuple[str, str]], Any]


@pytest.fixture
def migrate(committing_database: str) -> Iterator[Migrate]:
    """Provide a function that migrates to a state and returns the model of the audit log in that state."""

    def migrate_to(target: tuple[str, str]) -> Any:
        call_command("migrate", *target, verbosity=0)
        executor = MigrationExecutor(connection)
        return executor.loader.project_state([target]).apps.get_model("games", "OperatorAction")

    yield migrate_to
    call_command("migrate", verbosity=0)


def change_is_rejected(model: Any) -> bool:
    try:
        with transaction.atomic():
            model.objects.update(reason="another")
    except DatabaseError:
        return True
    return False


def test_entries_survive_the_renaming_of_their_column_in_both_directions(migrate: Migrate) -> None:
    player = make_player().pk
    previous = migrate(PREVIOUS)
    entry = previous.objects.create(deed="ban", player_id=player, reason="cheating", details={"bots": 2})
    stored = (entry.pk, "ban", player, "cheating", {"bots": 2})
    columns = ("player_id", "reason", "details")

    renamed = migrate(RENAMED)
    assert list(renamed.objects.values_list("pk", "action", *columns)) == [stored]
    assert change_is_rejected(renamed)
    with pytest.raises(DatabaseError), transaction.atomic():
        renamed.objects.create(action="unknown", player_id=player, reason="no such action")

    previous = migrate(PREVIOUS)
    assert list(previous.objects.values_list("pk", "deed", *columns)) == [stored]
    assert change_is_rejected(previous)
