"""The JSON documents of matches, seats and tables that clients receive."""

from typing import NotRequired, TypedDict

from games.gateway.documents import LogEntry, OwnOptions, ResultDocument, RoundJson


class ClockDocument(TypedDict):
    """The time control of a match."""

    turn_seconds: int | None
    time_bank_seconds: int
    on_timeout: str
    timeouts_allowed: int
    after_timeouts: str
    vacations: bool
    pauses: bool


class AgreementDocument(TypedDict):
    """The settings that are fixed at the creation of a match."""

    id: str
    maker: str
    ruleset: str
    ruleset_version: str
    options: dict[str, str]
    players: int
    target_score: int | None
    rounds: int | None
    visibility: str
    rated: bool
    hints: bool
    hold: bool
    clock: ClockDocument


class SeatPlayerDocument(TypedDict):
    """The player in a seat."""

    username: str | None
    kind: str | None


class SeatDocument(TypedDict):
    """The public part of a seat."""

    seat: int
    state: str
    player: SeatPlayerDocument | None
    level: str | None
    imported_name: str | None
    client_seed: str
    score: int
    time_bank_left: int
    timeouts: int
    vacation: str | None


class PauseDocument(TypedDict):
    """A pause, or the requests to pause or resume."""

    paused: bool
    asked_by: list[int]
    until: str | None


class RunningRoundDocument(RoundJson):
    """The current round with its clock."""

    deadline: str | None
    seconds_left: int | None


class OwnSeatDocument(OwnOptions):
    """The seat and the options of the viewer."""

    seat: int
    standing_order: bool


class SeatRatingDocument(TypedDict):
    """The rating of a seat's player before and after a match."""

    seat: int
    before: int
    after: int


class RatingResult(TypedDict):
    """The changes of the ratings by a match, or why there are none."""

    ratings: list[SeatRatingDocument] | None
    rating_skipped: str | None


class TableResultDocument(ResultDocument):
    """The result of a match; only that of a rated match has `ratings`."""

    ratings: NotRequired[list[SeatRatingDocument] | None]
    rating_skipped: NotRequired[str | None]


class TableDocument(AgreementDocument):
    """A match as its viewer may see it."""

    status: str
    version: int
    now: str | None
    created_at: str | None
    started_at: str | None
    finished_at: str | None
    imported_at: str | None
    anchor: str | None
    seats: list[SeatDocument]
    pause: PauseDocument | None
    round: RunningRoundDocument | None
    result: TableResultDocument | None
    next_match: str | None
    you: OwnSeatDocument | None


class MoveResultDocument(TypedDict):
    """The log entry of an action, and the table after it."""

    move: LogEntry
    match: TableDocument
