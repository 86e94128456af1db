"""Players and matches for tests, made without the lobby."""

from itertools import count
from typing import Any, Final

from games.gateway.agreement import ENGINE_VERSION, agree
from games.gateway.deals import Deals, new_chain
from games.matches.publish import publish
from games.matches.store import MatchRow, read_match
from games.models import Match, Player, Seat, SeatState, Secret, SeedChain, Snapshot, new_match_id
from games.services.lobby.changing import start

_NUMBERS: Final = count(1)

# The chain of a match that is to be the same in every run.
SAME_LINK: Final = bytes(range(32))


def make_player(username: str = "", **fields: Any) -> Player:
    """Somebody with a name of its own."""
    return Player.objects.create_user(username=username or f"player-{next(_NUMBERS)}", **fields)


def make_match(
    *seats: Player | str,
    ruleset: str = "classic",
    options: dict[str, str] | None = None,
    target_score: int | None = None,
    rounds: int | None = None,
    match_id: str = "",
    last_link: bytes | None = None,
    **fields: Any,
) -> Match:
    """A match that waits to be started, its seats held by players and by AIs of the levels named."""
    agreement = agree(
        ruleset=ruleset,
        players=len(seats),
        options=options or {},
        target_score=target_score,
        rounds=rounds,
    )
    match_id = match_id or new_match_id()
    chain, anchor = new_chain(match_id)
    if last_link is not None:
        chain, anchor = last_link, Deals(match_id, last_link, ("",) * len(seats)).chain.anchor.hex()
    match = Match.objects.create(
        id=match_id,
        maker=next((seat for seat in seats if isinstance(seat, Player)), None) or make_player(),
        ruleset=agreement.ruleset,
        ruleset_version=agreement.ruleset_version,
        engine_version=ENGINE_VERSION,
        options=dict(agreement.options),
        players=agreement.players,
        target_score=agreement.target_score,
        rounds_limit=agreement.rounds_limit,
        anchor=anchor,
        **fields,
    )
    SeedChain.objects.create(match=match, last_link=Secret(chain))
    Snapshot.objects.create(match=match, version=0, state=Secret({}))
    for number, held_by in enumerate(seats):
        _make_seat(match, number, held_by)
    return match


def _make_seat(match: Match, number: int, held_by: Player | str) -> None:
    player = held_by if isinstance(held_by, Player) else None
    level = held_by if isinstance(held_by, str) else ""
    Seat.objects.create(match=match, number=number, state=SeatState.PLAYING, player=player, level=level)


def start_match(*seats: Player | str, **asked: Any) -> Match:
    """A match that has just been started. It is announced like any other."""
    match = make_match(*seats, **asked)
    publish(start(read_row(match), by_seat=None))
    return Match.objects.get(pk=match.pk)


def read_row(match: Match) -> MatchRow:
    """A match as the maker reads it now."""
    return read_match(match.pk, match.maker)
