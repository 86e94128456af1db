"""The decks for two and three players."""

import pytest

from engine.cards.card import Card, Suit
from engine.cards.deck import DEALT_CARDS, HAND_CARDS, deck_for, haggis_size, suits_for
from engine.errors import Malformed


@pytest.mark.clause("common.setup.two-players-four-suits", "haggish.setup.no-role-for-jokers")
def test_two_players_use_only_four_suits() -> None:
    assert suits_for(2) == (Suit.RED, Suit.ORANGE, Suit.YELLOW, Suit.GREEN)
    assert len(deck_for(2)) == 36
    assert {card.suit for card in deck_for(2)} == set(suits_for(2))


@pytest.mark.clause("common.setup.three-players-five-suits")
def test_three_players_use_five_suits() -> None:
    assert suits_for(3) == tuple(Suit)
    assert len(deck_for(3)) == 45


@pytest.mark.parametrize("players", (2, 3))
@pytest.mark.clause("deluxe.setup.one-copy-of-each")
def test_the_deck_has_each_suit_card_once_by_suit_and_no_face_cards(players: int) -> None:
    deck = deck_for(players)
    assert len(set(deck)) == len(deck)
    assert deck[:10] == (*(Card(rank, Suit.RED) for rank in range(2, 11)), Card(2, Suit.ORANGE))
    assert not any(card.is_face for card in deck)


@pytest.mark.clause("common.setup.own-face-cards")
def test_a_hand_has_fourteen_cards_and_three_face_cards() -> None:
    assert (DEALT_CARDS, HAND_CARDS) == (14, 17)


@pytest.mark.parametrize(("players", "left"), ((2, 8), (3, 3)))
@pytest.mark.clause("common.setup.haggis-left-over")
def test_the_haggis_has_eight_cards_for_two_players_and_three_for_three(players: int, left: int) -> None:
    assert haggis_size(players) == left


@pytest.mark.parametrize("players", (-1, 0, 1, 4))
def test_other_numbers_of_players_have_no_deck(players: int) -> None:
    for about in (suits_for, deck_for, haggis_size):
        with pytest.raises(Malformed, match="two or three") as error:
            about(players)
        assert (error.value.code, error.value.where) == ("invalid_players", "players")
