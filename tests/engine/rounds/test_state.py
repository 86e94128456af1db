from dataclasses import FrozenInstanceError

import pytest

from engine.cards.hand import FACES, mask_of, parse_cards
from engine.rounds.state import RoundState, start_round, table_of
from engine.rulesets.model import TableRules
from engine.rulesets.terms import BombCapture
from tests.engine.rounds.tables import after, at_every_table, hands_of, round_of

DEALT = tuple(mask_of(parse_cards(cards)) for cards in ("7r 9r", "8o 2o", "Ty 2y"))


def started(rules: TableRules) -> RoundState:
    return start_round(
        rules,
        number=4,
        dealer=1,
        leader=0,
        dealt=DEALT[: rules.players],
        haggis=mask_of(parse_cards("5g 6g")),
    )


@pytest.mark.clause("common.setup.own-face-cards")
@at_every_table
def test_everyone_starts_with_the_dealt_cards_and_the_face_cards(rules: TableRules) -> None:
    state = started(rules)
    assert hands_of(state) == ("7r 9r J Q K", "2o 8o J Q K", "2y Ty J Q K")[: rules.players]
    assert state.dealt == state.position.hands == tuple(cards | FACES for cards in DEALT[: rules.players])


@at_every_table
def test_a_round_starts_without_bets_or_plays(rules: TableRules) -> None:
    state = started(rules)
    assert (state.number, state.dealer, state.leader, state.to_act) == (4, 1, 0, 0)
    assert state.bets == (None,) * rules.players
    assert (state.trick, state.tricks) == ((), ())
    assert not state.is_over


@at_every_table
def test_the_table_has_the_number_of_players_and_the_tournament_option(rules: TableRules) -> None:
    table = table_of(rules)
    assert table.players == rules.players
    assert table.bomb_capture is rules.bomb_capture
    assert table.captured_by_ordinary is (rules.bomb_capture is BombCapture.LAST_ORDINARY)
    assert table.above_ten is (rules.key != "booklet")


def test_nobody_is_to_act_when_the_round_is_over() -> None:
    state = after(round_of("classic", "7r", "8o K"), "0 plays 7r")
    assert state.is_over
    assert state.to_act is None


def test_the_repr_of_a_round_does_not_depend_on_the_cards() -> None:
    one = round_of("classic", "7r 9r", "8o 2o", "Ty 2y", haggis="5g")
    other = round_of("classic", "7r 9r 3b", "8y K", "J Q", haggis="6g")
    assert repr(one) == repr(other)


def test_a_round_is_immutable() -> None:
    state = round_of("classic", "7r 9r", "8o 2o")
    with pytest.raises(FrozenInstanceError):
        state.bets = (15, None)  # type: ignore[misc]
