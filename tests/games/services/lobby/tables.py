"""Matches made through the lobby, and what their logs say."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from games.errors import Problem
from games.models import Match, Move, Player
from games.services.lobby.creating import create_match
from tests.games.factories import make_player

Form = dict[str, Any]

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
