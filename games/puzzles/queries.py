"""Read puzzles: the daily one, the next one of a player, positions, readings and legal moves."""

from datetime import date
from typing import Final, TypedDict

from django.db.models import Case, Exists, IntegerField, OuterRef, Value, When
from django.db.models.expressions import Combinable

from games.core.errors import Problem, require_found
from games.gateway.documents import LegalMovesDocument, NamedCombination, ReadingsDocument
from games.gateway.puzzles import puzzle_table
from games.gateway.views import check_cards as check_cards_at
from games.gateway.views import list_legal_moves, round_to_json
from games.identity.models import Player
from games.matches.documents import RunningRoundDocument
from games.puzzles.models import Puzzle, PuzzleAnswer

NO_PUZZLE_LEFT: Final = "There is no puzzle left that you have not solved."


class PuzzleJson(TypedDict):
    """A puzzle as clients see it: the round from the seat to act, without the solution."""

    id: str
    ruleset: str
    ruleset_version: str
    options: dict[str, str]
    players: int
    round: RunningRoundDocument
    seat: int
    solved_by: float | None
    daily_on: str | None


def render_puzzle(puzzle: Puzzle) -> PuzzleJson:
    """Render a puzzle as its seat sees it."""
    document = puzzle.document.reveal()
    view = puzzle_table(document).view(document["seat"])
    return {
        "id": puzzle.pk,
        "ruleset": document["ruleset"],
        "ruleset_version": document["ruleset_version"],
        "options": document["options"],
        "players": document["players"],
        "round": {**round_to_json(view), "deadline": None, "seconds_left": None},
        "seat": document["seat"],
        "solved_by": solved_by(puzzle),
        "daily_on": None if puzzle.daily_on is None else puzzle.daily_on.isoformat(),
    }


def solved_by(puzzle: Puzzle) -> float | None:
    """Return the share of the players who solved a puzzle at the first attempt, or None without answers."""
    return round(puzzle.solved / puzzle.answered, 3) if puzzle.answered else None


def require_puzzle(puzzle_id: str) -> Puzzle:
    """Return a puzzle, or raise 404."""
    return require_found(Puzzle.objects.filter(pk=puzzle_id).first())


def read_puzzle(puzzle_id: str) -> PuzzleJson:
    """Return a puzzle, or raise 404."""
    return render_puzzle(require_puzzle(puzzle_id))


def find_daily(day: date) -> Puzzle | None:
    """Return the puzzle of a day, or None if it has not been chosen."""
    return Puzzle.objects.filter(daily_on=day).first()


def next_puzzle(player: Player | None, after: str) -> PuzzleJson:
    """Return the next puzzle after one in the order of the ids, which is random, and from the start again.

    What the player has solved is left out; what the player has answered wrongly comes last.
    """
    is_before = Case(
        When(pk__gt=after, then=Value(0)),
        When(pk=after, then=Value(2)),
        default=Value(1),
        output_field=IntegerField(),
    )
    puzzles = Puzzle.objects.all()
    order: list[Combinable | str] = [is_before, "pk"]
    if player is not None:
        answers = PuzzleAnswer.objects.filter(player=player, puzzle=OuterRef("pk"))
        puzzles = puzzles.exclude(Exists(answers.filter(solved=True)))
        order = [Exists(answers), *order]
    found = puzzles.order_by(*order).first()
    if found is None:
        raise Problem("not_found", NO_PUZZLE_LEFT)
    return render_puzzle(found)


def check_cards(*, puzzle_id: str, cards: list[str], named: NamedCombination | None) -> ReadingsDocument:
    """Return every reading of some cards of the seat to act."""
    document = require_puzzle(puzzle_id).document.reveal()
    return check_cards_at(puzzle_table(document), document["seat"], cards, named)


def legal_moves(puzzle_id: str) -> LegalMovesDocument:
    """Return the legal moves of the seat to act."""
    document = require_puzzle(puzzle_id).document.reveal()
    return list_legal_moves(puzzle_table(document), document["seat"], named={}, expand=False)
