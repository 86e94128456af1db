"""What is stored. One module for each thing, all of them found here."""

from games.models.analysis import AnalysedPiece, Analysis
from games.models.bet import Bet
from games.models.delivery import Delivery, DeliveryStatus
from games.models.device import Device
from games.models.heartbeat import Heartbeat, Outage
from games.models.idempotency_key import IdempotencyKey
from games.models.imported_record import ImportedRecord
from games.models.log import Actor, EventType, Move
from games.models.log_in_attempt import LogInAttempt
from games.models.match import AfterTimeouts, Match, MatchStatus, OnTimeout, Visibility
from games.models.match_id import new_match_id
from games.models.notice import MAIL_WAYS, Notice, NoticeKind, NoticeWay
from games.models.operator_action import OperatorAction, OperatorDeed
from games.models.player import Player, PlayerKind
from games.models.round import Round
from games.models.seat import Asks, Seat, SeatState
from games.models.secrets import Secret
from games.models.snapshot import SeedChain, Snapshot
from games.models.ticket import Ticket
from games.models.token import ApiToken, Scope
from games.models.webhook import StoppedBecause, Webhook

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
