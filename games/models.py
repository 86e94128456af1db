"""All models of the app, registered for Django."""

from games.accounts.models import (
    BlockedAddress,
    KnownDevice,
    LogInAttempt,
    RecoveryCode,
    SecondFactor,
    SecurityEvent,
    SecurityEventKind,
    SentMail,
    Ticket,
)
from games.ai.models import AnalysedPiece, Analysis, AttemptOutcome, TurnAttempt
from games.api.models import IdempotencyKey
from games.clock.models import Heartbeat, Outage
from games.core.secrets import Secret
from games.directory.models import Follow
from games.identity.app_models import Authorization, OAuthApp
from games.identity.models import (
    AccountNotice,
    AccountNoticeKind,
    ApiToken,
    Block,
    ChallengePolicy,
    Opponents,
    Player,
    PlayerKind,
    Scope,
)
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
from games.notices.models import NoticeType, PlayerNotice
from games.notifications.models import Delivery, Device, Notice, NoticeAttempt, StopReason, Webhook
from games.oauth.models import OAuthCode, OAuthRefreshToken
from games.operators.models import AnnulmentProposal, OperatorAction, OperatorActionType
from games.privacy.models import PersonalExport
from games.puzzles.models import Puzzle, PuzzleAnswer, PuzzleSource
from games.ratings.models import PlayerRating, RatedMatch, RatingChange, RatingPool, RatingSkip
from games.records.models import Dataset, DatasetFile, ImportedRecord, PublishedRecord, RecordVerification
from games.reports.models import Report, ReportOutcome, ReportReason
from games.statistics.models import CountedMatch, PlayerStatistics

__all__ = [
    "MAIL_CHANNELS",
    "AccountNotice",
    "AccountNoticeKind",
    "Actor",
    "AfterTimeouts",
    "AnalysedPiece",
    "Analysis",
    "AnnulmentProposal",
    "ApiToken",
    "AttemptOutcome",
    "Authorization",
    "Bet",
    "Block",
    "BlockedAddress",
    "ChallengePolicy",
    "CountedMatch",
    "Dataset",
    "DatasetFile",
    "Delivery",
    "DeliveryStatus",
    "Device",
    "EventType",
    "Follow",
    "Heartbeat",
    "IdempotencyKey",
    "ImportedRecord",
    "KnownDevice",
    "LogInAttempt",
    "Match",
    "MatchStatus",
    "Move",
    "Notice",
    "NoticeAttempt",
    "NoticeChannel",
    "NoticeKind",
    "NoticeType",
    "OAuthApp",
    "OAuthCode",
    "OAuthRefreshToken",
    "OnTimeout",
    "OperatorAction",
    "OperatorActionType",
    "Opponents",
    "Outage",
    "PauseRequest",
    "PersonalExport",
    "Player",
    "PlayerKind",
    "PlayerNotice",
    "PlayerRating",
    "PlayerStatistics",
    "PublishedRecord",
    "Puzzle",
    "PuzzleAnswer",
    "PuzzleSource",
    "RatedMatch",
    "RatingChange",
    "RatingPool",
    "RatingSkip",
    "RecordVerification",
    "RecoveryCode",
    "Report",
    "ReportOutcome",
    "ReportReason",
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
    "TurnAttempt",
    "Visibility",
    "Webhook",
    "new_match_id",
]
