"""Follow and block players."""

from typing import Final

from django.db import transaction
from django.db.models import Q

from games.core.errors import Problem, invalid_field
from games.core.languages import message
from games.directory.models import Follow
from games.identity.models import Block, Player
from games.identity.queries import public_player
from games.identity.services import lock_player, lock_players, require_active

MAX_FOLLOWS: Final = 500
MAX_BLOCKS: Final = 200


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


def block(*, player: Player, username: str) -> Block:
    """Block a player, who is not told; doing it again changes nothing.

    Both accounts are locked, so that neither takes a seat beside the other meanwhile.
    """
    blocked = public_player(username)
    if player.pk in {blocked.pk, blocked.owner_id} or blocked.pk == player.owner_id:
        raise invalid_field("", "invalid", message("You cannot block yourself or your own bots."))
    with transaction.atomic():
        player = require_active(lock_players([player.pk, blocked.pk]), player)
        existing = Block.objects.filter(blocker=player, blocked=blocked).first()
        if existing is not None:
            existing.blocked = blocked
            return existing
        if Block.objects.filter(blocker=player).count() >= MAX_BLOCKS:
            raise Problem(
                "limit_reached",
                message("You can block at most {most} players.", most=MAX_BLOCKS),
                largest=MAX_BLOCKS,
            )
        Follow.objects.filter(follower=player, followed=blocked).delete()
        return Block.objects.create(blocker=player, blocked=blocked)


def unblock(*, player: Player, username: str) -> None:
    """Stop blocking a player; raise 404 if there is no such player."""
    Block.objects.filter(blocker=player, blocked=public_player(username)).delete()


def delete_blocks(*, player: Player) -> None:
    """Delete whom a player blocks and who blocks the player."""
    Block.objects.filter(Q(blocker=player) | Q(blocked=player)).delete()
