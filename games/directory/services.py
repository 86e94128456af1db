"""Follow players, and stop following them."""

from typing import Final

from django.db import transaction
from django.db.models import Q

from games.core.errors import Problem, invalid_field
from games.core.languages import message
from games.directory.models import Follow
from games.identity.models import Player
from games.identity.queries import public_player
from games.identity.services import lock_player

MAX_FOLLOWS: Final = 500


def follow(*, player: Player, username: str) -> Follow:
    """Follow a player, who is not told; doing it again changes nothing."""
    followed = public_player(username)
    if followed.pk == player.pk:
        raise invalid_field("", "invalid", message("You cannot follow yourself."))
    with transaction.atomic():
        player = lock_player(player)
        existing = Follow.objects.filter(follower=player, followed=followed).first()
        if existing is not None:
            existing.followed = followed
            return existing
        if Follow.objects.filter(follower=player).count() >= MAX_FOLLOWS:
            raise Problem(
                "limit_reached",
                message("You can follow at most {most} players.", most=MAX_FOLLOWS),
                largest=MAX_FOLLOWS,
            )
        return Follow.objects.create(follower=player, followed=followed)


def unfollow(*, player: Player, username: str) -> None:
    """Stop following a player; raise 404 if there is no such player."""
    Follow.objects.filter(follower=player, followed=public_player(username)).delete()


def delete_follows(*, player: Player) -> None:
    """Delete whom a player follows and who follows the player."""
    Follow.objects.filter(Q(follower=player) | Q(followed=player)).delete()
