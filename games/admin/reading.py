"""What a page of the admin is about: the match or the player that is asked for, and who asks."""

from django.contrib.admin.utils import unquote
from django.http import Http404, HttpRequest

from games.matches.store import MatchRow, find_match
from games.models import Player


def operator_of(request: HttpRequest) -> Player:
    """Who is logged in: the pages of the admin are for nobody else."""
    if not isinstance(request.user, Player):
        raise Http404
    return request.user


def wanted_match(match_id: str) -> MatchRow:
    """The match, or nothing to be found. The lists write ids in their own way (`_` as `_5F`)."""
    row = find_match(unquote(match_id))
    if row is None:
        raise Http404
    return row


def wanted_player(player_id: int) -> Player:
    """The player, or nothing to be found."""
    player = Player.objects.select_related("owner").filter(pk=player_id).first()
    if player is None:
        raise Http404
    return player
