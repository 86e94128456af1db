"""Thousands of matches in which the engine, the referee and the bookkeeper agree on every action.

`HAGGIS_SELFPLAY_ROUNDS` sets the rounds per rule set and number of players, 250 by default.
"""

import os
from collections import Counter

import pytest

from engine.matches.ending import Length
from engine.rulesets.catalogue import EARLIER_VERSIONS, RULE_SETS
from engine.rulesets.model import RuleSet
from engine.rulesets.terms import BetsClose
from tests.engine.randomness import seeded
from tests.engine.scoring.finished_rounds import tables_of
from tests.engine.selfplay.cross_check import CheckedMatch
from tests.engine.selfplay.deals import Dealer
from tests.engine.selfplay.players import HABITS, next_action

ROUNDS = int(os.environ.get("HAGGIS_SELFPLAY_ROUNDS", "250"))
LENGTHS = (Length(target=250), Length(rounds=1), Length(target=1), Length(rounds=6), Length(target=100))

# The timeout of a test grows with the number of rounds.
pytestmark = pytest.mark.timeout(max(300, ROUNDS // 5))

# What must have happened in this many rounds, so that the test is meaningful.
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
    "play after a pass in the same trick",
    "trick begun by a winner's neighbour",
}

# Earlier versions play fewer matches, enough to verify that they are unchanged.
ROUNDS_OF_EARLIER_VERSIONS = max(50, ROUNDS // 10)
GAMES = [(rules, players) for rules in RULE_SETS + EARLIER_VERSIONS for players in rules.players]

every_game = pytest.mark.parametrize(
    ("rules", "players"), GAMES, ids=[f"{rules.key}/{rules.version} {players}" for rules, players in GAMES]
)


def rare_things(rules: RuleSet, players: int) -> set[str]:
    """Return what must be seen in short rounds under these rules."""
    rare = set(RARE[players])
    if players == 3 and rules.bets_close is BetsClose.ALL_BUT_ONE_OUT:
        rare.add("bet after another went out")
    if players == 3 and (rules.key, rules.version) == ("deluxe", "2"):
        rare.add("trick captured past a bomb")
    return rare


def rounds_of(rules: RuleSet) -> int:
    """Return the number of rounds to play under these rules."""
    return ROUNDS if rules in RULE_SETS else ROUNDS_OF_EARLIER_VERSIONS


def self_play(rules: RuleSet, players: int, *, rounds: int, thin: bool) -> Counter[str]:
    """Play whole matches, with all options in turn, up to this many rounds; return what was seen."""
    seen: Counter[str] = Counter()
    tables = tables_of(rules, players)
    while seen["rounds"] < rounds:
        number = seen["matches"]
        rng = seeded(f"{rules.key} {players} {thin} {number}")
        table = CheckedMatch(
            tables[number % len(tables)],
            rng.choice(LENGTHS),
            first_seat=rng.randrange(players),
            dealer=Dealer(players, rng, thin=thin),
        )
        habits = rng.choices(HABITS, k=players)
        while not table.state.is_over:
            table.act(*next_action(table, habits[table.position.to_act], rng))
        assert table.act(*next_action(table, habits[0], rng)) == "match_over"
        seen += table.seen
        seen["matches"] += 1
    return seen


@every_game
def test_engine_and_referee_agree_on_whole_rounds(rules: RuleSet, players: int) -> None:
    seen = self_play(rules, players, rounds=rounds_of(rules), thin=False)
    usual = {"refused not_your_turn", "refused card_not_in_hand", "refused not_a_combination", "bets paid"}
    assert usual <= seen.keys()


@every_game
def test_engine_and_referee_agree_on_short_rounds_including_every_rare_case(
    rules: RuleSet, players: int
) -> None:
    seen = self_play(rules, players, rounds=max(600, 2 * rounds_of(rules)), thin=True)
    assert rare_things(rules, players) - {thing for thing, count in seen.items() if count} == set()
