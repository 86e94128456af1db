"""What is stored. One module for each thing, all of them found here."""

from games.models.player import Player, PlayerKind

__all__ = ["Player", "PlayerKind"]
