"""Query and render the directory of players, who is online, and whom a player follows or blocks."""

from dataclasses import dataclass
from typing import Final, TypedDict

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Collate, Lower

from games.core.errors import Problem
from games.core.languages import message
from games.directory.models import Follow
from games.identity.models import LISTED, LISTED_KINDS, Block, Player
from games.identity.queries import ProfileDocument, public_player, render_profile
from games.realtime.online import online_players

# A search selects from this many usernames and display names of people, and of bots, in alphabetical order.
SEARCHED_NAMES: Final = 500
# Players who are online and can be listed.
MAX_LISTED_ONLINE: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryFilter:
    """The filters of the directory; `None` and `False` do not filter."""

    search: str | None = None
    kind: str | None = None
    online: bool = False
    follows: bool = False


class RelationDocument(TypedDict):
    """Whether a player follows and blocks another one."""

    follows: bool
    blocks: bool


class ListedPlayerDocument(ProfileDocument):
    """A player in the directory."""

    online: bool


def listed_players(directory_filter: DirectoryFilter, viewer: Player | None) -> QuerySet[Player]:
    """Return the players in the directory, whom an index gives in the order of their creation."""
    players = Player.objects.filter(LISTED).select_related("owner", "challenge_policy")
    if directory_filter.kind is not None:
        players = players.filter(kind=directory_filter.kind)
    if directory_filter.follows:
        if viewer is None:
            raise Problem("not_authenticated", message("Send a token to list the players whom you follow."))
        players = players.filter(pk__in=Follow.objects.filter(follower=viewer).values("followed"))
    if directory_filter.online:
        online = sorted(online_players(), reverse=True)[:MAX_LISTED_ONLINE]
        players = players.filter(pk__in=online, show_online=True)
    if directory_filter.search:
        players = players.filter(pk__in=_players_called(directory_filter.search, directory_filter.kind))
    return players


def _players_called(text: str, kind: str | None) -> set[int]:
    """Return the ids of players whose username or display name begins with a text, ignoring case.

    Each query reads one range of an index in its order, so its cost does not depend on the number of players.
    """
    found: set[int] = set()
    for each in (kind,) if kind else LISTED_KINDS:
        for column in ("username", "display_name"):
            named = Q() if column == "username" else ~Q(display_name="")
            folded = Collate(Lower(column), "C" if connection.vendor == "postgresql" else "BINARY")
            players = Player.objects.filter(LISTED, named, kind=each).alias(folded=folded)
            called = players.filter(folded__startswith=text.lower()).order_by("folded")
            found.update(called.values_list("pk", flat=True)[:SEARCHED_NAMES])
    return found


def render_listed_player(player: Player, online: frozenset[int]) -> ListedPlayerDocument:
    """Render a player in the directory. Who hides it is never shown as online."""
    return {**render_profile(player), "online": player.show_online and player.pk in online}


def followed_by(player: Player) -> QuerySet[Follow]:
    """Return whom a player follows."""
    rows = Follow.objects.filter(follower=player, followed__is_active=True)
    return rows.select_related("followed__owner", "followed__challenge_policy")


def blocked_by(player: Player) -> QuerySet[Block]:
    """Return whom a player blocks."""
    rows = Block.objects.filter(blocker=player, blocked__is_active=True)
    return rows.select_related("blocked__owner", "blocked__challenge_policy")


def relation(player: Player, username: str) -> RelationDocument:
    """Return whether a player follows and blocks another one; raise 404 if there is no such player."""
    other = public_player(username)
    return {
        "follows": Follow.objects.filter(follower=player, followed=other).exists(),
        "blocks": Block.objects.filter(blocker=player, blocked=other).exists(),
    }
