"""Who does not want to play with whom."""

from collections.abc import Collection

from django.db.models import Q

from games.identity.models import Block, Player


def is_blocked(player: Player, others: Collection[int]) -> bool:
    """Return whether the player blocks one of the others, or is blocked by one of them.

    A block of a person holds for the person's bots too, in both directions.
    """
    ours = [player.pk, player.owner_id]
    theirs = Player.objects.filter(Q(pk__in=others) | Q(bots__in=others)).values("pk")
    blocks = Q(blocker__in=ours, blocked__in=theirs) | Q(blocker__in=theirs, blocked__in=ours)
    return Block.objects.filter(blocks).exists()
