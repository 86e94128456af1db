"""Refusals and their order, and the reading of a play; effects are tested in the other files."""

import pytest

from engine.combinations.kinds import Kind
from engine.combinations.readings import Reading
from engine.errors import Malformed
from engine.rounds.events import TrickEnd
from engine.rounds.state import Entry
from engine.rulebook import Clause
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import (
    act,
    after,
    at_every_table,
    at_tables_of_three,
    hands_of,
    in_words,
    played,
    refusal,
    refused,
    round_of,
)

HANDS = ("7r 9r 2r", "8o J 2o", "Ty Q 2y")
NOT_HELD = ("card_not_in_hand", Clause.PLAY_OWN_CARDS)


# --- The leader ---------------------------------------------------------------------------------------------


@at_every_table
def test_the_leader_must_play(rules: TableRules) -> None:
    assert refused(round_of(rules, *HANDS), "0 passes") == ("must_lead", Clause.LEAD_MUST_PLAY)


@at_every_table
def test_the_winner_of_a_trick_must_lead_the_next(rules: TableRules) -> None:
    state = after(
        round_of(rules, *HANDS), "0 plays 7r", "1 plays J", *["2 passes"][: rules.players - 2], "0 passes"
    )
    assert state.to_act == 1
    assert refused(state, "1 passes") == ("must_lead", Clause.LEAD_MUST_PLAY)


@pytest.mark.clause("common.lead.any-combination")
@at_every_table
@pytest.mark.parametrize(
    "cards",
    ("2r", "K", "2r 2o", "4g 5g 6g", "4g 4r 5g 5r", "3r 5o 7y 9g", "J Q", "2r 2o 2y 2g J Q K as kind=set"),
)
def test_the_leader_opens_with_any_combination(rules: TableRules, cards: str) -> None:
    hand = cards.partition(" as ")[0]
    state = after(round_of(rules, f"{hand} 8g", *HANDS[1:]), f"0 plays {cards}")
    assert set(in_words(state.position.pile).split()) == set(hand.split())
    assert hands_of(state)[0] == "8g"


# --- Cards of the player's own hand -------------------------------------------------------------------------


@at_every_table
def test_cards_outside_the_hand_are_refused_with_one_message(
    rules: TableRules,
) -> None:
    state = after(
        round_of(rules, *HANDS, haggis="5g 6g"),
        "0 plays 7r",
        "1 plays 8o",
        *["2 passes"][: rules.players - 2],
    )
    refusals = [refusal(state, f"0 plays {card}") for card in ("2o", "5g", "7r", "8o", "4r", "K")]
    assert {(error.code, error.rule, error.detail, error.readings) for error in refusals} == {
        (*NOT_HELD, "You do not hold all of these cards.", ())
    }


@at_every_table
@pytest.mark.parametrize("cards", ("2r 8o", "2r 3b", "9r J", "9r 5g 2y"))
def test_one_card_outside_the_hand_is_enough_to_refuse(rules: TableRules, cards: str) -> None:
    assert refused(round_of(rules, *HANDS), f"0 plays {cards}") == NOT_HELD


def test_an_empty_play_is_refused() -> None:
    assert refused(round_of("classic", *HANDS), "0 plays") == NOT_HELD


def test_a_played_face_card_is_gone_even_if_others_still_have_theirs() -> None:
    state = after(round_of("classic", "J 2r", "Q 2o", "J K"), "0 plays J", "1 plays Q", "2 plays K")
    assert refused(state, "0 plays J") == NOT_HELD


def test_a_repeated_card_is_malformed() -> None:
    with pytest.raises(Malformed, match="7r"):
        act(round_of("classic", *HANDS), "0 plays 7r 7r")


@at_every_table
@pytest.mark.parametrize("words", ("bets 15", "passes", "plays 7r", "gives 0"))
def test_an_unknown_seat_is_malformed(rules: TableRules, words: str) -> None:
    state = round_of(rules, *HANDS)
    for seat in (-1, rules.players):
        with pytest.raises(Malformed, match=f"no seat {seat}") as error:
            act(state, f"{seat} {words}")
        assert (error.value.code, error.value.where) == ("unknown_seat", "seat")
    assert state == round_of(rules, *HANDS)


# --- Not a combination, not beating, ambiguous --------------------------------------------------------------


@at_every_table
def test_cards_that_are_no_combination_are_refused_with_the_violated_clause(rules: TableRules) -> None:
    state = round_of(rules, "7r 9r 8o 3y 5y 5g", *HANDS[1:])
    assert refused(state, "0 plays 7r 8o") == ("not_a_combination", Clause.SET_ONE_RANK)
    assert refused(state, "0 plays 7r 9r") == ("not_a_combination", Clause.RUN_THREE_CARDS)
    assert refused(state, "0 plays 3y 5y 5g") == ("not_a_combination", Clause.STAIR_CONSECUTIVE)


