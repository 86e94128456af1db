"""What many streams ask for at once: one query for all of them, so that waiting costs next to nothing."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from games.models import ApiToken, Match, Move, Seat, Visibility

Form = dict[str, Any]
Entry = tuple[str, int, Form]

# Entries that end the log of a match, beside the one that the end of its last round is in.
_LAST: Final = frozenset({"cancelled", "annulled"})


def entries_after(places: Mapping[str, int], *, limit: int) -> list[Entry]:
    """The entries of each match after a version, in the order of its log."""
    wanted = Q()
    for match_id, version in places.items():
        wanted |= Q(match_id=match_id, version__gt=version)
    rows = Move.objects.filter(wanted).order_by("match_id", "version")
    return list(rows.values_list("match_id", "version", "entry")[:limit])


def is_last(entry: Form) -> bool:
    """Whether the log of a match ends with this entry."""
    return entry["type"] in _LAST or any(each["type"] == "match_end" for each in entry["then"])


def versions_of(matches: Collection[str]) -> dict[str, int]:
    """How far each match has come; those that are not there any more are left out."""
    return dict(Match.objects.filter(pk__in=matches).values_list("pk", "version"))


def good_tokens(digests: Collection[str]) -> set[str]:
    """Those of the tokens that still let their players in."""
    tokens = ApiToken.objects.filter(digest__in=digests, user__is_active=True)
    unexpired = tokens.filter(Q(expiry=None) | Q(expiry__gt=timezone.now()))
    return set(unexpired.values_list("digest", flat=True))


def admitted_to(matches: Collection[str]) -> dict[str, set[int]]:
    """Whom each of these matches is for, where it is private; the others are for everybody."""
    private = Match.objects.filter(pk__in=matches, visibility=Visibility.PRIVATE)
    admitted: dict[str, set[int]] = {
        match_id: {maker} for match_id, maker in private.values_list("pk", "maker_id")
    }
    held = Seat.objects.filter(match__in=admitted, player__isnull=False)
    for match_id, player_id in held.values_list("match_id", "player_id"):
        if player_id is not None:
            admitted[match_id].add(player_id)
    return admitted
