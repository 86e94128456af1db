"""Players, matches and tables for tests."""

from datetime import timedelta
from itertools import count
from typing import Any, Final

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from games.accounts.models import SecondFactor
from games.accounts.services.second_factor import second_factor_id
from games.ai.services import take_turn
from games.clock.timeouts import time_out_due_turns
from games.core.errors import Problem
from games.core.secrets import Secret
from games.gateway.agreement import ENGINE_VERSION, Deals, create_chain, make_agreement
from games.gateway.ai import choose_action, fallback_action
from games.gateway.views import action_body
from games.identity.models import Player
from games.lobby.services.creation import OPEN_MATCH_LIFETIME, create_match
from games.lobby.services.seats import start
from games.matches.models.log import Move, SeedChain, Snapshot
from games.matches.models.match import Match, Seat, SeatState, new_match_id
from games.matches.publish import publish
from games.matches.store import MatchRow, read_match
from games.operators.services import Role, appoint
from games.play.services import act

# A document as clients see it: tests read any of its members.
JsonObject = Any

_NUMBERS: Final = count(1)

# The last link of matches with reproducible deals.
SAME_LINK: Final = bytes(range(32))

# A request that creates a match, with every member.
NEW_MATCH: Final[JsonObject] = {
    "ruleset": "classic",
    "options": {"bomb_capture": "winner_chooses"},
    "players": 2,
    "target_score": 250,
    "seats": [{"kind": "me"}, {"kind": "open"}],
    "turn_seconds": 86400,
    "time_bank_seconds": 0,
    "on_timeout": "move",
    "timeouts_allowed": 3,
    "after_timeouts": "caretaker",
    "vacations": True,
    "visibility": "public",
    "rated": False,
    "hints": False,
    "hold": False,
    "client_seed": "anything",
}

# Settings of a match for two players that is rated.
RATED: Final[JsonObject] = {"rated": True, "after_timeouts": "forfeit"}


def make_player(username: str = "", **fields: Any) -> Player:
    """Create a player with a unique name."""
    return Player.objects.create_user(username=username or f"player-{next(_NUMBERS)}", **fields)


