"""OpenAPI operations of a match."""

from typing import Final

from games.api.schema import fields, log
from games.api.schema.fields import Union
from games.api.schema.operations import (
    CREATED,
    HISTORY,
    LOBBY,
    MAX_VERSION,
    OK,
    TABLE,
    WAIT,
    Link,
    Operation,
    Page,
    Parameter,
    SchemaObject,
    ref,
)
from games.api.schema.table import TableSerializer
from games.api.serializers import EmptyRequestSerializer
from games.play import serializers

_NUMBER: Final[SchemaObject] = {"type": "integer", "minimum": 0, "maximum": serializers.MAX_NUMBER}
_ACTION: Final = Union(
    "Action",
    serializers.ACTION_SERIALIZERS,
    description="An action, by `type`. `version` is the version of the table that it is for.",
)
# The first play of the list, with the fewest wild cards.
_FIRST_PLAY: Final = {
    "type": "play",
    "version": "$response.body#/version",
    "cards": "$response.body#/combinations/0/cheapest",
    "as": {
        name: f"$response.body#/combinations/0/combination/{name}"
        for name in ("kind", "top", "width", "length")
    },
}

READ_MATCH: Final = Operation(
    id="readMatch",
    summary="Get a match",
    description=(
        "The match as you can see it: in a running round, your own hand only. `you` says what you can do. "
        "`now` and `seconds_left` do not affect the ETag."
    ),
    tag=TABLE,
    parameters=(
        Parameter(
            name="after",
            schema={"type": "integer", "minimum": 0, "maximum": MAX_VERSION},
            description="With `wait`: the version that you have; the response waits for a later one.",
        ),
        WAIT,
    ),
    answers={OK: TableSerializer},
    conditional=True,
    problems=("limit_reached",),
    links=(
        Link("act", body={"type": "pass", "version": "$response.body#/version"}),
        Link("listLog", {"after": "$response.body#/version"}),
        Link("listLegalMoves"),
    ),
)
ACT: Final = Operation(
    id="act",
    summary="Play, pass, bet or award",
    description=(
        "Acts on the table at `version`. A play can name its combination in `as`, fully or in part; if "
        "several combinations are possible, the error is `ambiguous_combination` with the `readings`. A bet "
        "can name any version of its round. Repeated with the same `Idempotency-Key` and body, an action "
        "counts once and gets its first response, with the table as it was then. Without a key, repeating an "
        "action that counted gives `stale_version`."
    ),
    tag=TABLE,
    body=_ACTION,
    answers={CREATED: log.MovedSerializer},
    location="/api/v1/matches/{match_id}",
    problems=(
        "not_seated",
        "match_not_active",
        "stale_version",
        "deadline_passed",
        "award_due",
        "not_your_turn",
        "bet_closed",
        "bet_exists",
        "caretaker_playing",
        "card_not_in_hand",
        "not_a_combination",
        "does_not_beat",
        "must_lead",
        "ambiguous_combination",
        "bet_invalid",
        "award_invalid",
    ),
    links=(
        Link("act", body={"type": "pass", "version": "$response.body#/match/version"}),
        Link("listLegalMoves"),
        Link("readMatch"),
    ),
)
CHECK_CARDS: Final = Operation(
    id="checkCards",
    summary="List the combinations of your cards",
    description=(
        "Every reading, whether it can be played now, and if not, why. Changes nothing, and works "
        "out of turn."
    ),
    tag=TABLE,
    body=serializers.CardsRequestSerializer,
    answers={OK: fields.CheckedSerializer},
    problems=("not_seated", "match_not_active", "card_not_in_hand"),
)
LIST_LEGAL_MOVES: Final = Operation(
    id="listLegalMoves",
    summary="List your legal moves",
    description=(
        "Only for the seat to act: every legal play by combination, and whether it can pass, can bet or has "
        "to award a trick."
    ),
    tag=TABLE,
    parameters=(
        Parameter(name="kind", schema=ref("schemas", "CombinationKind"), description="Only this kind."),
        Parameter(name="width", schema=_NUMBER, description="Only this width."),
        Parameter(name="length", schema=_NUMBER, description="Only this length."),
        Parameter(name="top", schema=_NUMBER, description="Only this top."),
        Parameter(
            name="expand",
            schema={"type": "string", "enum": ["plays"]},
            description="`plays`: also lists every distinct play, up to 10,000, in a stable order.",
        ),
    ),
    answers={OK: fields.LegalMovesSerializer},
    problems=("not_seated", "match_not_active", "not_your_turn"),
    links=(
        Link("act", body=_FIRST_PLAY),
        Link("checkCards", body={"cards": "$response.body#/combinations/0/cheapest"}),
    ),
)
GIVE_STANDING_ORDER: Final = Operation(
    id="giveStandingOrder",
    summary="Pass for the rest of this trick",
    description=(
        "Passes for you, regardless of what is played. The other players cannot notice: each pass comes "
        "after a random delay, as if you had made it. Repeating the request changes nothing."
    ),
    tag=TABLE,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active", "caretaker_playing", "must_lead", "award_due"),
)
WITHDRAW_STANDING_ORDER: Final = Operation(
    id="withdrawStandingOrder",
    summary="Withdraw a standing order",
    description="Changes nothing if there is none.",
    tag=TABLE,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active", "caretaker_playing"),
)
LIST_LOG: Final = Operation(
    id="listLog",
    summary="List the log",
    description=(
        "Oldest first: one entry for every version, without gaps. The consequences of an entry are in its "
        "`then`, in order."
    ),
    tag=HISTORY,
    parameters=(
        Parameter(
            name="after",
            schema={"type": "integer", "minimum": 0, "maximum": MAX_VERSION, "default": 0},
            description="Only entries after this version.",
        ),
        WAIT,
    ),
    answers={OK: Page(log.LogEntrySerializer, by_cursor=False)},
    conditional=True,
    problems=("limit_reached",),
)
LIST_ROUNDS: Final = Operation(
    id="listRounds",
    summary="List the rounds of a match",
    description="Oldest first. Rounds that have ended include their deals, links and scores.",
    tag=HISTORY,
    answers={OK: Page(log.RoundSerializer)},
    conditional=True,
    links=(Link("readRound", {"number": "$response.body#/results/0/number"}),),
)
READ_ROUND: Final = Operation(
    id="readRound",
    summary="Get a round of a match",
    description="Once it has ended, it includes its deal, link and scores.",
    tag=HISTORY,
    answers={OK: log.RoundSerializer},
    conditional=True,
)
RESIGN: Final = Operation(
    id="resign",
    summary="Resign from a match",
    description=(
        "With two players the other one wins. With three, an AI plays on in your seat, which is ranked last. "
        "If only AIs are left, the maker of the match can then cancel it. "
        "If the match ends within a round, that round is revealed and not scored."
    ),
    tag=LOBBY,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active"),
)
