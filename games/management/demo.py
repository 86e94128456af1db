"""Create demo matches through the same services that clients use."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import monotonic, sleep
from typing import Final

from games.accounts.services.sign_in import create_guest
from games.ai.services import take_turn
from games.core.errors import Problem
from games.gateway.agreement import allowed_players, rule_set_keys
from games.gateway.ai import choose_action
from games.gateway.views import action_body
from games.identity.models import Player
from games.lobby.services.creation import MatchBody, SeatBody, create_match
from games.lobby.services.membership import join_match
from games.matches.models.match import MatchStatus
from games.matches.store import MatchRow, read_match
from games.play.services import act

# Of every six matches, four are finished, one is running and one is waiting for players.
FINISHED, RUNNING, WAITING = "finished", "running", "waiting"
_MIX: Final = (FINISHED, RUNNING, FINISHED, WAITING, FINISHED, FINISHED)
_LEVELS: Final = ("easy", "random")
_NAMES: Final = ("Heather", "Angus", "Morag", "Hamish", "Isla", "Fergus", "Ailsa", "Callum")
_MIN_TURNS, _MAX_TURNS = 5, 60
# If workers run, one of them may have claimed the turn. It needs less time than this.
_TURN_TIMEOUT_SECONDS: Final = 60.0
_POLL_INTERVAL_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class DemoMatch:
    """A summary of a created match."""

    match_id: str
    ruleset: str
    status: str
    seats: tuple[str, ...]
    totals: tuple[int, ...]


def make_demo(*, matches: int, seed: int | None = None) -> Iterator[DemoMatch]:
    """Create matches one by one; the seed determines who plays and how long."""
    rng = Random(seed)  # noqa: S311 -- it does not deal cards
    keys = rule_set_keys()
    counts = dict.fromkeys(_MIX, 0)
    for number in range(matches):
        kind = _MIX[number % len(_MIX)]
        key = keys[counts[kind] % len(keys)]
        counts[kind] += 1
        yield _create_demo_match(kind, key, rng)


def _create_demo_match(kind: str, key: str, rng: Random) -> DemoMatch:
    maker = _guest(rng)
    players = rng.choice(allowed_players(key))
    body: MatchBody = {
        "ruleset": key,
        "players": players,
        "seats": [{"kind": "me"}, *_other_seats(kind, players, rng)],
    }
    if kind == FINISHED:
        body["rounds"] = rng.randint(1, 3)
        body["seats"] = [_ai_seat(rng) for _ in range(players)]
    match_id = create_match(maker=maker, body=body)["id"]
    if kind == FINISHED:
        _play_turns(match_id, {}, turns=None)
    elif kind == RUNNING:
        guest = _guest(rng)
        join_match(match_id=match_id, player=guest)
        _play_turns(
            match_id,
            {each.pk: each for each in (maker, guest)},
            turns=rng.randint(_MIN_TURNS, _MAX_TURNS),
        )
    return _summarise(read_match(match_id, maker))


def _guest(rng: Random) -> Player:
    """Create a guest with a display name, or without if a player of this server has that name."""
    name = rng.choice(_NAMES)
    try:
        return create_guest(display_name=name).token.user
    except Problem:
        return create_guest().token.user


def _other_seats(kind: str, players: int, rng: Random) -> list[SeatBody]:
    """Return an open seat, followed by AI seats or, in a waiting match, sometimes more open seats."""
    rest = [
        SeatBody(kind="open") if kind == WAITING and rng.random() < 1 / 2 else _ai_seat(rng)
        for _ in range(players - 2)
    ]
    return [SeatBody(kind="open"), *rest]


def _ai_seat(rng: Random) -> SeatBody:
    return {"kind": "ai", "level": rng.choice(_LEVELS)}


def _play_turns(match_id: str, people: dict[int, Player], *, turns: int | None) -> None:
    """Take turns until the match is over or, if `turns` is given, until it has had that many more events."""
    row = read_match(match_id, next(iter(people.values()), None))
    last = None if turns is None else row.version + turns
    changed_at, version = monotonic(), row.version
    while row.status == MatchStatus.ACTIVE and (last is None or row.version < last):
        if not _take_turn(row, people):
            sleep(_POLL_INTERVAL_SECONDS)
        row = read_match(match_id, next(iter(people.values()), None))
        if row.version != version:
            changed_at, version = monotonic(), row.version
        elif monotonic() - changed_at > _TURN_TIMEOUT_SECONDS:
            raise TimeoutError(
                f"Match {match_id} has stalled: an AI turn was not taken in time. Check the workers."
            )


def _take_turn(row: MatchRow, people: dict[int, Player]) -> bool:
    """Take the turn of the seat to act; return `False` if a worker has already claimed it."""
    seat = row.seats[row.to_act or 0]
    if seat.player_id is None:
        return take_turn(match_id=row.id, version=row.version) is not None
    choice = choose_action(row.table().view(seat.number), _LEVELS[0])
    act(match_id=row.id, player=people[seat.player_id], body=action_body(choice.action, row.version))
    return True


def _summarise(row: MatchRow) -> DemoMatch:
    return DemoMatch(
        match_id=row.id,
        ruleset=row.ruleset,
        status=row.status,
        seats=tuple(
            seat.username or (f"ai:{seat.level}" if seat.level else seat.state) for seat in row.seats
        ),
        totals=tuple(row.totals),
    )
