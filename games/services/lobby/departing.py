"""Going for good: whoever deletes the account leaves nobody waiting at a table."""

from django.db.models import QuerySet

from games.models import Match, MatchStatus, Player, Seat, SeatState
from games.selectors.table_form import PLAYED
from games.services.lobby.calling_off import cancel_match
from games.services.lobby.joining import decline_invitation
from games.services.lobby.leaving import leave_match
from games.services.lobby.resigning import resign


def leave_all_matches(*, player: Player) -> None:
    """Call off what the player made and nobody began, decline, stand up, and resign the rest."""
    made = Match.objects.filter(maker=player, status=MatchStatus.OPEN)
    for match_id in list(made.values_list("pk", flat=True)):
        cancel_match(match_id=match_id, player=player)
    taken = Seat.objects.filter(player=player, live=True, state__in=(SeatState.PLAYING, SeatState.CARETAKER))
    for match_id in _of(taken, MatchStatus.OPEN):
        leave_match(match_id=match_id, player=player)
    offered = Seat.objects.filter(player=player, live=True, state=SeatState.INVITED)
    for match_id in _of(offered, MatchStatus.OPEN):
        decline_invitation(match_id=match_id, player=player)
    for match_id in _of(taken, *PLAYED):
        resign(match_id=match_id, player=player)


def _of(seats: "QuerySet[Seat]", *statuses: str) -> list[str]:
    """The matches of these seats that stand so."""
    return list(seats.filter(match__status__in=statuses).values_list("match_id", flat=True))
