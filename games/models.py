"""All models of the app, registered for Django."""

from games.accounts.models import LogInAttempt, Ticket
from games.ai.models import AnalysedPiece, Analysis
from games.api.models import IdempotencyKey
from games.clock.models import Heartbeat, Outage
from games.core.secrets import Secret
from games.identity.models import ApiToken, Player, PlayerKind, Scope
from games.matches.models.log import (
    MAIL_WAYS,
    Actor,
    Bet,
    DeliveryStatus,
    EventType,
    Move,
    NoticeKind,
    NoticeWay,
    Round,
    SeedChain,
    Snapshot,
)
from games.matches.models.match import (
    AfterTimeouts,
    Asks,
    Match,
    MatchStatus,
    OnTimeout,
    Seat,
    SeatState,
    Visibility,
    new_match_id,
)
from games.notifications.models import Delivery, Device, Notice, StoppedBecause, Webhook
from games.operators.models import OperatorAction, OperatorDeed
from games.records.models import ImportedRecord

__all__ = [
    "MAIL_WAYS",
    "Actor",
    "AfterTimeouts",
    "AnalysedPiece",
    "Analysis",
    "ApiToken",
    "Asks",
    "Bet",
    "Delivery",
    "DeliveryStatus",
    "Device",
    "EventType",
    "Heartbeat",
    "IdempotencyKey",
    "ImportedRecord",
    "LogInAttempt",
    "Match",
    "MatchStatus",
    "Move",
    "Notice",
    "NoticeKind",
    "NoticeWay",
    "OnTimeout",
    "OperatorAction",
    "OperatorDeed",
    "Outage",
    "Player",
    "PlayerKind",
    "Round",
    "Scope",
    "Seat",
    "SeatState",
    "Secret",
    "SeedChain",
    "Snapshot",
    "StoppedBecause",
    "Ticket",
    "Visibility",
    "Webhook",
    "new_match_id",
]
