"""Players, matches and tables for tests."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from threading import Barrier
from typing import Any, Final

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client

from games.clock.timeouts import time_out_due_turns
from games.core.errors import Problem
from games.core.secrets import Secret
from games.gateway.agreement import ENGINE_VERSION, Deals, create_chain, make_agreement
from games.gateway.ai import choose_action, fallback_action
from games.gateway.views import action_body
from games.identity.models import Player
from games.lobby.services.creation import create_match
from games.lobby.services.seats import start
from games.matches.models.log import Move, SeedChain, Snapshot
from games.matches.models.match import Match, Seat, SeatState, new_match_id
from games.matches.publish import publish
from games.matches.store import MatchRow, read_match
from games.operators.services import Role, appoint
from games.play.services import act

Form = dict[str, Any]

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


ME: Form = {"kind": "me"}
OPEN: Form = {"kind": "open"}


def ai(level: str = "random") -> Form:
    return {"kind": "ai", "level": level}


def invited(player: Player | str) -> Form:
    return {"kind": "player", "username": player if isinstance(player, str) else player.username}


def make_table(maker: Player | None = None, *seats: Form, **body: Any) -> Form:
    """A new match; without seats for two, its maker and whoever comes."""
    wanted: Form = {"ruleset": "classic", **({"seats": list(seats)} if seats else {}), **body}
    return create_match(maker=maker or make_player(), body=wanted)


def states(table: Form) -> list[str]:
    return [seat["state"] for seat in table["seats"]]


def log_of(table: Form) -> list[tuple[str, int | None]]:
    """What the log says happened at which seat; every version of the match must be in it."""
    entries = list(
        Move.objects.filter(match_id=table["id"]).order_by("version").values_list("entry", flat=True)
    )
    assert [entry["version"] for entry in entries] == list(range(1, stored(table).version + 1))
    return [(entry["type"], entry["seat"]) for entry in entries]


def stored(table: Form) -> Match:
    return Match.objects.get(pk=table["id"])


def refusal(code: str) -> Any:
    """Expect this refusal."""
    return pytest.raises(Problem, check=lambda problem: problem.code == code)


def fault(pointer: str, code: str) -> Any:
    """Expect this fault of the body, and no other."""
    return pytest.raises(
        Problem,
        check=lambda problem: [(each.pointer, each.code) for each in problem.errors] == [(pointer, code)],
    )


def at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """Do all of this at the same moment; what came back, problems included."""
    together = Barrier(len(acts), timeout=20)

    def do(act: Callable[[], Any]) -> Any:
        together.wait()
        try:
            return act()
        except Problem as problem:
            return problem.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(do, acts))


TURN = 1000


def with_clock(*seats: Player | str, **agreed: Any) -> Match:
    """A match that has just begun, of two people if nothing else is said."""
    return start_match(*(seats or (make_player(), make_player())), **{"turn_seconds": TURN, **agreed})


def now_at(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def seat_to_act(match: Match) -> Seat:
    match = now_at(match)
    return Seat.objects.get(match=match, number=match.to_act or 0)


def last_entry(match: Match) -> Form:
    entry: Form = Move.objects.filter(match=match).latest("version").entry
    return entry


def events(match: Match) -> list[tuple[str, int | None, str]]:
    """What happened at which seat, and who did it."""
    moves = Move.objects.filter(match=match).order_by("version")
    return [(move.type, move.seat, move.by) for move in moves]


def make_overdue(*matches: Match) -> None:
    """Let the turns that run be over."""
    passed = timedelta(seconds=2 * TURN)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(deadline=F("deadline") - passed)


def time_out(match: Match) -> Form:
    """Let the turn be over and the clock act; the entry of what it did."""
    make_overdue(match)
    assert time_out_due_turns() == 1
    return last_entry(match)


def play_on(match: Match, level: str = "") -> Form:
    """Let the player whose turn it is take it, as plainly as may be or as an AI would; the answer."""
    row = read_row(match)
    seat = row.seats[row.to_act or 0]
    player = Player.objects.get(pk=seat.player_id or 0)
    table = row.table()
    view = table.view(seat.number)
    choice = choose_action(view, level) if level else fallback_action(view, table.totals)
    return act(match_id=match.pk, player=player, body=action_body(choice.action, row.version))


PASSWORD = "tartan-blanket-77"


def helper(role: Role) -> Player:
    """Somebody in this role."""
    player = make_player(password=PASSWORD)
    appoint(player=player, role=role, reason="helps")
    return Player.objects.get(pk=player.pk)


def logged_in(player: Player) -> Client:
    """A browser of theirs."""
    client = Client()
    client.force_login(player)
    return client
