"""A match held while its seats change: who comes second waits, and sees what the first one did."""

from games.errors import Problem
from games.matches.store import MatchRow, SeatRow, read_match
from games.models import MatchStatus, Player
from games.services.hold import hold


def hold_match(*, match_id: str, player: Player | None) -> MatchRow:
    """Lock a match for the rest of the transaction and read it, 404 for who may not see it.

    What is judged by this row stays true until the commit: nothing moves a match on without its row. It is
    read after the lock was given, so it is not what it was while somebody else held it.
    """
    hold(match_id)
    return read_match(match_id, player)


def refuse_unless_open(row: MatchRow) -> None:
    """Seats change before the start only."""
    if row.status != MatchStatus.OPEN:
        raise Problem("match_not_open")


def refuse_unless_maker(row: MatchRow, player: Player) -> None:
    """Only who made the match may decide about it, with a seat there or without one."""
    if row.maker_id != player.pk:
        raise Problem("not_seated" if row.seat_of(player) is None else "not_the_maker")


def held_seat(row: MatchRow, player: Player) -> SeatRow:
    """The seat that is this player's, taken or offered; refused for who has nothing to do with the table."""
    held = row.held_by(player)
    if held is None:
        raise Problem("not_seated")
    return held
