"""Which matches can be rated: their settings, and who plays in them."""

from collections.abc import Collection, Iterator
from typing import Final

from games.core.errors import FieldError, Problem
from games.core.languages import Text, message
from games.identity.models import Player, PlayerKind
from games.matches.models.match import AfterTimeouts, Match, Visibility
from games.matches.store import MatchRow

LEAST_TARGET: Final = 100
LEAST_ROUNDS: Final = 4
CODE: Final = "rating_not_possible"
_PLAYERS_OF_A_DUEL: Final = 2


def setting_errors(match: Match | MatchRow) -> list[FieldError]:
    """Return the settings of a match that do not allow it to be rated."""
    return [FieldError(pointer, CODE, detail) for pointer, detail in _setting_errors(match)]


def _setting_errors(match: Match | MatchRow) -> Iterator[tuple[str, Text]]:
    if match.visibility != Visibility.PUBLIC:
        yield "/visibility", message("A rated match must be public.")
    if match.turn_seconds is None:
        yield "/turn_seconds", message("A rated match needs a clock.")
    if match.hints:
        yield "/hints", message("A rated match cannot have hints.")
    if match.target_score is not None and match.target_score < LEAST_TARGET:
        yield (
            "/target_score",
            message("A rated match needs a target of at least {least} points.", least=LEAST_TARGET),
        )
    if match.rounds_limit is not None and match.rounds_limit < LEAST_ROUNDS:
        yield "/rounds", message("A rated match needs at least {least} rounds.", least=LEAST_ROUNDS)
    if match.players == _PLAYERS_OF_A_DUEL and match.after_timeouts != AfterTimeouts.FORFEIT:
        yield (
            "/after_timeouts",
            message("In a rated match of two players, too many timeouts forfeit it: set this to forfeit."),
        )


def player_error(player: Player, others: Collection[Player]) -> Text | None:
    """Return why this player cannot play a rated match with these others, or `None`."""
    if player.kind == PlayerKind.GUEST:
        return message("Guests cannot play rated matches: claim the account first.")
    if any(other.kind != player.kind for other in others):
        return message("Rated matches are between people or between bots.")
    owners = {other.owner_id or other.pk for other in others}
    if (player.owner_id or player.pk) in owners:
        return message("Accounts of one owner cannot play rated matches against each other.")
    return None


def require_ratable_player(row: MatchRow, player: Player) -> None:
    """Refuse a seat of a rated match to a player who cannot play it with those who have seats."""
    if not row.rated:
        return
    seated = [seat.player_id for seat in row.seats if seat.player_id not in {None, player.pk}]
    error = player_error(player, Player.objects.filter(pk__in=seated) if seated else ())
    if error is not None:
        raise Problem(CODE, error)


def require_ratable_ai(*, rated: bool) -> None:
    """Refuse an AI in a rated match."""
    if rated:
        raise Problem(CODE, ai_error())


def ai_error() -> Text:
    """Return why an AI cannot play a rated match."""
    return message("A rated match cannot have AI seats.")


def can_be_rated_again(row: MatchRow) -> bool:
    """Return whether a rematch of this match is rated: matches of earlier releases had other conditions."""
    if not row.rated or setting_errors(row) or any(seat.player_id is None for seat in row.seats):
        return False
    players = list(Player.objects.filter(pk__in=[seat.player_id for seat in row.seats]))
    return all(player_error(player, players[:number]) is None for number, player in enumerate(players))
