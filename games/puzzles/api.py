"""Endpoints of puzzles."""

import re
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule, current_player
from games.api.idempotency import not_idempotent
from games.api.pagination import invalid_parameter, text_parameter
from games.api.schema.fields import PossibleSerializer, Union
from games.api.schema.operations import OK, PUZZLES, Link, Operation, Parameter
from games.api.views import ApiView
from games.play.serializers import CardsRequestSerializer, serializer_for
from games.puzzles import serializers
from games.puzzles.queries import check_cards, legal_moves, next_puzzle, read_puzzle
from games.puzzles.services import answer_puzzle, daily_puzzle

_OF_PUZZLE: Final = {"puzzle_id": "$response.body#/id"}
_LINKS: Final = (
    Link("answerPuzzle", parameters=_OF_PUZZLE, body={"type": "pass"}),
    Link("listPuzzleMoves", parameters=_OF_PUZZLE),
    Link("readPuzzle", parameters=_OF_PUZZLE),
)
_PUZZLE_ID_PATTERN: Final = re.compile(r"p_[0-9a-f]{20}")
_PUZZLE_ID: Final = {"puzzle_id": "/id"}
# The first play of the list, with the fewest wild cards.
_FIRST_PLAY: Final = {
    "type": "play",
    "cards": "$response.body#/combinations/0/cheapest",
    "as": {
        name: f"$response.body#/combinations/0/combination/{name}"
        for name in ("kind", "top", "width", "length")
    },
}

READ_DAILY_PUZZLE: Final = Operation(
    id="readDailyPuzzle",
    summary="Get the puzzle of the day",
    description="The same puzzle for everybody from 00:00 to 24:00 UTC.",
    tag=PUZZLES,
    answers={OK: serializers.PuzzleSerializer},
    link_values=_PUZZLE_ID,
    links=_LINKS,
)
READ_NEXT_PUZZLE: Final = Operation(
    id="readNextPuzzle",
    summary="Get the next puzzle",
    description=(
        "With a token, skips the puzzles that the player has solved, and returns those that the player has "
        "answered wrongly last. `not_found` if none is left."
    ),
    tag=PUZZLES,
    parameters=(
        Parameter(
            name="after",
            schema={"type": "string", "pattern": f"^{_PUZZLE_ID_PATTERN.pattern}$"},
            description="The id of a puzzle: returns the one after it, and after the last one the first.",
        ),
    ),
    answers={OK: serializers.PuzzleSerializer},
    link_values=_PUZZLE_ID,
    links=_LINKS,
)
READ_PUZZLE: Final = Operation(
    id="readPuzzle",
    summary="Get a puzzle",
    description=(
        "A decision from play that has one clearly best choice: what would you play? It shows what the seat "
        "to act saw. Puzzles come from finished public matches and from matches between AIs, and name nobody."
    ),
    tag=PUZZLES,
    answers={OK: serializers.PuzzleSerializer},
)
ANSWER_PUZZLE: Final = Operation(
    id="answerPuzzle",
    summary="Answer a puzzle",
    description=(
        "The body is an action without `version`. Returns what the action costs on average compared with the "
        "best one, with alternatives and a likely continuation. With a token, the first answer of a player "
        "counts for `solved_by`. An action that breaks a rule is refused as at a table."
    ),
    tag=PUZZLES,
    body=Union(
        "PuzzleAction",
        serializers.ANSWER_SERIALIZERS,
        description="An answer to a puzzle, by `type`.",
    ),
    answers={OK: serializers.PuzzleAnswerSerializer},
    problems=(
        "bet_closed",
        "bet_exists",
        "card_not_in_hand",
        "not_a_combination",
        "does_not_beat",
        "must_lead",
        "ambiguous_combination",
        "bet_invalid",
        "award_invalid",
    ),
)
CHECK_PUZZLE_CARDS: Final = Operation(
    id="checkPuzzleCards",
    summary="List the combinations of cards in a puzzle",
    description="Every reading of cards of the seat to act, whether it can be played now, and if not, why.",
    tag=PUZZLES,
    body=CardsRequestSerializer,
    answers={OK: PossibleSerializer},
    problems=("card_not_in_hand",),
)
LIST_PUZZLE_MOVES: Final = Operation(
    id="listPuzzleMoves",
    summary="List the legal moves in a puzzle",
    description="Every legal play of the seat to act by combination, and whether it can pass.",
    tag=PUZZLES,
    answers={OK: serializers.PuzzleMovesSerializer},
    links=(Link("answerPuzzle", body=_FIRST_PLAY),),
)


class DailyPuzzleView(ApiView):
    """The puzzle of the day."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_DAILY_PUZZLE}

    def get(self, request: Request) -> Response:
        """Return the puzzle of today (UTC)."""
        return Response(daily_puzzle())


class NextPuzzleView(ApiView):
    """A puzzle that the player has not solved."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_NEXT_PUZZLE}

    def get(self, request: Request) -> Response:
        """Return the next puzzle after `?after=`."""
        after = text_parameter(request, "after")
        if after is not None and not _PUZZLE_ID_PATTERN.fullmatch(after):
            raise invalid_parameter("after")
        return Response(next_puzzle(current_player(request), after or ""))


class PuzzleView(ApiView):
    """One puzzle."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_PUZZLE}

    def get(self, request: Request, puzzle_id: str) -> Response:
        """Return the puzzle."""
        return Response(read_puzzle(puzzle_id))


class PuzzleAnswerView(ApiView):
    """Answers to a puzzle."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": ANSWER_PUZZLE}

    @not_idempotent  # the same answer has the same result, and only the first one counts
    def post(self, request: Request, puzzle_id: str) -> Response:
        """Judge an answer."""
        serializer = serializer_for(request.data, serializers.ANSWER_SERIALIZERS)
        action = self.validated_body(serializer)
        return Response(answer_puzzle(puzzle_id=puzzle_id, player=current_player(request), action=action))


class PuzzleCheckView(ApiView):
    """The readings of cards in a puzzle."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": CHECK_PUZZLE_CARDS}

    @not_idempotent  # changes nothing
    def post(self, request: Request, puzzle_id: str) -> Response:
        """Return every reading of some of the seat's cards."""
        body = self.validated_body(CardsRequestSerializer)
        return Response(check_cards(puzzle_id=puzzle_id, cards=body["cards"], named=body.get("as")))


class PuzzleMovesView(ApiView):
    """The legal moves in a puzzle."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_PUZZLE_MOVES}

    def get(self, request: Request, puzzle_id: str) -> Response:
        """List the legal plays."""
        return Response(legal_moves(puzzle_id))
