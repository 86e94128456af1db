import pytest

from engine.rounds.betting import bets_open, may_bet, place_bet
from engine.rulebook import Clause
from engine.rulesets.catalogue import EARLIER_VERSIONS, RULE_SETS
from engine.rulesets.model import RuleSet, TableRules
from tests.engine.rounds.tables import (
    act,
    after,
    at_every_table,
    at_tables_of_three,
    at_tables_of_two,
    hands_of,
    passed,
    refused,
    round_of,
    where_the_winner_chooses,
)

HANDS = ("7r 9r 2r", "8o J 2o", "Ty Q 2y")
CLOSED = ("bet_closed", Clause.BET_BEFORE_FIRST_PLAY)
DECIDED = ("bet_closed", Clause.BET_BEFORE_FIRST_OUT)
STANDS = ("bet_exists", Clause.BET_STANDS)


def too_late(rules: TableRules) -> tuple[str, Clause]:
    """Return why a player who has played nothing may not bet once all but one are out."""
    return CLOSED if rules.key == "booklet" else DECIDED


@pytest.mark.clause("common.betting.before-first-play", "common.betting.everyone-may")
@at_every_table
def test_everyone_may_bet_before_playing_even_out_of_turn(rules: TableRules) -> None:
    state = round_of(rules, *HANDS)
    for seat in reversed(range(rules.players)):
        state = after(state, f"{seat} bets 15")
    assert state.bets == (15,) * rules.players
    assert state.to_act == 0


@pytest.mark.clause("common.betting.before-first-play", "revised.betting.too-late-after-playing")
@at_every_table
def test_bets_close_with_the_bettors_own_first_play(rules: TableRules) -> None:
    state = after(round_of(rules, *HANDS), "0 plays 7r")
    assert refused(state, "0 bets 15") == CLOSED
    assert refused(state, "0 bets nothing") == CLOSED
    assert after(state, "1 bets 15").bets[1] == 15
    state = after(state, "1 plays 8o")
    assert refused(state, "1 bets 15") == CLOSED


@pytest.mark.clause("deluxe.betting.after-passing", "common.betting.before-first-play")
@at_every_table
def test_passing_leaves_the_bet_open(rules: TableRules) -> None:
    state = after(round_of(rules, *HANDS), "0 plays 7r", "1 passes")
    assert may_bet(state, 1)
    assert after(state, "1 bets 30").bets[1] == 30
    state = passed(state)
    assert (state.to_act, len(state.tricks)) == (0, 1)
    assert after(state, "1 bets 15").bets[1] == 15


@pytest.mark.clause("common.betting.stands", "booklet.betting.one-bet")
@at_every_table
def test_a_bet_is_final(rules: TableRules) -> None:
    state = after(round_of(rules, *HANDS), "1 bets 15")
    for words in ("1 bets 30", "1 bets 15", "1 bets nothing"):
        assert refused(state, words) == STANDS
    assert state.bets[1] == 15
    assert not may_bet(state, 1)


@pytest.mark.clause("common.betting.stands", "common.betting.declared-zero", "booklet.betting.one-bet")
@at_every_table
def test_a_declared_zero_is_final_too(rules: TableRules) -> None:
    state = after(round_of(rules, *HANDS), "1 bets nothing")
    assert state.bets[1] == 0
    assert refused(state, "1 bets 15") == STANDS
    assert refused(state, "1 bets nothing") == STANDS


@at_every_table
def test_a_bet_must_be_an_amount_of_the_rule_set(rules: TableRules) -> None:
    state = round_of(rules, *HANDS)
    for amount in (-15, 1, 5, 10, 15, 20, 30, 45):
        if amount in rules.bet_amounts:
            assert after(state, f"0 bets {amount}").bets[0] == amount
        else:
            assert refused(state, f"0 bets {amount}") == ("bet_invalid", Clause.BET_AMOUNTS)


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)
def test_a_bet_of_five_requires_a_rule_set_with_it(rules: RuleSet) -> None:
    for players in rules.players:
        state = round_of(rules.at_table(players=players), *HANDS)
        assert (5 in bets_open(state, 0)) is (rules.key in {"booklet", "deluxe"})


