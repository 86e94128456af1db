"""The comparison detects errors: with one rule of the referee or bookkeeper changed, they disagree."""

from collections.abc import Callable
from random import Random

import pytest

from engine.matches.ending import Length
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import TableRules
from tests.engine.randomness import seeded
from tests.engine.selfplay.bookkeeper import Bookkeeper
from tests.engine.selfplay.cross_check import CheckedMatch
from tests.engine.selfplay.deals import Dealer
from tests.engine.selfplay.players import Habits, next_action
from tests.engine.selfplay.referee import Referee


def play_matches(rules: TableRules, rng: Random) -> None:
    """Play a few matches with thin deals."""
    for _ in range(40):
        dealer = Dealer(rules.players, rng, thin=True)
        table = CheckedMatch(
            rules, Length(target=150), first_seat=rng.randrange(rules.players), dealer=dealer
        )
        while not table.state.is_over:
            table.act(*next_action(table, Habits(passes=0.3, bets=0.3), rng))


def counter_clockwise(referee: Referee, seat: int) -> int:
    return (seat - 1) % len(referee.seats)


def bets_at_any_time(referee: Referee, seat: int, amount: int) -> str | None:
    return None if amount == 0 or amount in referee.amounts else "bet_invalid"


def no_bets(bookkeeper: Bookkeeper, round_: Referee, before_bets: list[int], seat: int) -> int:
    return 0


def nothing_at_the_end(bookkeeper: Bookkeeper, round_: Referee, haggis: list[str], seat: int) -> list[str]:
    return []


def nobody_is_ever_last(referee: Referee) -> bool:
    return False


@pytest.mark.parametrize("key", ("classic", "revised", "booklet", "deluxe"))
def test_engine_referee_and_bookkeeper_agree_on_the_published_rules(key: str) -> None:
    play_matches(rule_set(key).at_table(players=3), seeded(f"agree {key}"))


@pytest.mark.parametrize(
    ("owner", "rule", "changed"),
    (
        (Referee, "left", counter_clockwise),
        (Referee, "all_but_one_are_out", nobody_is_ever_last),
        (Referee, "_objection_to_bet", bets_at_any_time),
        (Bookkeeper, "left", counter_clockwise),
        (Bookkeeper, "bets_of", no_bets),
        (Bookkeeper, "captured_at_the_end", nothing_at_the_end),
    ),
)
def test_a_changed_rule_is_detected(
    owner: type, rule: str, changed: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, rule, changed)
    with pytest.raises(AssertionError):
        play_matches(rule_set("classic").at_table(players=3), seeded("disagree"))
