"""What is stored. One module for each thing, all of them found here."""

from games.models.bet import Bet
from games.models.log import Actor, EventType, Move
from games.models.match import AfterTimeouts, Match, MatchStatus, OnTimeout, Visibility
from games.models.match_id import new_match_id
from games.models.player import Player, PlayerKind
from games.models.round import Round
from games.models.seat import Seat, SeatState
from games.models.secrets import Secret
from games.models.snapshot import SeedChain, Snapshot

__all__ = [
    "Actor",
    "AfterTimeouts",
    "Bet",
    "EventType",
    "Match",
    "MatchStatus",
    "Move",
    "OnTimeout",
    "Player",
    "PlayerKind",
    "Round",
    "Seat",
    "SeatState",
    "Secret",
    "SeedChain",
    "Snapshot",
    "Visibility",
    "new_match_id",
]
