from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards.hand import FACES_AT, cards_of
from engine.rounds.apply import apply
from engine.rounds.turn import Expects
from engine.rulesets.model import TableRules
from engine.views.round_view import RoundView, view_round
from engine.views.serialization import serialize_round
from tests.engine.rounds.tables import after, at_every_table, round_of
from tests.engine.scoring.finished_rounds import TABLES
from tests.engine.views.worlds import (
    action_of,
    dealt_round,
    legal_plays,
    other_world,
    played_on,
    random_action,
)

seeds = st.integers(min_value=0, max_value=2**32)
tables = st.sampled_from(TABLES)


@pytest.mark.clause("common.setup.haggis-unseen")
@at_every_table
def test_rounds_that_differ_in_hidden_cards_have_equal_views(rules: TableRules) -> None:
    for seed in range(40):
        rng = Random(seed)
        state = played_on(dealt_round(rules, rng), rng, rng.randrange(40))
        for viewer in (None, *range(state.rules.players)):
            other = other_world(state, viewer, rng)
            assert view_round(state, viewer) == view_round(other, viewer)
            assert serialize_round(view_round(state, viewer)) == serialize_round(view_round(other, viewer))


def test_the_two_worlds_of_the_test_really_differ() -> None:
    rng = Random(5)
    state = dealt_round(TABLES[0], rng)
    other = other_world(state, 0, rng)
    assert state.haggis != other.haggis
    assert state.dealt[1] != other.dealt[1]
    assert view_round(state, 1) != view_round(other, 1)


@given(tables, seeds)
def test_worlds_look_the_same_until_a_seat_with_a_different_hand_acts(rules: TableRules, seed: int) -> None:
    rng = Random(seed)
    state = played_on(dealt_round(rules, rng), rng, rng.randrange(30))
    viewer = rng.randrange(state.rules.players)
    other = other_world(state, viewer, rng)
    while not state.is_over and state.to_act == viewer:
        seat, action = random_action(state, rng)
        if seat != viewer:
            break
        state, other = apply(state, seat, action).state, apply(other, seat, action).state
        assert view_round(state, viewer) == view_round(other, viewer)


def hidden_cards(view: RoundView) -> set[str]:
    """Return every card code of a hand that the JSON of a view shows."""
    return {code for hand in serialize_round(view)["hands"] for code in hand["cards"] or ()}


@given(tables, seeds)
def test_no_view_shows_an_unseen_suit_card(rules: TableRules, seed: int) -> None:
    rng = Random(seed)
    state = played_on(dealt_round(rules, rng), rng, rng.randrange(40))
    for viewer in (None, *range(state.rules.players)):
        own = () if viewer is None else cards_of(state.position.hands[viewer])
        assert hidden_cards(view_round(state, viewer)) == {str(card) for card in own}


def test_everybody_sees_the_size_and_face_cards_of_all_hands() -> None:
    state = after(round_of("classic", "7r 9r J Q", "8o 2o K"), "0 plays 7r")
    view = view_round(state, None)
    assert view.counts == (3, 3)
    assert view.faces == (0b011, 0b100)
    assert [hand["faces"] for hand in serialize_round(view)["hands"]] == [["J", "Q"], ["K"]]
    assert [hand["cards"] for hand in serialize_round(view)["hands"]] == [None, None]


def test_a_seat_sees_its_own_hand_including_face_cards() -> None:
    state = round_of("classic", "7r 9r J", "8o 2o K")
    assert serialize_round(view_round(state, 0))["hands"][0]["cards"] == ["7r", "9r", "J"]


def test_a_view_has_the_seat_to_act_and_what_is_expected() -> None:
    state = round_of("classic", "7r 9r", "8o 2o")
    assert (view_round(state, 0).to_act, view_round(state, 0).expects) == (0, Expects.PLAY)
    assert view_round(state, 0).is_mine
    assert not view_round(state, 1).is_mine
    assert not view_round(state, None).is_mine


def test_bets_are_offered_only_to_seats_that_may_still_bet() -> None:
    state = after(round_of("classic", "7r 9r", "8o 2o"), "0 plays 7r")
    assert view_round(state, 0).bets_open == ()
    assert view_round(state, 1).bets_open == (0, 15, 30)
    assert view_round(state, None).bets_open == ()


def test_an_award_is_offered_only_to_the_winner_of_the_bombed_trick() -> None:
    state = round_of("classic", "J Q 2r", "8o 2o", "9y 3y")
    state = after(state, "0 plays J Q", "1 passes", "2 passes")
    assert view_round(state, 0).awards == (1, 2)
    assert view_round(state, 1).awards == ()
    assert view_round(state, None).awards == ()
    assert serialize_round(view_round(state, 1))["expects"] == "award"


def test_a_finished_round_expects_nothing() -> None:
    state = after(round_of("classic", "7r", "8o 2o"), "0 plays 7r")
    view = view_round(state, 1)
    assert view.to_act is None
    assert serialize_round(view)["expects"] is None


def test_current_and_last_trick_list_every_play() -> None:
    state = after(
        round_of("classic", "7r 9r", "8o 2o J"), "0 plays 7r", "1 plays 8o", "0 passes", "1 plays 2o"
    )
    form = serialize_round(view_round(state, None))
    assert [entry["cards"] for entry in form["trick"]] == [["2o"]]
    last = form["last_trick"]
    assert last is not None
    assert (last["winner"], last["captured_by"]) == (1, 1)
    assert [(entry["seat"], entry["type"]) for entry in last["plays"]] == [
        (0, "play"),
        (1, "play"),
        (0, "pass"),
    ]
    assert form["captured"] == [[], ["7r", "8o"]]


@given(tables, seeds)
def test_a_view_with_the_real_hands_gives_the_real_position(rules: TableRules, seed: int) -> None:
    rng = Random(seed)
    state = played_on(dealt_round(rules, rng), rng, rng.randrange(60))
    for viewer in range(state.rules.players):
        assert view_round(state, viewer).position_with(state.position.hands) == state.position


def test_the_face_bits_of_a_view_are_those_of_a_hand() -> None:
    state = round_of("classic", "7r J K", "8o Q")
    view = view_round(state, 0)
    assert view.faces[0] << FACES_AT == state.position.hands[0] & ~0x1FFFFFFFFFFF


def test_a_play_is_serialized_in_words() -> None:
    state = round_of("classic", "7r 7g J", "8o 2o")
    for play in legal_plays(state.position):
        assert apply(state, 0, action_of(play)).play == play
