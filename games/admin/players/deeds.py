"""What may be done about a player, by whom, and what has to be said for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from games.models import Player
from games.services.operators.players import ban_player, note_player, unban_player


def _is_in(player: Player) -> bool:
    return player.is_active and not player.is_staff and player.deleted_at is None


def _is_banned(player: Player) -> bool:
    return not player.is_active and player.deleted_at is None


def _is_there(player: Player) -> bool:
    return player.deleted_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDeed:
    """One thing that may be done. `does` says to the operator what will happen."""

    key: str
    label: str
    does: str
    fits: Callable[[Player], bool]
    act: Callable[..., object]
    final: bool = False

    def is_for(self, player: Player, operator: Player) -> bool:
        """Whether this operator may do it to this player now."""
        return self.fits(player) and operator.has_perm("games.moderate_players")


DEEDS: Final = {
    each.key: each
    for each in (
        PlayerDeed(
            key="note",
            label="Write a note",
            does="Only operators and moderators read it.",
            fits=_is_there,
            act=note_player,
        ),
        PlayerDeed(
            key="ban",
            label="Ban",
            does="The player and their bots are logged out, resign what they play, and cannot come in again.",
            fits=_is_in,
            act=ban_player,
            final=True,
        ),
        PlayerDeed(
            key="unban",
            label="Lift the ban",
            does="The player and their bots may come in again. What they resigned stays resigned.",
            fits=_is_banned,
            act=unban_player,
        ),
    )
}
