"""OpenAPI operations of the lobby."""

from typing import Final

from games.api.routing import UsernameConverter
from games.api.schema.operations import (
    CREATED,
    LOBBY,
    OK,
    Link,
    Operation,
    Page,
    Parameter,
    SchemaObject,
    ref,
)
from games.api.schema.table import TableSerializer
from games.api.serializers import EmptyRequestSerializer
from games.lobby import serializers

_STATUS: Final = Parameter(
    name="status", schema=ref("schemas", "MatchStatus"), description="Only matches with this status."
)
_RULESET: Final = Parameter(
    name="ruleset", schema=ref("schemas", "RuleSetKey"), description="Only matches of this rule set."
)
_OPEN_SEATS: Final = Parameter(
    name="open_seats",
    schema={"type": "boolean"},
    description="`true`: only matches that anyone can join; `false`: only the others.",
)
_ORDERING: Final = Parameter(
    name="ordering",
    schema={"type": "string", "enum": ["-created_at", "created_at"], "default": "-created_at"},
    description="Newest or oldest first.",
)
_FILTERS: Final = (_STATUS, _RULESET, _OPEN_SEATS, _ORDERING)
_FIRST_RESULT: Final = {"match_id": "$response.body#/results/0/id"}
_USERNAME: Final[SchemaObject] = {"type": "string", "pattern": f"^{UsernameConverter.regex}$"}
# Errors of every request that takes a seat.
_SEATING_PROBLEMS: Final = (
    "match_not_open",
    "match_full",
    "seat_taken",
    "already_joined",
    "join_refused",
    "limit_reached",
)
MOST_OWN_MATCHES: Final = 200
LIST_MATCHES: Final = Operation(
    id="listMatches",
    summary="List matches",
    description=(
        "Public matches; with `player`, those that a player plays in; with `maker`, those that a player "
        "created. `me` is the player of the token, who also sees their unlisted and private matches."
    ),
    tag=LOBBY,
    parameters=(
        *_FILTERS,
        Parameter(
            name="player", schema=_USERNAME, description="Only matches that this player, or `me`, plays in."
        ),
        Parameter(
            name="maker", schema=_USERNAME, description="Only matches that this player, or `me`, created."
        ),
    ),
    answers={OK: Page(serializers.ListedMatchSerializer)},
    problems=("not_found",),
    links=(Link("readMatch", _FIRST_RESULT), Link("joinMatch", _FIRST_RESULT)),
)
CREATE_MATCH: Final = Operation(
    id="createMatch",
    summary="Create a match",
    description=(
        "Only `ruleset` is required. The match starts when its last seat is filled or, with `hold`, when its "
        "maker starts it. Give `target_score` or `rounds`, not both. A seat of kind `player` is an "
        "invitation."
    ),
    tag=LOBBY,
    body=serializers.MatchRequestSerializer,
    answers={CREATED: TableSerializer},
    location="/api/v1/matches/{id}",
    problems=(
        "limit_reached",
        "too_many_ai_matches",
        "join_refused",
        "challenge_refused",
        "rating_not_possible",
    ),
    link_values={"match_id": "/id"},
)
START_MATCH: Final = Operation(
    id="startMatch",
    summary="Start a match that was created with `hold`",
    description=(
        "Only for the maker, once every seat is filled. A seed given now was unknown when the anchor was "
        "published."
    ),
    tag=LOBBY,
    body=serializers.SeedRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "not_the_maker", "match_not_open", "seats_not_filled"),
)
JOIN_MATCH: Final = Operation(
    id="joinMatch",
    summary="Join a match",
    description=(
        "Takes the given open seat, or the first one. Filling the last seat starts the match, unless it was "
        "created with `hold`."
    ),
    tag=LOBBY,
    body=serializers.JoinRequestSerializer,
    answers={OK: TableSerializer},
    problems=(*_SEATING_PROBLEMS, "rating_not_possible"),
)
LEAVE_MATCH: Final = Operation(
    id="leaveMatch",
    summary="Leave a match before its start",
    description="Your seat is open again. In a private match its maker has to refill it.",
    tag=LOBBY,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_open"),
)
ACCEPT_INVITATION: Final = Operation(
    id="acceptInvitation",
    summary="Accept an invitation",
    description="Takes your seat. Filling the last seat starts the match, unless it was created with `hold`.",
    tag=LOBBY,
    body=serializers.SeedRequestSerializer,
    answers={OK: TableSerializer},
    problems=(
        "not_seated",
        "match_not_open",
        "not_invited",
        "already_joined",
        "join_refused",
        "limit_reached",
        "rating_not_possible",
    ),
)
DECLINE_INVITATION: Final = Operation(
    id="declineInvitation",
    summary="Decline an invitation",
    description="Everybody who can see the match can read the reason.",
    tag=LOBBY,
    body=serializers.DeclineRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_open", "not_invited", "already_joined"),
)
REFILL_SEAT: Final = Operation(
    id="refillSeat",
    summary="Refill a seat before the start",
    description=(
        "Only for the maker: opens a seat that no player has taken, offers it to a player or gives it "
        "to an AI."
    ),
    tag=LOBBY,
    body=serializers.REFILL,
    answers={OK: TableSerializer},
    problems=(
        "not_seated",
        "not_the_maker",
        "match_not_open",
        "seat_taken",
        "already_joined",
        "join_refused",
        "limit_reached",
        "too_many_ai_matches",
        "challenge_refused",
        "rating_not_possible",
    ),
)
CANCEL_MATCH: Final = Operation(
    id="cancelMatch",
    summary="Cancel a match",
    description=(
        "Only for the maker, and only before the start. A match in which only AIs play can also be "
        "cancelled while it runs: it ends without a result, and the cards of the running round stay hidden."
    ),
    tag=LOBBY,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "not_the_maker", "match_not_open"),
)
ASK_FOR_REMATCH: Final = Operation(
    id="askForRematch",
    summary="Create or join a rematch",
    description=(
        "A finished match has one rematch: the first player who asks creates it (201), the others join it "
        "(200). The finished match names it as `next_match`."
    ),
    tag=LOBBY,
    body=serializers.SeedRequestSerializer,
    answers={CREATED: TableSerializer, OK: TableSerializer},
    location="/api/v1/matches/{id}",
    problems=(
        *_SEATING_PROBLEMS,
        "not_seated",
        "match_not_finished",
        "not_allowed",
        "challenge_refused",
        "rating_not_possible",
    ),
    links=(Link("readMatch", {"match_id": "$response.body#/id"}),),
)
LIST_MY_MATCHES: Final = Operation(
    id="listMyMatches",
    summary="List your matches",
    description=(
        "Your unfinished matches, most urgent first: your turns by deadline, then the others. With `include` "
        "each has its table and your legal moves, so that a client needs one request for all of its matches. "
        "The times in it do not count for the `ETag`. Unknown and repeated parameters are rejected."
    ),
    tag=LOBBY,
    parameters=(
        Parameter(
            name="my_turn",
            schema={"type": "boolean"},
            description="`true`: only matches in which it is your turn; `false`: only the others.",
        ),
        Parameter(
            name="ids",
            schema={"type": "string", "maxLength": 200 * 61},
            description=(
                "Only these matches: up to 200 ids, separated by commas. Ids of other matches are ignored."
            ),
        ),
        Parameter(
            name="include",
            schema={
                "type": "string",
                "enum": ["table", "legal_moves", "table,legal_moves", "legal_moves,table"],
            },
            description="What each match includes: its table, your legal moves, or both.",
        ),
    ),
    answers={OK: Page(serializers.MyMatchSerializer, largest=MOST_OWN_MATCHES)},
    conditional=True,
    links=(Link("readMatch", _FIRST_RESULT), Link("listLegalMoves", _FIRST_RESULT)),
)
LIST_INVITATIONS: Final = Operation(
    id="listInvitations",
    summary="List your invitations",
    description="Open matches in which a seat is reserved for you, newest first.",
    tag=LOBBY,
    answers={OK: Page(serializers.InvitationSerializer)},
    links=(Link("acceptInvitation", _FIRST_RESULT), Link("declineInvitation", _FIRST_RESULT)),
)
LIST_PLAYERS_MATCHES: Final = Operation(
    id="listPlayersMatches",
    summary="List the matches of a player",
    description=(
        "Public matches; players see all of their own, and with `against` all those between another player "
        "and themselves. `players`, `against`, `result` and `q` select from the latest 5,000 matches of the "
        "player."
    ),
    tag=LOBBY,
    parameters=(
        *_FILTERS,
        Parameter(
            name="players",
            schema={"type": "integer", "minimum": 2, "maximum": 3},
            description="Only matches of this many players.",
        ),
        Parameter(
            name="against",
            schema=_USERNAME,
            description="Only matches in which this player has a seat too.",
        ),
        Parameter(
            name="result",
            schema={"type": "string", "enum": ["won", "lost", "abandoned"]},
            description="Only finished matches that the player won, lost or abandoned: resigned, forfeited, "
            "or left to a caretaker at the end.",
        ),
        Parameter(
            name="q",
            schema={"type": "string", "maxLength": 500},
            description="Only matches with this text in the name of another player, or with this id.",
        ),
    ),
    answers={OK: Page(serializers.ListedMatchSerializer)},
    links=(Link("readMatch", _FIRST_RESULT),),
)