@at_every_table
def test_a_losing_play_is_refused_with_the_violated_clause(rules: TableRules) -> None:
    state = after(round_of(rules, "7r 2r", "5o 6o 7o J Q", "2y"), "0 plays 7r")
    assert refused(state, "1 plays 7o") == ("does_not_beat", Clause.BEAT_HIGHER_TOP)
    assert refused(state, "1 plays 5o") == ("does_not_beat", Clause.BEAT_HIGHER_TOP)
    assert refused(state, "1 plays 7o J") == ("does_not_beat", Clause.BEAT_SAME_SIZE)
    assert refused(state, "1 plays 5o 6o 7o") == ("does_not_beat", Clause.BEAT_SAME_KIND)
    assert after(state, "1 plays J Q").position.winner == 1


@at_every_table
def test_only_a_higher_bomb_follows_a_bomb(rules: TableRules) -> None:
    state = after(round_of(rules, "J K 2r", "J Q K 8o", "2y"), "0 plays J K")
    assert refused(state, "1 plays 8o") == ("does_not_beat", Clause.BOMB_ONLY_BY_BOMB)
    assert refused(state, "1 plays J Q") == ("does_not_beat", Clause.BOMB_BEATS_LOWER)
    assert refused(state, "1 plays J K") == ("does_not_beat", Clause.BOMB_BEATS_LOWER)
    assert after(state, "1 plays Q K").position.winner == 1
    assert after(state, "1 plays J Q K").position.winner == 1


def test_ambiguous_cards_are_refused_with_their_readings_and_played_when_named() -> None:
    state = round_of("classic", "3r J Q 9g", *HANDS[1:])
    error = refusal(state, "0 plays 3r J Q")
    assert (error.code, error.rule) == ("ambiguous_combination", Clause.PLAY_ONE_READING)
    readings = [reading for reading in error.readings if isinstance(reading, Reading)]
    assert [(reading.combination.kind, reading.combination.top) for reading in readings] == [
        (Kind.SET, 3),
        (Kind.RUN, 4),
        (Kind.RUN, 5),
    ]
    assert played(state, "0 plays 3r J Q as kind=set").shape == (Kind.SET, 3, 1)
    assert played(state, "0 plays 3r J Q as kind=run").top == 5
    assert played(state, "0 plays 3r J Q as top=4").shape == (Kind.RUN, 1, 3)


def test_a_wrong_name_is_refused_before_checking_what_beats() -> None:
    state = round_of("classic", "3r J Q 9g", *HANDS[1:])
    assert refused(state, "0 plays 3r J Q as kind=stair") == (
        "not_a_combination",
        Clause.COMBINATION_AS_NAMED,
    )
    state = after(round_of("classic", "9g", "3r J Q", "2y"), "0 plays 9g")
    assert refused(state, "1 plays 3r J Q as kind=stair") == (
        "not_a_combination",
        Clause.COMBINATION_AS_NAMED,
    )
    assert refused(state, "1 plays 3r J Q as kind=run")[0] == "does_not_beat"


# --- Worked examples ----------------------------------------------------------------------------------------


def test_tens_with_jack_and_queen_beat_nines_and_tens_only_as_the_stair_to_the_jack() -> None:
    led = after(round_of("classic", "9o 9y To Ty 2r", "Tr Tg J Q 2o", "2y"), "0 plays 9o 9y To Ty")
    beating = played(led, "1 plays Tr Tg J Q")
    assert (beating.kind, beating.top, beating.width, beating.length) == (Kind.STAIR, 11, 2, 2)
    assert refused(led, "1 plays Tr Tg J Q as top=10") == ("does_not_beat", Clause.BEAT_HIGHER_TOP)
    assert refused(led, "1 plays Tr Tg J Q as kind=set") == ("does_not_beat", Clause.BEAT_SAME_KIND)
    lead = round_of("classic", "Tr Tg J Q 2o", "2y")
    assert refused(lead, "0 plays Tr Tg J Q")[0] == "ambiguous_combination"
    assert played(lead, "0 plays Tr Tg J Q as kind=set").top == 10
    assert played(lead, "0 plays Tr Tg J Q as kind=stair").top == 11
    assert played(lead, "0 plays Tr Tg J Q as kind=stair top=10").top == 10


