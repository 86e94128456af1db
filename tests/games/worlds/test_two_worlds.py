"""Hidden cards do not leak: two worlds that differ only in hidden cards respond identically.

The worlds share a match: its stored hidden cards are dealt again, and every request is repeated. Then a seat
makes an action that does not depend on hidden cards, and the traces of that action are compared too.
`HAGGIS_WORLDS` is the number of pairs of worlds, `HAGGIS_WORLDS_SEED` selects them.
"""

import hashlib
import logging
import os
import sys
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest

from games.gateway.table import Table
from games.matches.models.log import Snapshot
from games.operators.services import Role
from tests.games.worlds.answers import WorldsDiffer, compare
from tests.games.worlds.pairs import compare_pair, redeal_hidden_cards
from tests.games.worlds.sources import send_all, table
from tests.support.clients import HttpPlayer
from tests.support.factories import logged_in_client, make_operator, make_player, start_match

WORLDS: Final = int(os.environ.get("HAGGIS_WORLDS", "6"))
SEED: Final = int(os.environ.get("HAGGIS_WORLDS_SEED", "11"))
# Among this many pairs there is a viewer who can see the leak.
WORLDS_TO_CATCH_A_LEAK: Final = 6


@pytest.mark.timeout(300 + 60 * WORLDS)
def test_worlds_that_differ_only_in_hidden_cards_respond_identically(database: str) -> None:
    pairs_with_actions = compare_pairs(WORLDS)
    sys.stdout.write(f"{database}: {WORLDS} pairs of worlds alike; in {pairs_with_actions} somebody acted\n")
    assert pairs_with_actions > WORLDS // 10


def compare_pairs(count: int) -> int:
    """Compare pairs of worlds, and return in how many of them a seat acted."""
    operator = logged_in_client(make_operator(Role.OPERATOR))
    with_actions = 0
    for pair in range(count):
        try:
            with_actions += compare_pair(pair, SEED, operator)
        except AssertionError as error:
            error.add_note(f"pair {pair} of HAGGIS_WORLDS_SEED={SEED}")
            raise
    return with_actions


def test_a_difference_in_visible_cards_is_detected(database: str) -> None:
    people = [make_player(), make_player()]
    match = start_match(*people)
    viewer = HttpPlayer.log_in(match, people[1])
    first = send_all(table(viewer))
    redeal_hidden_cards(match, 0, Random(1))
    with pytest.raises(WorldsDiffer):
        compare(first, send_all(table(viewer)))


Leak = Callable[[Any], Any]


def fingerprint() -> str:
    """Return a hash of the hidden cards, which reveals no single card."""
    return hashlib.sha256(str(Snapshot.objects.latest("pk").state.reveal()).encode()).hexdigest()[:12]


def leak_in_return_value(plain: Any) -> Any:
    return lambda *args, **kwargs: plain(*args, **kwargs) + fingerprint()


def leak_in_body(plain: Any) -> Any:
    return lambda *args: (plain(*args) or "") + fingerprint()


def leak_in_error_detail(plain: Any) -> Any:
    return lambda problem: plain(problem) | {"detail": fingerprint()}


def leak_in_log(plain: Any) -> Any:
    def publish_and_log(row: Any) -> None:
        logging.getLogger("haggis").info("moved on %s", fingerprint())
        plain(row)

    return publish_and_log


@pytest.mark.parametrize(
    ("place", "leak"),
    (
        ("games.api.conditional.entity_tag", leak_in_return_value),
        ("games.api.problems.problem_body", leak_in_error_detail),
        ("games.play.services.publish", leak_in_log),
        ("games.notifications.bodies.read_body", leak_in_body),
    ),
)
def test_a_leak_is_detected(place: str, leak: Leak, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    module, _, name = place.rpartition(".")
    monkeypatch.setattr(place, leak(getattr(__import__(module, fromlist=[name]), name)))
    with pytest.raises(WorldsDiffer):
        compare_pairs(WORLDS_TO_CATCH_A_LEAK)


def test_showing_the_hand_of_the_seat_to_act_is_detected(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    view = Table.view
    monkeypatch.setattr(Table, "view", lambda table, _: view(table, table.to_act))
    with pytest.raises(WorldsDiffer):
        compare_pairs(WORLDS_TO_CATCH_A_LEAK)
