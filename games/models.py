"""All models of the app, registered for Django."""

from games.accounts.models import (
    KnownDevice,
    LogInAttempt,
    RecoveryCode,
    SecondFactor,
    SecurityEvent,
    SecurityEventKind,
    SentMail,
    Ticket,
)
from games.ai.models import AnalysedPiece, Analysis
from games.api.models import IdempotencyKey
from games.clock.models import Heartbeat, Outage
from games.core.secrets import Secret
from games.identity.models import ApiToken, Player, PlayerKind, Scope
from games.matches.models.log import (
    MAIL_CHANNELS,
    Actor,
    Bet,
    DeliveryStatus,
    EventType,
    Move,
    NoticeChannel,
    NoticeKind,
    Round,
    SeedChain,
    Snapshot,
)
from games.matches.models.match import (
    AfterTimeouts,
    Match,
    MatchStatus,
    OnTimeout,
    PauseRequest,
    Seat,
    SeatState,
    Visibility,
    new_match_id,
)
from games.notifications.models import Delivery, Device, Notice, StopReason, Webhook
from games.operators.models import OperatorAction, OperatorActionType
from games.records.models import ImportedRecord, RecordVerification

__all__ = [
    "MAIL_CHANNELS",
    "Actor",
    "AfterTimeouts",
    "AnalysedPiece",
    "Analysis",
    "ApiToken",
    "Bet",
    "Delivery",
    "DeliveryStatus",
    "Device",
    "EventType",
    "Heartbeat",
    "IdempotencyKey",
    "ImportedRecord",
    "KnownDevice",
    "LogInAttempt",
    "Match",
    "MatchStatus",
    "Move",
    "Notice",
    "NoticeChannel",
    "NoticeKind",
    "OnTimeout",
    "OperatorAction",
    "OperatorActionType",
    "Outage",
    "PauseRequest",
    "Player",
    "PlayerKind",
    "RecordVerification",
    "RecoveryCode",
    "Round",
    "Scope",
    "Seat",
    "SeatState",
    "SecondFactor",
    "Secret",
    "SecurityEvent",
    "SecurityEventKind",
    "SeedChain",
    "SentMail",
    "Snapshot",
    "StopReason",
    "Ticket",
    "Visibility",
    "Webhook",
    "new_match_id",
]
