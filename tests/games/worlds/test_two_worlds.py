"""Nobody learns what they may not see: two worlds that differ in hidden cards alone tell everything alike.

The worlds share a match: its hidden cards are dealt anew in what is stored, and everything is asked again.
Then somebody acts whose action depends on no hidden card, and what that leaves behind is compared too.
HAGGIS_WORLDS says how many pairs of worlds are compared, HAGGIS_WORLDS_SEED which.
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
from tests.games.worlds.answers import Differs, compare
from tests.games.worlds.pairs import change_the_world, compare_pair
from tests.games.worlds.sources import asked, table
from tests.support.clients import HttpPlayer
from tests.support.factories import helper, logged_in, make_player, start_match

WORLDS: Final = int(os.environ.get("HAGGIS_WORLDS", "6"))
SEED: Final = int(os.environ.get("HAGGIS_WORLDS_SEED", "11"))
# By then somebody has looked who could have seen it.
WORLDS_TO_CATCH_A_LEAK: Final = 6


@pytest.mark.timeout(300 + 60 * WORLDS)
def test_two_worlds_that_differ_in_hidden_cards_tell_everything_alike(database: str) -> None:
    pairs_with_actions = compare_pairs(WORLDS)
    sys.stdout.write(f"{database}: {WORLDS} pairs of worlds alike; in {pairs_with_actions} somebody acted\n")
    assert pairs_with_actions > WORLDS // 10


def compare_pairs(count: int) -> int:
    """Compare so many pairs; in how many somebody acted."""
    operator = logged_in(helper(Role.OPERATOR))
    with_actions = 0
    for pair in range(count):
        try:
            with_actions += compare_pair(pair, SEED, operator)
        except AssertionError as error:
            error.add_note(f"pair {pair} of HAGGIS_WORLDS_SEED={SEED}")
            raise
    return with_actions


def test_a_change_that_a_viewer_may_see_is_seen(database: str) -> None:
    people = [make_player(), make_player()]
    match = start_match(*people)
    viewer = HttpPlayer.enter(match, people[1])
    here = asked(table(viewer))
    change_the_world(match, 0, Random(1))
    with pytest.raises(Differs):
        compare(here, asked(table(viewer)))


Leak = Callable[[Any], Any]


def fingerprint() -> str:
    """Tells which cards are hidden, and no card by itself."""
    return hashlib.sha256(str(Snapshot.objects.latest("pk").state.reveal()).encode()).hexdigest()[:12]


def in_what_is_given(plain: Any) -> Any:
    return lambda *asked, **named: plain(*asked, **named) + fingerprint()


def in_the_detail(plain: Any) -> Any:
    return lambda problem: plain(problem) | {"detail": fingerprint()}


def in_a_line_of_the_log(plain: Any) -> Any:
    def announced(row: Any) -> None:
        logging.getLogger("haggis").info("moved on %s", fingerprint())
        plain(row)

    return announced


@pytest.mark.parametrize(
    ("place", "leak"),
    (
        ("games.api.conditional.entity_tag", in_what_is_given),
        ("games.api.problems.problem_body", in_the_detail),
        ("games.play.services.publish", in_a_line_of_the_log),
        ("games.notifications.deliveries.build_body", in_what_is_given),
    ),
)
def test_a_leak_is_caught(place: str, leak: Leak, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    module, _, name = place.rpartition(".")
    monkeypatch.setattr(place, leak(getattr(__import__(module, fromlist=[name]), name)))
    with pytest.raises(Differs):
        compare_pairs(WORLDS_TO_CATCH_A_LEAK)


def test_a_hand_shown_to_whoever_looks_is_caught(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    view = Table.view
    monkeypatch.setattr(Table, "view", lambda table, _: view(table, table.to_act))
    with pytest.raises(Differs):
        compare_pairs(WORLDS_TO_CATCH_A_LEAK)
