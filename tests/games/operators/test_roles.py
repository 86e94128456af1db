"""Roles and permissions."""

import pytest

from games.core.errors import Problem
from games.identity.models import Player, PlayerKind
from games.operators.models import OperatorAction
from games.operators.services import Role, appoint, dismiss
from tests.support.factories import make_player

pytestmark = pytest.mark.usefixtures("database")

_OPERATOR_PERMISSIONS = ("games.operate_matches", "games.reveal_hands")


def _reload(player: Player) -> Player:
    """Read the player again, because Django caches permissions on the object."""
    return Player.objects.get(pk=player.pk)


def test_operators_have_match_permissions_and_moderators_do_not() -> None:
    operator, moderator = make_player(), make_player()
    appoint(player=operator, role=Role.OPERATOR, reason="runs the service")
    appoint(player=moderator, role=Role.MODERATOR, reason="knows everybody")
    assert _reload(operator).has_perms((*_OPERATOR_PERMISSIONS, "games.moderate_players"))
    assert _reload(moderator).has_perm("games.moderate_players")
    assert not any(_reload(moderator).has_perm(each) for each in _OPERATOR_PERMISSIONS)


def test_second_role_replaces_the_first() -> None:
    player = make_player()
    appoint(player=player, role=Role.OPERATOR, reason="for the summer")
    appoint(player=player, role=Role.MODERATOR, reason="the summer is over")
    assert not _reload(player).has_perm("games.reveal_hands")
    assert [each.details["role"] for each in OperatorAction.objects.order_by("pk")] == [
        "operator",
        "moderator",
    ]


def test_dismissed_player_loses_access_to_the_admin() -> None:
    player = make_player()
    appoint(player=player, role=Role.OPERATOR, reason="runs the service")
    dismiss(player=player, reason="moved away")
    assert not _reload(player).is_staff
    assert not _reload(player).has_perm("games.view_match")


@pytest.mark.parametrize("kind", (PlayerKind.GUEST, PlayerKind.BOT))
def test_guests_and_bots_cannot_have_a_role(kind: PlayerKind) -> None:
    with pytest.raises(Problem, match="registered, active account"):
        appoint(player=make_player(kind=kind), role=Role.MODERATOR, reason="why not")
