"""One thing at a time for one player, where something is counted before it is added to."""

from games.models import Player


def hold(player: Player) -> None:
    """Let no other transaction that asks for the same go on before this one ends."""
    Player.objects.select_for_update(no_key=True).only("pk").get(pk=player.pk)
