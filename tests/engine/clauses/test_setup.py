"""What the texts say about the cards and the deal, tested once for all of them."""

import pytest

from engine.cards.card import FACE_CARDS, FACE_RANKS, JACK, KING, QUEEN, RANKS, SUIT_CARDS, Card
from engine.cards.deck import deck_for, haggis_size, suits_for
from engine.cards.hand import FACES, mask_of, pile_of
from engine.errors import Malformed
from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.model import RuleSet

EVERY_SIZE = pytest.mark.parametrize("players", (2, 3))


@pytest.mark.clause("common.setup.deck")
def test_the_deck_has_2_to_10_in_five_suits_and_three_of_each_face_card() -> None:
    assert len(SUIT_CARDS) == len(set(SUIT_CARDS)) == 45
    assert {card.rank for card in SUIT_CARDS} == set(range(2, 11))
    assert len({pile_of(mask_of([card]), seat) for card in FACE_CARDS for seat in range(3)}) == 9


@pytest.mark.clause("common.setup.rank-order")
def test_ranks_are_2_to_10_then_jack_queen_and_king() -> None:
    assert (*RANKS, *FACE_RANKS) == tuple(range(2, 14))
    assert (JACK, QUEEN, KING) == FACE_RANKS


@pytest.mark.clause("common.setup.two-players-four-suits", "common.setup.three-players-five-suits")
def test_two_players_use_four_suits_and_three_use_five() -> None:
    assert [len(suits_for(players)) for players in (2, 3)] == [4, 5]
    assert [len(deck_for(players)) for players in (2, 3)] == [36, 45]


@pytest.mark.clause("deluxe.setup.one-copy-of-each")
@EVERY_SIZE
def test_every_suit_card_exists_once(players: int) -> None:
    assert len(set(deck_for(players))) == len(deck_for(players))


@pytest.mark.clause("common.setup.own-face-cards")
def test_every_player_has_a_jack_a_queen_and_a_king() -> None:
    assert mask_of(FACE_CARDS) == FACES
    assert [str(card) for card in FACE_CARDS] == ["J", "Q", "K"]


@pytest.mark.clause("common.setup.fourteen-dealt", "common.setup.haggis-left-over")
@EVERY_SIZE
def test_dealing_fourteen_cards_leaves_a_haggis_of_eight_or_three(players: int) -> None:
    assert haggis_size(players) == len(deck_for(players)) - 14 * players == {2: 8, 3: 3}[players]


@pytest.mark.clause("haggish.setup.no-role-for-jokers")
def test_there_are_no_jokers() -> None:
    with pytest.raises(Malformed):
        Card.parse("joker")


@pytest.mark.clause("common.betting.declared-zero", "revised.betting.not-required")
@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)
def test_zero_declares_no_bet(rules: RuleSet) -> None:
    assert 0 not in rules.bet_amounts
