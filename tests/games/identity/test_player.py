import pytest
from django.db import IntegrityError, connection, transaction

from games.identity.models import Player, PlayerKind

pytestmark = pytest.mark.usefixtures("database")


def test_somebody_who_registers_is_a_person() -> None:
    heather = Player.objects.create_user("heather", password="a secret of hers")
    heather.refresh_from_db()
    assert heather.kind == PlayerKind.HUMAN
    assert heather.check_password("a secret of hers")


@pytest.mark.parametrize("kind", PlayerKind)
def test_guests_and_programs_are_players_too(kind: PlayerKind) -> None:
    Player.objects.create_user("rowan", kind=kind)
    assert Player.objects.get(kind=kind).username == "rowan"


def test_a_guest_has_no_password_to_log_in_with() -> None:
    assert not Player.objects.create_user("guest-1", kind=PlayerKind.GUEST).has_usable_password()


def test_the_database_refuses_a_kind_that_does_not_exist() -> None:
    with pytest.raises(IntegrityError, match="player_kind_is_known"), transaction.atomic():
        Player.objects.create(username="nessie", kind="beast")


def test_two_players_cannot_have_one_name() -> None:
    Player.objects.create_user("heather")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create_user("heather")


def test_the_tables_are_those_of_the_migrations() -> None:
    assert Player._meta.db_table in connection.introspection.table_names()
