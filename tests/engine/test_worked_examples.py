"""The worked examples of the rules, each played through the engine as at a table."""

from dataclasses import replace

import pytest

from engine.cards.hand import mask_of, parse_cards
from engine.combinations.readings import Reading, readings_of
from engine.rounds.state import table_of
from engine.rulebook import Clause
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import TableRules
from engine.scoring.bets import bets
from tests.engine.rounds.tables import act, after, captured, played, refusal, refused, round_of
from tests.engine.scoring.finished_rounds import PLAIN, table

OWN_RANK_TOO = ("classic", "revised", "deluxe", "haggish")


def readings(key: str, cards: str) -> set[str]:
    """Return the readings of the cards, in words."""
    rules = rule_set(key)
    at_table = table_of(rules.at_table(players=rules.players[0]))
    return {str(each.combination) for each in readings_of(mask_of(parse_cards(cards)), at_table)}


# --- Readings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", OWN_RANK_TOO)
def test_two_tens_jack_and_queen_are_a_set_or_a_stair(key: str) -> None:
    assert readings(key, "Tr Tg J Q") == {
        "four tens",
        "stair of pairs, ten to jack",
        "stair of pairs, nine to ten",
    }


@pytest.mark.parametrize("key", OWN_RANK_TOO)
def test_nine_ten_jack_is_a_run_to_the_ten_or_to_the_jack(key: str) -> None:
    assert readings(key, "9r Tr J") == {"run of three, nine to jack", "run of three, eight to ten"}


@pytest.mark.parametrize("key", (*OWN_RANK_TOO, "booklet"))
def test_five_with_every_face_card(key: str) -> None:
    assert readings(key, "5r J Q K") == {
        "four fives",
        "run of four, two to five",
        "run of four, three to six",
        "run of four, four to seven",
        "run of four, five to eight",
        "stair of pairs, four to five",
        "stair of pairs, five to six",
    }


@pytest.mark.parametrize("key", OWN_RANK_TOO)
def test_tens_jack_and_queen_beat_nines_and_tens_only_as_the_stair_to_the_jack(key: str) -> None:
    state = after(round_of(key, "9o 9y To Ty 2r", "Tr Tg J Q 2g"), "0 plays 9o 9y To Ty")
    assert str(played(state, "1 plays Tr Tg J Q")) == "stair of pairs, ten to jack"
    assert refused(state, "1 plays Tr Tg J Q as top=10")[0] == "does_not_beat"


@pytest.mark.parametrize("key", OWN_RANK_TOO)
def test_nine_ten_jack_beats_eight_nine_ten(key: str) -> None:
    state = after(round_of(key, "8o 9o To 2r", "9r Tr J 2g"), "0 plays 8o 9o To")
    assert str(played(state, "1 plays 9r Tr J")) == "run of three, nine to jack"


@pytest.mark.clause("booklet.combinations.only-wild")
def test_in_booklet_no_run_or_stair_goes_above_ten() -> None:
    assert readings("booklet", "9r Tr J") == {"run of three, eight to ten"}
    assert readings("booklet", "Tr Tg J Q") == {"four tens", "stair of pairs, nine to ten"}
    assert readings("booklet", "Tr J Q") == {"three tens", "run of three, eight to ten"}


@pytest.mark.clause("booklet.combinations.only-wild")
def test_in_booklet_nine_ten_jack_does_not_beat_eight_nine_ten() -> None:
    state = after(round_of("booklet", "8o 9o To 2r", "9r Tr J 2g"), "0 plays 8o 9o To")
    assert refused(state, "1 plays 9r Tr J") == ("does_not_beat", Clause.BEAT_HIGHER_TOP)


@pytest.mark.clause("booklet.combinations.only-wild")
def test_in_booklet_a_run_named_to_the_jack_is_refused_with_the_valid_readings() -> None:
    state = round_of("booklet", "9r Tr J 2r", "8o 2o")
    error = refusal(state, "0 plays 9r Tr J as top=11")
    assert (error.code, error.rule) == ("not_a_combination", Clause.FACES_ONLY_WILD)
    found = [reading for reading in error.readings if isinstance(reading, Reading)]
    assert [str(reading.combination) for reading in found] == ["run of three, eight to ten"]


@pytest.mark.clause("booklet.combinations.only-wild")
def test_in_booklet_a_run_from_two_to_jack_is_not_a_combination() -> None:
    long = "2r 3r 4r 5r 6r 7r 8r 9r Tr J"
    assert refused(round_of("booklet", f"{long} 2g", "8o 2o"), f"0 plays {long}") == (
        "not_a_combination",
        Clause.FACES_ONLY_WILD,
    )
    assert str(played(round_of("classic", f"{long} 2g", "8o 2o"), f"0 plays {long}")) == (
        "run of ten, two to jack"
    )


# --- Bets ---------------------------------------------------------------------------------------------------


def paid(rules: TableRules, *out: int) -> tuple[int, ...]:
    """Return what three players get for bets of 15, 15 and none, given the order of going out."""
    return bets(rules, replace(PLAIN, bets=(15, 15, None), out=out), (0, 0, 0))


@pytest.mark.parametrize("key", ("classic", "revised", "deluxe"))
def test_two_bets_of_15_and_one_player_without_a_bet(key: str) -> None:
    assert paid(table(key), 0, 1) == (30, 0, 15)
    assert paid(table(key), 2, 0) == (0, 0, 30)


def test_the_same_bets_in_thirds_pay_two_thirds() -> None:
    thirds = table("revised", bet_split="thirds")
    assert paid(thirds, 0, 1) == (25, 5, 0)
    assert paid(thirds, 2, 1) == (0, 10, 20)


@pytest.mark.parametrize("key", ("classic", "revised", "deluxe"))
def test_a_bet_is_refused_once_another_player_is_out(key: str) -> None:
    state = after(round_of(key, "7r", "8o 9o 2o", "2y 3y 4y"), "0 plays 7r")
    assert refused(state, "2 bets 15")[0] == "bet_closed"


def test_in_booklet_the_same_bet_is_accepted() -> None:
    state = after(round_of("booklet", "7r", "8o 9o 2o", "2y 3y 4y"), "0 plays 7r")
    assert act(state, "2 bets 15").state.bets == (None, None, 15)


# --- Tournaments --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "captor"), (("deluxe", 0), ("classic", 1), ("revised", 1), ("booklet", 1)))
def test_a_nine_beaten_by_two_bombs(key: str, captor: int) -> None:
    state = round_of(table(key, bomb_capture="tournament"), "9r 2r", "J Q 2o", "J K 2y")
    state = after(state, "0 plays 9r", "1 plays J Q", "2 plays J K", "0 passes", "1 passes")
    assert [seat for seat, cards in enumerate(captured(state)) if cards] == [captor]
