"""People who help to run the service, and browsers in which they are logged in."""

from django.test import Client

from games.models import Player
from games.services.operators.roles import Role, appoint
from tests.games.factories import make_player

PASSWORD = "tartan-blanket-77"


def helper(role: Role) -> Player:
    """Somebody in this role."""
    player = make_player(password=PASSWORD)
    appoint(player=player, role=role, reason="helps")
    return Player.objects.get(pk=player.pk)


def logged_in(player: Player) -> Client:
    """A browser of theirs."""
    client = Client()
    client.force_login(player)
    return client
