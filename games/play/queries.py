"""Legal moves, possible readings and ETag inputs."""

from django.db.models import F, QuerySet

from games.core.errors import Problem
from games.gateway.documents import LegalMovesDocument, NamedCombination, ReadingsDocument
from games.gateway.table import Table
from games.gateway.views import check_cards as gateway_check_cards
from games.gateway.views import list_legal_moves
from games.identity.models import Player
from games.matches.models.match import MatchStatus, Seat
from games.matches.store import MatchRow, read_match, require_seat


class CheckedCardsDocument(ReadingsDocument):
    """The readings of some cards at a version of the table."""

    version: int


class VersionedLegalMoves(LegalMovesDocument):
    """The legal moves at a version of the table."""

    version: int


def check_cards(
    *, match_id: str, player: Player, cards: list[str], named: NamedCombination | None
) -> CheckedCardsDocument:
    """Return every reading of some of the player's cards on the current table, in turn or not."""
    row = read_match(match_id, player)
    seat = require_seat(row, player)
    readings = gateway_check_cards(_require_table(row), seat.number, cards, named)
    return {"version": row.version, **readings}


def legal_moves(
    *, match_id: str, player: Player, filters: NamedCombination, expand: bool
) -> VersionedLegalMoves:
    """Return the legal moves of the seat to act, or refuse if it is another player's turn."""
    row = read_match(match_id, player)
    seat = require_seat(row, player)
    table = _require_table(row)
    if table.to_act != seat.number:
        raise Problem("not_your_turn", version=row.version)
    return moves_at(row, table, seat.number, filters=filters, expand=expand)


def moves_at(
    row: MatchRow, table: Table, seat: int, *, filters: NamedCombination | None = None, expand: bool = False
) -> VersionedLegalMoves:
    """Return the legal moves of the seat to act at this version of the table."""
    return {"version": row.version, **list_legal_moves(table, seat, named=filters or {}, expand=expand)}


def _require_table(row: MatchRow) -> Table:
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    return row.table()


def etag_inputs(row: MatchRow, player: Player | None) -> tuple[object, ...]:
    """Return everything that this viewer's table depends on, apart from the current time."""
    seat = row.seat_held_by(player)
    standing_trick = "" if seat is None else seat.standing_trick
    return row.version, row.next_match_id, row.rating_result, standing_trick, row.public_names


def missed_orders() -> QuerySet[Seat]:
    """Return the seats to act that have a standing order for which no wake time is set."""
    return Seat.objects.filter(
        live=True, match__status=MatchStatus.ACTIVE, match__wake_at=None, match__to_act=F("number")
    ).exclude(standing_trick="")
