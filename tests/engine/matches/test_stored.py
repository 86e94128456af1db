import json

import pytest

from engine.matches.ending import Length
from engine.matches.state import MatchState
from engine.matches.stored import dump, load
from engine.rulesets.model import TableRules
from tests.engine.matches.tables import ALL, Script, after, match_of
from tests.engine.randomness import seeded
from tests.engine.rounds.tables import at_every_table
from tests.engine.scoring.finished_rounds import table
from tests.engine.selfplay.cross_check import CheckedMatch
from tests.engine.selfplay.deals import Dealer
from tests.engine.selfplay.players import HABITS, next_action


def round_trip(state: MatchState) -> MatchState:
    """Return the match after a round trip through JSON text."""
    return load(state.rules, state.length, json.loads(json.dumps(dump(state))))


@at_every_table
@pytest.mark.parametrize("thin", (True, False), ids=("thin", "whole"))
def test_a_match_round_trips_after_every_action(rules: TableRules, *, thin: bool) -> None:
    rng = seeded(f"stored {thin}")
    dealer = Dealer(rules.players, rng, thin=thin)
    match = CheckedMatch(rules, Length(target=100), first_seat=0, dealer=dealer)
    while not match.state.is_over:
        match.act(*next_action(match, HABITS[3], rng))
        assert round_trip(match.state) == match.state
        assert round_trip(match.state).round.position.parts() == match.state.round.position.parts()


def test_a_loaded_match_continues_like_the_original() -> None:
    script = Script(("2r", "2r"))
    state = match_of(table("classic", 2), Length(target=80), script, first_seat=1)
    lines = ("1 bets 15", f"0 {ALL}", f"1 {ALL}", f"1 {ALL}")
    for step in range(len(lines)):
        half_way = round_trip(after(state, script, *lines[:step]))
        assert after(half_way, script, *lines[step:]) == after(state, script, *lines)


def test_the_stored_value_does_not_depend_on_the_origin_of_the_rules() -> None:
    script = Script(("2r", "3r", "4r"))
    states = [match_of(table(key), Length(target=250), script) for key in ("classic", "revised")]
    assert dump(states[0]) == dump(states[1])


def test_a_match_stored_in_another_format_is_refused() -> None:
    state = match_of(table("classic", 2), Length(target=80), Script(("2r", "2r")))
    with pytest.raises(ValueError, match="format 0"):
        load(state.rules, state.length, dump(state) | {"form": 0})