def test_nine_ten_jack_is_a_run_to_the_jack_or_to_the_ten_and_the_first_beats_eight_nine_ten() -> None:
    led = after(round_of("classic", "8g 9g Tg 2g", "9r Tr J 2r", "2y"), "0 plays 8g 9g Tg")
    assert played(led, "1 plays 9r Tr J").top == 11
    assert refused(led, "1 plays 9r Tr J as top=10") == ("does_not_beat", Clause.BEAT_HIGHER_TOP)
    lead = round_of("classic", "9r Tr J 2o", "2y")
    assert played(lead, "0 plays 9r Tr J").top == 11
    assert played(lead, "0 plays 9r Tr J as top=10").top == 10


def test_a_five_with_all_wild_cards_has_seven_readings() -> None:
    state = round_of("classic", "5r J Q K 2o", "2y", "2g")
    readings = [
        reading for reading in refusal(state, "0 plays 5r J Q K").readings if isinstance(reading, Reading)
    ]
    found = [(each.combination.kind, each.combination.top, each.combination.width) for each in readings]
    assert found == [
        (Kind.SET, 5, 4),
        *((Kind.RUN, top, 1) for top in (5, 6, 7, 8)),
        *((Kind.STAIR, top, 2) for top in (5, 6)),
    ]
    for kind, top, width in found:
        combination = played(state, f"0 plays 5r J Q K as kind={kind} top={top}")
        assert (combination.kind, combination.top, combination.width) == (kind, top, width)


def test_only_readings_that_beat_count_for_an_unnamed_play() -> None:
    state = after(round_of("classic", "5o 6o 7o 8o 2o", "5r J Q K 2r", "2y"), "0 plays 5o 6o 7o 8o")
    assert refused(state, "1 plays 5r J Q K") == ("does_not_beat", Clause.BEAT_HIGHER_TOP)
    state = after(round_of("classic", "2o 3o 4o 5o 9o", "5r J Q K 2r", "2y"), "0 plays 2o 3o 4o 5o")
    assert played(state, "1 plays 5r J Q K").top == 8
    assert played(state, "1 plays 5r J Q K as top=6").top == 6


# --- The order of checks ------------------------------------------------------------------------------------


@at_every_table
def test_checks_run_in_the_order_turn_hand_combination_beating(
    rules: TableRules,
) -> None:
    state = after(round_of(rules, "9r 2r", "8o 6o 7y 2o", "Ty 2y"), "0 plays 9r")
    assert refused(state, "0 plays 8o 2y")[0] == "not_your_turn"
    assert refused(state, "1 plays 8o 2y")[0] == "card_not_in_hand"
    assert refused(state, "1 plays 8o 6o")[0] == "not_a_combination"
    assert refused(state, "1 plays 8o")[0] == "does_not_beat"


@at_tables_of_three
def test_the_turn_is_checked_before_the_obligation_to_lead(rules: TableRules) -> None:
    assert refused(round_of(rules, *HANDS), "1 passes")[0] == "not_your_turn"
    assert refused(round_of(rules, *HANDS), "1 gives 0")[0] == "not_your_turn"


@at_every_table
def test_an_award_that_is_not_due_is_refused(rules: TableRules) -> None:
    for to in (0, 1, 5):
        assert refused(round_of(rules, *HANDS), f"0 gives {to}") == (
            "award_invalid",
            Clause.AWARD_ONLY_WHEN_DUE,
        )


def test_every_refusal_has_a_clause_with_a_text() -> None:
    assert all(clause.text.endswith(".") for clause in Clause)


# --- The result of a legal action ---------------------------------------------------------------------------


def test_the_turns_of_a_trick_are_stored_in_order() -> None:
    state = after(round_of("classic", *HANDS), "0 plays 7r", "1 plays 8o", "2 passes")
    seven, eight = (entry.play for entry in state.trick[:2])
    assert state.trick == (Entry(0, seven), Entry(1, eight), Entry(2, 0))
    applied = act(state, "0 passes")
    assert applied.events == (TrickEnd(winner=1, captured_by=1),)
    assert applied.state.trick == ()
    assert [(trick.winner, trick.captured_by) for trick in applied.state.tricks] == [(1, 1)]
    assert applied.state.tricks[0].entries == (*state.trick, Entry(0, 0))


def test_the_play_of_an_applied_action_is_zero_unless_it_is_a_play() -> None:
    state = round_of("classic", *HANDS)
    applied = act(state, "0 plays 7r")
    assert applied.play == applied.state.trick[0].play == applied.state.position.current
    assert act(state, "1 bets 15").play == 0
    assert act(applied.state, "1 passes").play == 0


def test_an_action_does_not_modify_the_previous_state() -> None:
    state = round_of("classic", *HANDS)
    once, again = after(state, "0 plays 7r"), after(state, "0 plays 7r")
    assert once == again
    assert once != state
    assert hands_of(state) == ("2r 7r 9r", "2o 8o J", "2y Ty Q")
