import pytest
from django.db import IntegrityError, connection, transaction

from games.identity.models import Player, PlayerKind

pytestmark = pytest.mark.usefixtures("database")


def test_a_registered_player_is_human() -> None:
    heather = Player.objects.create_user("heather", password="heather-secret")
    heather.refresh_from_db()
    assert heather.kind == PlayerKind.HUMAN
    assert heather.check_password("heather-secret")


@pytest.mark.parametrize("kind", PlayerKind)
def test_every_kind_of_player_can_be_created(kind: PlayerKind) -> None:
    Player.objects.create_user("rowan", kind=kind)
    assert Player.objects.get(kind=kind).username == "rowan"


def test_a_guest_has_no_usable_password() -> None:
    assert not Player.objects.create_user("guest-1", kind=PlayerKind.GUEST).has_usable_password()


def test_the_database_rejects_an_unknown_kind() -> None:
    with pytest.raises(IntegrityError, match="player_kind_is_known"), transaction.atomic():
        Player.objects.create(username="nessie", kind="beast")


def test_usernames_are_unique() -> None:
    Player.objects.create_user("heather")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create_user("heather")


def test_migrations_create_the_player_table() -> None:
    assert Player._meta.db_table in connection.introspection.table_names()
