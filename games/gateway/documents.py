"""The JSON documents about a match that are stored in its log, exported as its record or sent to clients."""

from typing import Literal, NotRequired, TypedDict

from engine.scoring.sheet import SeatScoreJson
from engine.views.serialization import (
    CombinationJson,
    GroupJson,
    PlayJson,
    ReadingJson,
    RoundJson,
)

__all__ = ["CombinationJson", "GroupJson", "PlayJson", "ReadingJson", "RoundJson", "SeatScoreJson"]

# A match as the engine dumps it. Only the engine knows its structure; it contains every hand.
SnapshotDocument = dict[str, object]


class DealDocument(TypedDict):
    """The hands and the undealt cards of a round, which are secret until it has ended."""

    hands: list[list[str]]
    haggis: list[str]


class ResultDocument(TypedDict):
    """The result of a match."""

    winners: list[int]
    scores: list[int]
    reason: str


class OutEvent(TypedDict):
    """A player has played the last card."""

    type: Literal["out"]
    seat: int


class TrickEndEvent(TypedDict):
    """A trick has been won, and captured by this seat."""

    type: Literal["trick_end"]
    winner: int
    captured_by: int | None


class RoundEndEvent(TypedDict):
    """A round has ended; it has no scores if it was abandoned."""

    type: Literal["round_end"]
    number: int
    out: list[int]
    scores: list[SeatScoreJson] | None
    totals: list[int]
    hands: list[list[str]]
    haggis: list[str]
    link: str | None


class DealEvent(TypedDict):
    """A round has been dealt."""

    type: Literal["deal"]
    number: int
    dealer: int | None
    leader: int


class MatchEndEvent(TypedDict):
    """The match has ended."""

    type: Literal["match_end"]
    result: ResultDocument


# An event that a log entry lists in `then`.
EntryEvent = OutEvent | TrickEndEvent | RoundEndEvent | DealEvent | MatchEndEvent


class EntryFields(TypedDict, total=False):
    """The fields of a log entry that only some types have; the first five describe an action."""

    cards: list[str] | None
    combination: CombinationJson | None
    wilds: dict[str, str] | None
    amount: int | None
    to: int | None
    level: str | None
    client_seed: str
    reason: str | None
    asked_by: list[int]
    until: str | None
    turn_left_ms: int | None


class NextTurn(TypedDict):
    """The seat to act after a log entry, the expected kind of action and the deadline."""

    to_act: int | None
    expects: str | None
    deadline: str | None


class LogEntry(TypedDict):
    """An entry of the log, as clients receive it."""

    version: int
    round: int | None
    seat: int | None
    type: str
    cards: list[str] | None
    combination: CombinationJson | None
    wilds: dict[str, str] | None
    amount: int | None
    to: int | None
    level: NotRequired[str | None]
    client_seed: NotRequired[str]
    reason: NotRequired[str | None]
    asked_by: NotRequired[list[int]]
    until: NotRequired[str | None]
    turn_left_ms: NotRequired[int | None]
    by: str
    at: str | None
    then: list[EntryEvent]
    next: NextTurn


class NamedCombination(TypedDict, total=False):
    """A combination that a player names, which may be incomplete."""

    kind: str | None
    top: int | None
    width: int | None
    length: int | None


ActionMembers = TypedDict(
    "ActionMembers",
    {
        "type": str,
        "cards": NotRequired[list[str]],
        "as": NotRequired[NamedCombination | CombinationJson | None],
        "amount": NotRequired[int],
        "to": NotRequired[int],
    },
)
ActionMembers.__doc__ = "An action in a request or a record; its type says which members it has."


class ActionBody(ActionMembers):
    """The body of a request to act."""

    version: int


class ReadingsDocument(TypedDict):
    """The readings of some cards, and whether any of them may be played."""

    playable: bool
    readings: list[ReadingJson]


class LegalPlay(TypedDict):
    """A legal play."""

    cards: list[str]
    combination: CombinationJson


class LegalMovesDocument(TypedDict):
    """The legal moves of the seat to act; `plays` is listed on request."""

    can_pass: bool
    must_award: bool
    awards: list[int]
    bets: list[int]
    count: int
    combinations: list[GroupJson]
    plays: NotRequired[list[LegalPlay]]


class OwnOptions(TypedDict):
    """What the viewing seat may do."""

    to_act: bool
    may_bet: bool
    bets: list[int]
    awards: list[int]


class RevealedHands(TypedDict):
    """All current hands and the haggis."""

    hands: list[list[str]]
    haggis: list[str]


class MoveDocument(TypedDict):
    """A play or pass that an analysis compares."""

    type: str
    cards: list[str] | None
    combination: CombinationJson | None


class HintDocument(MoveDocument):
    """A suggested action."""

    amount: int | None
    to: int | None


class DecisionDocument(TypedDict):
    """The analysis of a decision: what it cost and the best alternative."""

    version: int
    round: int
    seat: int
    by: str
    made: MoveDocument
    best: MoveDocument
    cost: float
    chance: float
    best_chance: float


class RecordedAction(ActionMembers):
    """An action in a record; who acted and when may be unknown."""

    seat: int
    by: NotRequired[str | None]
    at: NotRequired[str | None]


class RoundDocument(TypedDict):
    """A round of a match; its deal, link and scores are null until it has ended."""

    number: int
    dealer: int | None
    leader: int
    out: list[int]
    bets: list[int | None]
    scores: list[SeatScoreJson] | None
    totals: list[int] | None
    hands: list[list[str]] | None
    haggis: list[str] | None
    link: str | None
    first_version: int
    last_version: int | None
    ended_at: str | None


class RecordedRound(TypedDict):
    """A round in a record."""

    number: int
    dealer: int | None
    leader: int
    link: str | None
    hands: list[list[str]] | None
    haggis: list[str] | None
    actions: list[RecordedAction]
    out: list[int]
    scores: list[SeatScoreJson] | None
    totals: list[int] | None


class RecordDocument(TypedDict):
    """The portable record of a match (`haggis-record/1`)."""

    format: str
    match: str | None
    deal_id: str | None
    ruleset: str
    ruleset_version: str | None
    options: dict[str, str]
    players: int
    target_score: int | None
    rounds_limit: int | None
    seats: list[str]
    anchor: str | None
    client_seeds: list[str] | None
    rounds: list[RecordedRound]
    result: ResultDocument | None
