"""What a seat becomes: each change as a new value."""

import json
from datetime import datetime

from games.matches.store import SeatRow
from games.models import Player, SeatState


def taken(seat: SeatRow, player: Player, client_seed: str) -> SeatRow:
    """The seat with this player on it, whose share in the deals is fixed from now on."""
    return _held(seat, player)._replace(state=SeatState.PLAYING, client_seed=client_seed)


def offered(seat: SeatRow, player: Player) -> SeatRow:
    """The seat kept for somebody who is asked to play."""
    return _held(seat, player)._replace(state=SeatState.INVITED, client_seed="")


def given_to_ai(seat: SeatRow, level: str) -> SeatRow:
    """The seat with an AI on it. An AI has no share in the deals."""
    return freed(seat)._replace(state=SeatState.PLAYING, level=level)


def freed(seat: SeatRow) -> SeatRow:
    """The seat for whoever comes."""
    nobody = seat._replace(player_id=None, username=None, kind=None, wishes=None, mailed=None)
    return nobody._replace(time_zone=None, state=SeatState.OPEN, level="", client_seed="")


def turned_down(seat: SeatRow) -> SeatRow:
    """The seat that its player does not want; it waits for the maker to fill it otherwise."""
    return seat._replace(state=SeatState.DECLINED, client_seed="")


def _held(seat: SeatRow, player: Player) -> SeatRow:
    return seat._replace(
        player_id=player.pk,
        username=player.username,
        kind=player.kind,
        level="",
        wishes=json.dumps(player.notifications),
        mailed=player.email_confirmed,
        time_zone=player.time_zone,
    )


def as_stored(seat: SeatRow, now: datetime) -> SeatRow:
    """Return a seat that changes now. It is live while its player has anything left to do about the match."""
    return seat._replace(
        live=seat.state not in {SeatState.DECLINED, SeatState.RESIGNED},
        joined_at=now if seat.state == SeatState.PLAYING else None,
    )
