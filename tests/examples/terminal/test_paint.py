from engine.cards.card import Card, Suit
from engine.cards.hand import mask_of, parse_cards
from examples.terminal.paint import Paint


def test_cards_are_sorted_by_rank() -> None:
    assert Paint().cards(mask_of(parse_cards("K 9r 2g 9o J"))) == "2g 9r 9o J K"


def test_suits_have_distinct_colours_and_symbols() -> None:
    paint = Paint(colours=True, shapes=True)
    assert len({paint.card(Card(7, suit)).replace(str(Card(7, suit)), "") for suit in Suit}) == 5
    assert len({Paint(shapes=True).shape(suit) for suit in Suit}) == 5


def test_plain_terminal_shows_only_the_code() -> None:
    assert Paint().card(Card.parse("7g")) == "7g"
    assert Paint().shape(Suit.RED) == " "
    assert Paint().bold("You") == "You"
