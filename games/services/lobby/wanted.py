"""The seats that a maker asks for: names looked up, and what cannot be refused field by field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.errors import FieldError, Problem
from games.gateway.ai import LEVEL_NAMES
from games.matches.store import MatchRow
from games.models import Match, Player, PlayerKind, Visibility
from games.selectors.lobby import players_named

ME, OPEN, PLAYER, AI = "me", "open", "player", "ai"
KINDS = (ME, OPEN, PLAYER, AI)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One seat as it is asked for: who is to sit there, or which level of AI, or neither: whoever comes."""

    kind: str
    player: Player | None = None
    level: str = ""


def usual_seats(players: int) -> list[dict[str, Any]]:
    """The seats of a match that says nothing of them: the maker, and whoever comes."""
    return [{"kind": ME}] + [{"kind": OPEN}] * (players - 1)


def wanted_seats(
    bodies: Sequence[Mapping[str, Any]], *, match: Match | MatchRow, maker: Player, at: Sequence[str]
) -> list[Wanted]:
    """What the seats are to be; refused with everything that is wrong with them. `at` points to each."""
    names = [body["username"] for body in bodies if body["kind"] == PLAYER]
    found = players_named(names) if names else {}
    wanted = [_wanted(body, maker, found) for body in bodies]
    errors = [
        error
        for number, (seat, pointer) in enumerate(zip(wanted, at, strict=True))
        if (error := _fault(seat, pointer, match) or _repeated(seat, wanted[:number], pointer)) is not None
    ]
    if errors:
        raise Problem("validation_error", errors=tuple(errors))
    return wanted


def _wanted(body: Mapping[str, Any], maker: Player, found: Mapping[str, Player]) -> Wanted:
    match body["kind"]:
        case "me":
            return Wanted(ME, player=maker)
        case "player":
            return Wanted(PLAYER, player=found.get(body["username"].lower()))
        case "ai":
            return Wanted(AI, level=body["level"])
        case _:
            return Wanted(OPEN)


def _fault(seat: Wanted, pointer: str, match: Match | MatchRow) -> FieldError | None:
    """What is wrong with one seat in itself."""
    if seat.kind == OPEN and match.visibility == Visibility.PRIVATE:
        return FieldError(f"{pointer}/kind", "open_in_private", "A private match has no open seats.")
    if seat.kind == AI and seat.level not in LEVEL_NAMES:
        return FieldError(f"{pointer}/level", "unknown_value", f"A level is one of {', '.join(LEVEL_NAMES)}.")
    if seat.kind == PLAYER and seat.player is None:
        return FieldError(f"{pointer}/username", "unknown_player", "There is no player of this name.")
    return _unratable(seat, pointer) if match.rated else None


def _unratable(seat: Wanted, pointer: str) -> FieldError | None:
    """What cannot be in a rated match."""
    if seat.kind == AI:
        return FieldError(f"{pointer}/kind", "not_in_rated", "A rated match has no AI seats.")
    if seat.player is not None and seat.player.kind != PlayerKind.HUMAN:
        return FieldError(f"{pointer}/username", "not_in_rated", "Rated matches are for registered people.")
    return None


def _repeated(seat: Wanted, before: Sequence[Wanted], pointer: str) -> FieldError | None:
    """Nobody sits at one table twice."""
    if seat.player is None or all(each.player != seat.player for each in before):
        return None
    member = "kind" if seat.kind == ME else "username"
    return FieldError(f"{pointer}/{member}", "repeated", "This player has another seat already.")
