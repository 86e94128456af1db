"""What is stored. One module for each thing, all of them found here."""

from games.models.bet import Bet
from games.models.idempotency_key import IdempotencyKey
from games.models.log import Actor, EventType, Move
from games.models.log_in_attempt import LogInAttempt
from games.models.match import AfterTimeouts, Match, MatchStatus, OnTimeout, Visibility
from games.models.match_id import new_match_id
from games.models.player import Player, PlayerKind
from games.models.round import Round
from games.models.seat import Seat, SeatState
from games.models.secrets import Secret
from games.models.snapshot import SeedChain, Snapshot
from games.models.token import ApiToken, Scope

__all__ = [
    "Actor",
    "AfterTimeouts",
    "ApiToken",
    "Bet",
    "EventType",
    "IdempotencyKey",
    "LogInAttempt",
    "Match",
    "MatchStatus",
    "Move",
    "OnTimeout",
    "Player",
    "PlayerKind",
    "Round",
    "Scope",
    "Seat",
    "SeatState",
    "Secret",
    "SeedChain",
    "Snapshot",
    "Visibility",
    "new_match_id",
]
