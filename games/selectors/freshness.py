"""What a table depends on for its viewer, read in one query with the viewer's token.

So whoever has the table as it is is told so after a single trip to the database.
"""

from typing import Any

from django.db.models import Exists, JSONField, OuterRef, Q, QuerySet, Subquery

from games.models import ApiToken, Match, Player, Seat, Visibility
from games.selectors.json_rows import json_rows
from games.selectors.matches import MatchRow

Parts = tuple[object, ...]


def parts_of(row: MatchRow, player: Player | None) -> Parts:
    """All that a table depends on for this viewer; the time of day does not count."""
    held = row.held_by(player)
    standing = "" if held is None else held.standing_trick
    return row.match.version, row.match.next_match_id, standing, row.names


def with_table(tokens: "QuerySet[ApiToken]", match_id: str) -> "QuerySet[Any]":
    """Read with a token what the table depends on for its player, if it is there to be seen."""
    own = Seat.objects.filter(match_id=match_id, player_id=OuterRef("user_id"))
    asker = OuterRef("user_id")
    sits = Exists(Seat.objects.filter(match_id=match_id, player_id=OuterRef(asker)))
    seen = Match.objects.filter(~Q(visibility=Visibility.PRIVATE) | Q(maker_id=asker) | Q(sits), pk=match_id)
    people = json_rows(
        Seat.objects.all(), "match", number="number", username="player__username", kind="player__kind"
    )
    return tokens.annotate(
        table_version=Subquery(seen.values("version")),
        table_next=Subquery(seen.values("next_match_id")),
        table_standing=Subquery(own.values("standing_trick")),
        table_maker=Subquery(seen.values("maker__username")),
        table_people=Subquery(seen.annotate(people=people).values("people"), output_field=JSONField()),
    )


def parts_with(token: object) -> Parts | None:
    """The same parts from a token that was read so; None where there is nothing to be seen."""
    version = getattr(token, "table_version", None)
    if version is None:
        return None
    seats = sorted(getattr(token, "table_people", None) or (), key=lambda seat: seat["number"])
    names = getattr(token, "table_maker", None), *((seat["username"], seat["kind"]) for seat in seats)
    return version, getattr(token, "table_next", None), getattr(token, "table_standing", None) or "", names
