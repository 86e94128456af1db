"""Thousands of matches in which the engine, the referee and the bookkeeper agree on every action.

`HAGGIS_SELFPLAY_ROUNDS` says how many rounds of each rule set with each number of players, 250 unless told.
"""

import os
from collections import Counter

import pytest

from engine.matches.ending import Length
from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.model import RuleSet
from tests.engine.scoring.finished_rounds import tables_of
from tests.engine.selfplay.deals import Dealer, dice
from tests.engine.selfplay.players import HABITS, next_doing
from tests.engine.selfplay.watched import Watched

ROUNDS = int(os.environ.get("HAGGIS_SELFPLAY_ROUNDS", "250"))
LENGTHS = (Length(target=250), Length(rounds=1), Length(target=1), Length(rounds=6), Length(target=100))

# The more rounds, the longer before a test is taken to hang.
pytestmark = pytest.mark.timeout(max(300, ROUNDS // 5))

# What has to have happened among so many rounds, or they have shown little.
RARE = {
    2: {
        *(f"refused {code}" for code in ("not_your_turn", "must_lead", "bet_closed", "award_invalid")),
        *(f"refused {code}" for code in ("card_not_in_hand", "not_a_combination", "does_not_beat")),
        "bomb on a bomb",
        "pass on a led bomb",
        "round that ended on a bomb",
        "bet out of turn",
    }
}
RARE[3] = RARE[2] | {
    "refused award_due",
    "award",
    "award to a player who is out",
    "award by a player who is out",
    "award after the last card",
    "bet while an award is due",
    "bet after another went out",
    "play after a pass in the same trick",
    "trick begun by a winner's neighbour",
}

every_game = pytest.mark.parametrize(
    ("rules", "players"),
    [(rules, players) for rules in RULE_SETS for players in rules.players],
    ids=[f"{rules.key} {players}" for rules in RULE_SETS for players in rules.players],
)


def self_play(rules: RuleSet, players: int, *, rounds: int, thin: bool) -> Counter[str]:
    """Play whole matches, with all options in turn, until so many rounds have been played; what was seen."""
    seen: Counter[str] = Counter()
    tables = tables_of(rules, players)
    while seen["rounds"] < rounds:
        number = seen["matches"]
        rng = dice(f"{rules.key} {players} {thin} {number}")
        table = Watched(
            tables[number % len(tables)],
            rng.choice(LENGTHS),
            first_seat=rng.randrange(players),
            dealer=Dealer(players, rng, thin=thin),
        )
        habits = rng.choices(HABITS, k=players)
        while not table.state.is_over:
            table.act(*next_doing(table, habits[table.position.to_act], rng))
        assert table.act(*next_doing(table, habits[0], rng)) == "match_over"
        seen += table.seen
        seen["matches"] += 1
    return seen


@every_game
def test_in_whole_rounds_engine_and_referee_agree_on_every_action_and_every_sheet(
    rules: RuleSet, players: int
) -> None:
    seen = self_play(rules, players, rounds=ROUNDS, thin=False)
    usual = {"refused not_your_turn", "refused card_not_in_hand", "refused not_a_combination", "bets paid"}
    assert usual <= seen.keys()


@every_game
def test_in_rounds_of_few_cards_engine_and_referee_agree_and_everything_rare_is_seen(
    rules: RuleSet, players: int
) -> None:
    seen = self_play(rules, players, rounds=max(600, 2 * ROUNDS), thin=True)
    assert RARE[players] - seen.keys() == set()
