"""Who may do what."""

import pytest

from games.core.errors import Problem
from games.identity.models import Player, PlayerKind
from games.operators.models import OperatorAction
from games.operators.services import Role, appoint, dismiss
from tests.support.factories import make_player

pytestmark = pytest.mark.usefixtures("database")

_OPERATING = ("games.operate_matches", "games.reveal_hands")


def _read(player: Player) -> Player:
    """The player as the next request finds them: what they may do is remembered with them."""
    return Player.objects.get(pk=player.pk)


def test_an_operator_may_step_in_and_a_moderator_may_not() -> None:
    operator, moderator = make_player(), make_player()
    appoint(player=operator, role=Role.OPERATOR, reason="runs the service")
    appoint(player=moderator, role=Role.MODERATOR, reason="knows everybody")
    assert _read(operator).has_perms((*_OPERATING, "games.moderate_players"))
    assert _read(moderator).has_perm("games.moderate_players")
    assert not any(_read(moderator).has_perm(each) for each in _OPERATING)


def test_a_second_role_takes_the_place_of_the_first() -> None:
    player = make_player()
    appoint(player=player, role=Role.OPERATOR, reason="for the summer")
    appoint(player=player, role=Role.MODERATOR, reason="the summer is over")
    assert not _read(player).has_perm("games.reveal_hands")
    assert [each.details["role"] for each in OperatorAction.objects.order_by("pk")] == [
        "operator",
        "moderator",
    ]


def test_whoever_is_dismissed_is_out_of_the_admin() -> None:
    player = make_player()
    appoint(player=player, role=Role.OPERATOR, reason="runs the service")
    dismiss(player=player, reason="moved away")
    assert not _read(player).is_staff
    assert not _read(player).has_perm("games.view_match")


@pytest.mark.parametrize("kind", (PlayerKind.GUEST, PlayerKind.BOT))
def test_guests_and_bots_have_no_role(kind: PlayerKind) -> None:
    with pytest.raises(Problem, match="people with an account"):
        appoint(player=make_player(kind=kind), role=Role.MODERATOR, reason="why not")