@at_every_table
def test_open_bets_are_zero_and_the_amounts_until_a_bet_or_play(rules: TableRules) -> None:
    state = round_of(rules, *HANDS)
    assert bets_open(state, 1) == (0, *rules.bet_amounts)
    assert bets_open(after(state, "1 bets nothing"), 1) == ()
    assert bets_open(after(state, "0 plays 7r"), 0) == ()
    assert bets_open(after(state, "0 plays 7r"), 1) == (0, *rules.bet_amounts)


@at_every_table
def test_a_bet_only_changes_the_bets(rules: TableRules) -> None:
    state = after(round_of(rules, *HANDS), "0 plays 7r")
    applied = act(state, "1 bets 15")
    assert (applied.play, applied.events) == (0, ())
    assert applied.state.position == state.position
    assert applied.state.trick == state.trick
    assert [seat for seat, amount in enumerate(applied.state.bets) if amount is not None] == [1]


@pytest.mark.clause("common.betting.before-first-play", "deluxe.betting.after-passing")
@where_the_winner_chooses
def test_bets_stay_open_while_an_award_is_due(rules: TableRules) -> None:
    state = after(round_of(rules, "J Q 2r", *HANDS[1:]), "0 plays J Q", "1 passes", "2 passes")
    assert state.position.award_due
    state = after(state, "1 bets 15")
    assert (state.bets, state.position.award_due) == ((None, 15, None), True)
    assert refused(state, "0 bets 15") == CLOSED


@pytest.mark.clause("common.betting.on-going-out-first", "booklet.betting.any-time-before-playing")
@at_tables_of_three
def test_bets_close_when_a_player_has_gone_out_unless_they_are_on_points(rules: TableRules) -> None:
    state = after(round_of(rules, "7r", *HANDS[1:]), "0 plays 7r", "1 passes", "2 passes")
    if rules.key == "booklet":
        assert after(state, "1 bets 15", "2 bets 30").bets == (None, 15, 30)
    else:
        assert refused(state, "1 bets 15") == refused(state, "2 bets nothing") == DECIDED
        assert bets_open(state, 1) == bets_open(state, 2) == ()
    assert refused(state, "0 bets 15") == CLOSED


@pytest.mark.parametrize("rules", EARLIER_VERSIONS, ids=lambda rules: f"{rules.key}/{rules.version}")
def test_in_version_1_bets_stay_open_after_another_player_has_gone_out(rules: RuleSet) -> None:
    if 3 in rules.players:
        state = round_of(rules.at_table(players=3), "7r", *HANDS[1:])
        assert after(state, "0 plays 7r", "1 bets 15", "2 bets 30").bets == (None, 15, 30)


@at_tables_of_three
def test_no_bet_is_accepted_once_all_but_one_are_out(rules: TableRules) -> None:
    state = after(round_of(rules, "7r", "8o", "Ty 2y"), "0 plays 7r", "1 plays 8o")
    assert hands_of(state)[2] == "2y Ty"
    assert refused(state, "2 bets 15") == too_late(rules)
    assert bets_open(state, 2) == ()


@at_tables_of_two
def test_with_two_players_no_bet_is_accepted_once_one_is_out(rules: TableRules) -> None:
    state = after(round_of(rules, "7r", "8o K"), "0 plays 7r")
    assert refused(state, "1 bets 15") == too_late(rules)


@where_the_winner_chooses
def test_no_bet_is_accepted_after_the_last_card_even_if_an_award_is_due(rules: TableRules) -> None:
    state = after(round_of(rules, "9r", "J Q", "8y 2y"), "0 plays 9r", "1 plays J Q")
    assert state.position.award_due
    assert refused(state, "2 bets 15") == too_late(rules)
    assert not may_bet(state, 2)


@at_every_table
def test_closed_bets_are_reported_before_an_existing_bet(rules: TableRules) -> None:
    state = after(round_of(rules, *HANDS), "0 bets 15", "0 plays 7r")
    assert refused(state, "0 bets 7") == CLOSED
    assert refused(after(state, "1 bets 15"), "1 bets 7") == STANDS


def test_each_seat_has_its_own_bet() -> None:
    state = round_of("deluxe", *HANDS)
    for seat in range(3):
        bets = place_bet(state, seat, 5).bets
        assert bets == tuple(5 if each == seat else None for each in range(3))
