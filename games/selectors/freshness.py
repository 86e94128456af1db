"""What a table depends on for its viewer: whoever has it for these has it as it is."""

from games.matches.store import MatchRow
from games.models import Player

Parts = tuple[object, ...]


def parts_of(row: MatchRow, player: Player | None) -> Parts:
    """All that a table depends on for this viewer; the time of day does not count."""
    held = row.held_by(player)
    standing = "" if held is None else held.standing_trick
    return row.version, row.next_match_id, standing, row.names