def make_notified_player(*kinds: str, way: str = "email", **fields: Any) -> Player:
    """Create a player who is notified of these kinds by this channel."""
    columns = {"email_confirmed": True, "notifications": {way: list(kinds)}, **fields}
    player = make_player(**columns)
    Player.objects.filter(pk=player.pk).update(email=f"{player.username}@example.org")
    player.refresh_from_db()
    return player


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
    """Create an open match; each seat is a player or the name of an AI level.

    The maker is the first player who sits in it, unless `maker` is given.
    """
    agreement = make_agreement(
        ruleset=ruleset,
        players=len(seats),
        options=options or {},
        target_score=target_score,
        rounds=rounds,
    )
    match_id = match_id or new_match_id()
    chain, anchor = create_chain(match_id)
    if last_link is not None:
        chain, anchor = last_link, Deals(match_id, last_link, ("",) * len(seats)).chain.anchor.hex()
    seated = next((seat for seat in seats if isinstance(seat, Player)), None)
    fields.setdefault("expires_at", timezone.now() + OPEN_MATCH_LIFETIME)
    match = Match.objects.create(
        id=match_id,
        maker=fields.pop("maker", seated) or make_player(),
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
    for number, occupant in enumerate(seats):
        _make_seat(match, number, occupant)
    return match


def _make_seat(match: Match, number: int, occupant: Player | str) -> None:
    player = occupant if isinstance(occupant, Player) else None
    level = occupant if isinstance(occupant, str) else ""
    Seat.objects.create(match=match, number=number, state=SeatState.PLAYING, player=player, level=level)


def start_match(*seats: Player | str, **fields: Any) -> Match:
    """Create and start a match, and notify the subscribers."""
    match = make_match(*seats, **fields)
    publish(start(read_row(match), by_seat=None))
    return Match.objects.get(pk=match.pk)


def start_match_with_due_ai_turn() -> Match:
    """Start a match of a player and an AI in which it is the turn of the AI."""
    while (match := start_match(make_player(), "easy")).to_act != 1:
        pass
    return match


def read_row(match: Match) -> MatchRow:
    """Read a match as its maker."""
    return read_match(match.pk, match.maker)


ME: JsonObject = {"kind": "me"}
OPEN: JsonObject = {"kind": "open"}


def ai(level: str = "random") -> JsonObject:
    return {"kind": "ai", "level": level}


def invited(player: Player | str) -> JsonObject:
    return {"kind": "player", "username": player if isinstance(player, str) else player.username}


def make_table(maker: Player | None = None, *seats: JsonObject, **body: Any) -> JsonObject:
    """Create a match through the service; by default with its maker and an open seat."""
    settings: JsonObject = {"ruleset": "classic", **({"seats": list(seats)} if seats else {}), **body}
    return create_match(maker=maker or make_player(), body=settings)


def seat_states(table: JsonObject) -> list[str]:
    return [seat["state"] for seat in table["seats"]]


def logged_types(table: JsonObject) -> list[tuple[str, int | None]]:
    """Return type and seat of each log entry; check that every version has an entry."""
    entries = list(
        Move.objects.filter(match_id=table["id"]).order_by("version").values_list("entry", flat=True)
    )
    assert [entry["version"] for entry in entries] == list(range(1, stored_match(table).version + 1))
    return [(entry["type"], entry["seat"]) for entry in entries]


def stored_match(table: JsonObject) -> Match:
    return Match.objects.get(pk=table["id"])


def raises_problem(code: str) -> Any:
    """Expect a `Problem` with this code."""
    return pytest.raises(Problem, check=lambda problem: problem.code == code)


def raises_field_error(pointer: str, code: str) -> Any:
    """Expect exactly this field error."""
    return pytest.raises(
        Problem,
        check=lambda problem: [(each.pointer, each.code) for each in problem.errors] == [(pointer, code)],
    )


TURN = 1000


def start_timed_match(*seats: Player | str, **fields: Any) -> Match:
    """Start a match with deadlines, by default between two new players."""
    return start_match(*(seats or (make_player(), make_player())), **{"turn_seconds": TURN, **fields})


def reload_match(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def seat_to_act(match: Match) -> Seat:
    match = reload_match(match)
    return Seat.objects.get(match=match, number=match.to_act or 0)


def last_entry(match: Match) -> JsonObject:
    entry: JsonObject = Move.objects.filter(match=match).latest("version").entry
    return entry


def logged_events(match: Match) -> list[tuple[str, int | None, str]]:
    """Return type, seat and actor of each log entry."""
    moves = Move.objects.filter(match=match).order_by("version")
    return [(move.type, move.seat, move.by) for move in moves]


def make_overdue(*matches: Match) -> None:
    """Move the deadlines of the current turns into the past."""
    delta = timedelta(seconds=2 * TURN)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(deadline=F("deadline") - delta)


def time_out(match: Match) -> JsonObject:
    """Time the current turn out and return the log entry."""
    make_overdue(match)
    assert time_out_due_turns() == 1
    return last_entry(match)


def play_turn(match: Match, level: str = "") -> JsonObject:
    """Act for the player to act, with the fallback action or that of an AI level; return the response."""
    row = read_row(match)
    seat = row.seats[row.to_act or 0]
    player = Player.objects.get(pk=seat.player_id or 0)
    table = row.table()
    view = table.view(seat.number)
    choice = choose_action(view, level) if level else fallback_action(view, table.totals)
    return act(match_id=match.pk, player=player, body=action_body(choice.action, row.version))


PASSWORD = "tartan-blanket-77"


def play_ai_turns(match: Match) -> Match:
    """Take the turns of AIs until a person is to act or the match is over; return the match."""
    while take_turn(match_id=match.pk, version=reload_match(match).version):
        pass
    return reload_match(match)


def make_operator(role: Role) -> Player:
    """Create an operator with this role."""
    player = make_player(password=PASSWORD)
    appoint(player=player, role=role, reason="helps")
    return Player.objects.get(pk=player.pk)


def logged_in_client(player: Player) -> Client:
    """Return a browser session of a player who has entered a code of a second factor."""
    SecondFactor.objects.get_or_create(
        player=player, defaults={"key": Secret("JBSWY3DPEHPK3PXP"), "confirmed_at": timezone.now()}
    )
    client = Client()
    client.force_login(player)
    session = client.session
    session["second_factor"] = second_factor_id(player)
    session.save()
    return client
