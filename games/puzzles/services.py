"""Choose the daily puzzle, judge answers, and load the puzzles that are shipped with the service."""

from collections.abc import Iterable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from django.db import IntegrityError, connections, transaction
from django.db.models import F
from django.utils import timezone

from games.core.compact_json import load_json
from games.core.errors import Problem
from games.core.secrets import Secret
from games.gateway.documents import ActionMembers
from games.gateway.puzzles import JudgedAnswer, PuzzleDocument, judge_answer
from games.identity.models import Player
from games.identity.services import lock_player
from games.puzzles.models import Puzzle, PuzzleAnswer, PuzzleSource
from games.puzzles.queries import PuzzleJson, find_daily, render_puzzle, require_puzzle, solved_by

# Migrations that go back may have dropped the table.
_TABLE: Final = "games_puzzle"
SHIPPED: Final = Path(__file__).parent / "data" / "puzzles.jsonl"


class AnswerResult(JudgedAnswer):
    """The judgement of an answer, and the share of the players who solved the puzzle."""

    solved_by: float | None


def daily_puzzle() -> PuzzleJson:
    """Return the puzzle of today (UTC), which is the same for everybody; raise 404 if there are no puzzles.

    The first request of a day chooses the puzzle that was not the daily one for the longest time.
    """
    today = timezone.now().date()
    found = find_daily(today) or _choose_daily(today)
    if found is None:
        raise Problem("not_found", "There are no puzzles.")
    return render_puzzle(found)


def _choose_daily(today: date) -> Puzzle | None:
    """Choose the puzzle of a day, unless another process has chosen it in the meantime."""
    chosen = Puzzle.objects.order_by(F("daily_on").asc(nulls_first=True), "pk").values_list("pk").first()
    if chosen is not None:
        try:
            with transaction.atomic():
                Puzzle.objects.filter(pk=chosen[0]).update(daily_on=today)
        except IntegrityError:  # chosen by another process, from other puzzles
            pass
    return find_daily(today)


def answer_puzzle(*, puzzle_id: str, player: Player | None, action: ActionMembers) -> AnswerResult:
    """Judge an answer and store the result of the player's first one; raise `Problem` if it breaks a rule."""
    puzzle = require_puzzle(puzzle_id)
    judged = judge_answer(puzzle.document.reveal(), action)
    if player is not None:
        _store_answer(puzzle, player, is_best=judged["best"])
        puzzle.refresh_from_db(fields=["answered", "solved"])
    return {**judged, "solved_by": solved_by(puzzle)}


@transaction.atomic
def _store_answer(puzzle: Puzzle, player: Player, *, is_best: bool) -> None:
    """Count the first answer of a player; a later one can only mark the puzzle as solved."""
    lock_player(player)
    _, is_first = PuzzleAnswer.objects.get_or_create(
        player=player, puzzle=puzzle, defaults={"best_at_first": is_best, "solved": is_best}
    )
    if is_first:
        Puzzle.objects.filter(pk=puzzle.pk).update(
            answered=F("answered") + 1, solved=F("solved") + int(is_best)
        )
    elif is_best:
        PuzzleAnswer.objects.filter(player=player, puzzle=puzzle, solved=False).update(solved=True)


def delete_answers(*, player: Player) -> None:
    """Delete the answers of a player; the counts of the puzzles stay, since they name nobody."""
    PuzzleAnswer.objects.filter(player=player).delete()


def store_puzzles(documents: Iterable[PuzzleDocument], source: PuzzleSource, using: str = "default") -> int:
    """Store the puzzles that do not exist yet, and return their number."""
    known = set(Puzzle.objects.using(using).values_list("pk", flat=True))
    new = [document for document in documents if document["id"] not in known]
    Puzzle.objects.using(using).bulk_create(
        [
            Puzzle(
                id=document["id"],
                ruleset=document["ruleset"],
                players=document["players"],
                source=source,
                document=Secret(document),
            )
            for document in new
        ],
        ignore_conflicts=True,
    )
    return len(new)


@cache
def shipped_puzzles() -> tuple[PuzzleDocument, ...]:
    """Return the puzzles in the file, one a line."""
    return tuple(load_json(line) for line in SHIPPED.read_bytes().splitlines())


def load_shipped_puzzles(using: str, **_: object) -> None:
    """Store the shipped puzzles that the database does not have yet. It is called after each migration.

    So a release that ships more puzzles brings them to existing databases, without a migration of its own.
    """
    if _TABLE in connections[using].introspection.table_names():
        store_puzzles(shipped_puzzles(), PuzzleSource.SHIPPED, using)
