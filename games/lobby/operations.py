"""What clients are told of the routes of the lobby and of the rule sets."""

from typing import Final

from games.api.routing import UsernameConverter
from games.api.schema.operations import CREATED, LOBBY, OK, Link, Operation, Page, Parameter, ref
from games.api.schema.table import TableSerializer
from games.api.serializers import EmptyRequestSerializer
from games.lobby import serializers

_STATUS: Final = Parameter(name="status", schema=ref("schemas", "MatchStatus"), description="In this status.")
_RULESET: Final = Parameter(
    name="ruleset", schema=ref("schemas", "RuleSetKey"), description="Of this rule set."
)
_OPEN_SEATS: Final = Parameter(
    name="open_seats",
    schema={"type": "boolean"},
    description="`true`: those that anybody may join; `false`: the others.",
)
_ORDERING: Final = Parameter(
    name="ordering",
    schema={"type": "string", "enum": ["-created_at", "created_at"], "default": "-created_at"},
    description="The newest first, or the oldest.",
)
_FILTERS: Final = (_STATUS, _RULESET, _OPEN_SEATS, _ORDERING)
_FIRST: Final = {"match_id": "$response.body#/results/0/id"}
_NAME: Final = {"type": "string", "pattern": f"^{UsernameConverter.regex}$"}
# What any change of a match before its start may be refused for.
_MAY_NOT_SIT: Final = ("match_not_open", "match_full", "seat_taken", "already_joined", "limit_reached")
LIST_MATCHES: Final = Operation(
    id="listMatches",
    summary="Matches",
    description=(
        "Matches that anybody may find; with `player` those that somebody plays in, with `maker` those that "
        "somebody made. `me` is whoever asks, who is shown the unlisted and private ones too."
    ),
    tag=LOBBY,
    parameters=(
        *_FILTERS,
        Parameter(name="player", schema=_NAME, description="Played in by this player, or by `me`."),
        Parameter(name="maker", schema=_NAME, description="Made by this player, or by `me`."),
    ),
    answers={OK: Page(serializers.ListedMatchSerializer)},
    problems=("not_found",),
    leads=(Link("readMatch", _FIRST), Link("joinMatch", _FIRST)),
)
CREATE_MATCH: Final = Operation(
    id="createMatch",
    summary="Make a match",
    description=(
        "Only `ruleset` has to be said. The match starts when its last seat is filled, or with `hold` when "
        "its maker says so. `target_score` or `rounds`, not both. A seat of kind `player` is an invitation."
    ),
    tag=LOBBY,
    body=serializers.MatchRequestSerializer,
    answers={CREATED: TableSerializer},
    problems=("limit_reached", "not_allowed"),
    tells_location=True,
    makes={"match_id": "/id"},
)
START_MATCH: Final = Operation(
    id="startMatch",
    summary="Start a match that was made with `hold`",
    description=(
        "For its maker, when every seat is filled. A seed given now was not known when the anchor was shown."
    ),
    tag=LOBBY,
    body=serializers.SeedRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "not_the_maker", "match_not_open", "seats_not_filled"),
)
JOIN_MATCH: Final = Operation(
    id="joinMatch",
    summary="Take an open seat",
    description=(
        "The one that is named, or the first open one. The last seat filled starts the match, unless it is "
        "held."
    ),
    tag=LOBBY,
    body=serializers.JoinRequestSerializer,
    answers={OK: TableSerializer},
    problems=(*_MAY_NOT_SIT, "not_allowed"),
)
LEAVE_MATCH: Final = Operation(
    id="leaveMatch",
    summary="Give your seat back before the start",
    description="The seat is open again.",
    tag=LOBBY,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_open"),
)
ACCEPT_INVITATION: Final = Operation(
    id="acceptInvitation",
    summary="Take the seat that is kept for you",
    description="The last seat filled starts the match, unless it is held.",
    tag=LOBBY,
    body=serializers.SeedRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_open", "not_invited", "already_joined", "limit_reached"),
)
DECLINE_INVITATION: Final = Operation(
    id="declineInvitation",
    summary="Turn an invitation down",
    description="The reason is for everybody who may see the match.",
    tag=LOBBY,
    body=serializers.DeclineRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_open", "not_invited", "already_joined"),
)
REFILL_SEAT: Final = Operation(
    id="refillSeat",
    summary="Fill a seat otherwise, before the start",
    description=(
        "For the maker: a seat that nobody has taken is opened, offered to a player or given to an AI."
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
        "limit_reached",
    ),
)
CANCEL_MATCH: Final = Operation(
    id="cancelMatch",
    summary="Call a match off before its start",
    description="For its maker. Its seats are free again.",
    tag=LOBBY,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "not_the_maker", "match_not_open"),
)
RESIGN: Final = Operation(
    id="resign",
    summary="Give up for good",
    description=(
        "Two players: the other one wins. Three: an AI plays on in your seat, which is ranked last. A round "
        "that is cut short is laid open and not scored."
    ),
    tag=LOBBY,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active"),
)
ASK_FOR_REMATCH: Final = Operation(
    id="askForRematch",
    summary="Play once more",
    description=(
        "One next match for all who ask: the first one makes it (201), the others sit down at it (200). The "
        "old match names it as `next_match`."
    ),
    tag=LOBBY,
    body=serializers.SeedRequestSerializer,
    answers={CREATED: TableSerializer, OK: TableSerializer},
    problems=(*_MAY_NOT_SIT, "not_seated", "match_not_finished", "not_allowed"),
    tells_location=True,
    leads=(Link("readMatch", {"match_id": "$response.body#/id"}),),
)
LIST_MY_MATCHES: Final = Operation(
    id="listMyMatches",
    summary="The matches you sit in",
    description="Those that are not over, the most urgent first: your turns by deadline, then the rest.",
    tag=LOBBY,
    answers={OK: Page(serializers.MyMatchSerializer)},
    leads=(Link("readMatch", _FIRST), Link("listLegalMoves", _FIRST)),
)
LIST_INVITATIONS: Final = Operation(
    id="listInvitations",
    summary="Your invitations",
    description="Open matches in which a seat is kept for you, the latest first.",
    tag=LOBBY,
    answers={OK: Page(serializers.InvitationSerializer)},
    leads=(Link("acceptInvitation", _FIRST), Link("declineInvitation", _FIRST)),
)
LIST_PLAYERS_MATCHES: Final = Operation(
    id="listPlayersMatches",
    summary="The matches of a player",
    description="The public ones; to the player all of them.",
    tag=LOBBY,
    parameters=_FILTERS,
    answers={OK: Page(serializers.ListedMatchSerializer)},
    leads=(Link("readMatch", _FIRST),),
)
