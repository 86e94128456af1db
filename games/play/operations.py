"""What clients are told of the routes of the table."""

from typing import Final

from games.api.schema import fields, log
from games.api.schema.fields import Union
from games.api.schema.operations import (
    CREATED,
    HISTORY,
    MAX_VERSION,
    OK,
    TABLE,
    WAIT,
    Link,
    Operation,
    Page,
    Parameter,
    ref,
)
from games.api.schema.table import TableSerializer
from games.api.serializers import EmptyRequestSerializer
from games.play import serializers

_NUMBER: Final = {"type": "integer", "minimum": 0, "maximum": serializers.MAX_NUMBER}
_ACTION: Final = Union(
    "Action",
    serializers.SHAPES,
    meaning="What to do, by its `type`; `version` is that of the table acted on.",
)
# The first play on the list, the one with fewest wild cards.
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
    summary="The table",
    description=(
        "The match as you may see it: of a running round your own hand and nobody else's. `you` says what "
        "you may do. `now` and `seconds_left` do not count for the ETag."
    ),
    tag=TABLE,
    parameters=(
        Parameter(
            name="after",
            schema={"type": "integer", "minimum": 0, "maximum": MAX_VERSION},
            description="With `wait`: the version that you have, to be told when there is another.",
        ),
        WAIT,
    ),
    answers={OK: TableSerializer},
    conditional=True,
    problems=("limit_reached",),
    leads=(
        Link("act", body={"type": "pass", "version": "$response.body#/version"}),
        Link("listLog", {"after": "$response.body#/version"}),
        Link("listLegalMoves"),
    ),
)
ACT: Final = Operation(
    id="act",
    summary="Play, pass, bet or award",
    description=(
        "Acts on the table at `version`. A play may say in `as` what its cards are meant as, whole or in "
        "part; where several shapes are possible and it does not, the answer is `ambiguous_combination` with "
        "the `readings`. A bet may name any version of its round. Sent again with the same `Idempotency-Key` "
        "and body, an action counts once and gets its first answer, with the table as it was then; without a "
        "key, sending it again gives `stale_version` where the first one counted."
    ),
    tag=TABLE,
    body=_ACTION,
    answers={CREATED: log.MovedSerializer},
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
    leads=(
        Link("act", body={"type": "pass", "version": "$response.body#/match/version"}),
        Link("listLegalMoves"),
        Link("readMatch"),
    ),
)
CHECK_CARDS: Final = Operation(
    id="checkCards",
    summary="What cards of yours could be played as",
    description=(
        "Every reading, which are playable now, and why the others are not. Changes nothing, in turn or not."
    ),
    tag=TABLE,
    body=serializers.CardsRequestSerializer,
    answers={OK: fields.CheckedSerializer},
    problems=("not_seated", "match_not_active", "card_not_in_hand"),
)
LIST_LEGAL_MOVES: Final = Operation(
    id="listLegalMoves",
    summary="What you may do now",
    description=(
        "For the seat to act alone: every legal play by combination, whether it may pass, bet, or has to "
        "award."
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
            description="`plays`: every distinct play besides, up to 10,000, in a stable order.",
        ),
    ),
    answers={OK: fields.LegalMovesSerializer},
    problems=("not_seated", "match_not_active", "not_your_turn"),
    leads=(
        Link("act", body=_FIRST_PLAY),
        Link("checkCards", body={"cards": "$response.body#/combinations/0/cheapest"}),
    ),
)
GIVE_STANDING_ORDER: Final = Operation(
    id="giveStandingOrder",
    summary="Pass for the rest of this trick",
    description=(
        "Whatever is played. Nobody else can tell: each pass comes after a random while, as if you had made "
        "it. Given again it stays as it is."
    ),
    tag=TABLE,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active", "caretaker_playing", "must_lead", "award_due"),
)
WITHDRAW_STANDING_ORDER: Final = Operation(
    id="withdrawStandingOrder",
    summary="Take a standing order back",
    description="If there is one.",
    tag=TABLE,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active", "caretaker_playing"),
)
LIST_LOG: Final = Operation(
    id="listLog",
    summary="What happened",
    description=(
        "The log, oldest first: one entry for every version, without gaps. What an entry brought about is in "
        "its `then`, in order."
    ),
    tag=HISTORY,
    parameters=(
        Parameter(
            name="after",
            schema={"type": "integer", "minimum": 0, "maximum": 2**31 - 1, "default": 0},
            description="Only what happened after this version.",
        ),
        WAIT,
    ),
    answers={OK: Page(log.LogEntrySerializer, by_cursor=False)},
    conditional=True,
    problems=("limit_reached",),
)
LIST_ROUNDS: Final = Operation(
    id="listRounds",
    summary="The rounds of a match",
    description="The first one first; those that have ended with their deals, links and scores.",
    tag=HISTORY,
    answers={OK: Page(log.RoundSerializer)},
    conditional=True,
    leads=(Link("readRound", {"number": "$response.body#/results/0/number"}),),
)
READ_ROUND: Final = Operation(
    id="readRound",
    summary="One round of a match",
    description="Once it has ended with its deal, its link and its scores.",
    tag=HISTORY,
    answers={OK: log.RoundSerializer},
    conditional=True,
)
