from engine.ai.interface import DEFAULT_BUDGET
from engine.ai.levels import LEVELS
from engine.ai.match_arena import dealing_for, play_match, share
from engine.matches.ending import Length
from engine.rulesets.catalogue import rule_set
from tests.engine.randomness import seeded

RULES = rule_set("classic").at_table(players=2)
LENGTH = Length(target=60)


def test_a_match_is_played_to_its_target_with_bets() -> None:
    ended = play_match(
        RULES, LENGTH, (LEVELS["easy"],) * 2, dealing_for(RULES, "1"), seeded(1), DEFAULT_BUDGET
    )
    assert ended.result is not None
    assert max(ended.result.scores) >= 60


def test_a_level_wins_half_of_the_matches_against_itself() -> None:
    for number in range(4):
        assert share(RULES, LENGTH, LEVELS["easy"], LEVELS["easy"], f"1/{number}") == 0.5


def test_the_stronger_level_wins_most_matches() -> None:
    found = [share(RULES, LENGTH, LEVELS["easy"], LEVELS["random"], f"1/{number}") for number in range(10)]
    assert sum(found) / 10 > 0.8
