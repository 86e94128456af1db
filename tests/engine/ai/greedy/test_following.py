from engine.ai.greedy.following import choose_follow
from engine.cards.hand import cards_of, mask_of, parse_cards
from engine.combinations.ambiguity import UNNAMED, choose_reading
from engine.combinations.plays import cards_in, play_of
from engine.combinations.rules import FOUR_SUITS
from engine.plays.following import follows


def follow(hand: str, on: str) -> str:
    cards, current = mask_of(parse_cards(hand)), mask_of(parse_cards(on))
    current = play_of(choose_reading(current, UNNAMED, 0, FOUR_SUITS), current)
    play = choose_follow(follows(cards, current, FOUR_SUITS), cards, FOUR_SUITS)
    return " ".join(map(str, cards_of(cards_in(play)))) or "pass"


def test_the_lowest_play_that_beats_the_current_one_is_chosen() -> None:
    assert follow("2g 6r 8o Ty J", on="5y") == "6r"


def test_a_wild_card_is_used_if_nothing_else_beats() -> None:
    assert follow("2g 4r 8o Q K", on="6y 6g") in {"8o Q", "8o K"}


def test_a_high_play_without_wild_cards_is_preferred_to_a_wild_card() -> None:
    assert follow("8o Ty Tr Q K", on="6y 6g") == "Tr Ty"


def test_a_play_with_two_wild_cards_is_not_worth_it() -> None:
    assert follow("2g 4r 8o 8g J Q Tr", on="7r 7g 7o") in {"8o 8g J", "8o 8g Q"}
    assert follow("2g 4r 8o J Q Tr", on="7r 7g 7o") == "pass"


def test_a_bomb_is_saved_while_it_decides_nothing() -> None:
    assert follow("2g 4r 8o 3r 5r 7r 9r", on="Ty") == "pass"


def test_the_lowest_bomb_is_played_if_the_rest_of_the_hand_can_be_led_at_once() -> None:
    assert follow("8o 8g 3r 5r 7r 9r", on="Ty") == "3r 5r 7r 9r"


def test_a_hand_that_cannot_beat_the_current_play_passes() -> None:
    assert follow("2g 4r 8o", on="J K") == "pass"
