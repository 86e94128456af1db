from engine.ai.arena import play_round, without_bets
from engine.ai.interface import Budget
from engine.ai.levels import LEVELS
from engine.ai.search.plain import MOST_FOLLOWS, MOST_LEADS, candidate_plays, search_without_network
from engine.cards.hand import FACES, cards_of, mask_of, parse_cards
from engine.combinations.kinds import Kind, number_of
from engine.combinations.plays import NO_PLAY, cards_in, play_of
from engine.combinations.rules import FOUR_SUITS
from tests.engine.ai.tables import start
from tests.engine.randomness import seeded


def test_plain_search_plays_whole_rounds_and_never_bets() -> None:
    for players in (2, 3):
        seats = (search_without_network, *(LEVELS["easy"],) * (players - 1))
        finished = play_round(start(2, players=players), seats, seeded(1), Budget(simulations=12))
        assert finished.is_over
        assert not finished.bets[0]


def test_plain_search_is_reproducible_by_its_seed() -> None:
    seats = (search_without_network, LEVELS["easy"])
    first, again = (
        play_round(without_bets(start(3)), seats, seeded(3), Budget(simulations=12)) for _ in range(2)
    )
    assert first == again


SINGLE_FIVE = play_of(number_of(Kind.SET, 5, 1, 1), mask_of(parse_cards("5y")))


def test_a_large_hand_leads_the_largest_and_lowest_plays_first_without_wild_cards() -> None:
    plays = candidate_plays(mask_of(parse_cards("2r 3r 4r 6g 6o 8o 8y 9g Tr J Q K")), NO_PLAY, FOUR_SUITS)
    assert len(plays) <= MOST_LEADS
    assert " ".join(map(str, cards_of(cards_in(plays[0])))) == "2r 3r 4r"
    assert not any(play & FACES for play in plays)


def test_follows_without_face_cards_come_first_and_a_pass_last() -> None:
    hand = mask_of(parse_cards("2r 3r 5r 6g 7r 8o 9r 9y J Q K"))
    plays = candidate_plays(hand, SINGLE_FIVE, FOUR_SUITS)
    assert " ".join(map(str, cards_of(cards_in(plays[0])))) == "6g"
    assert plays[-1] == NO_PLAY
    assert len(plays) <= MOST_FOLLOWS + 1


def test_a_play_that_sheds_the_whole_hand_is_the_only_candidate() -> None:
    hand = mask_of(parse_cards("9r 9g J"))
    assert [cards_in(play) for play in candidate_plays(hand, NO_PLAY, FOUR_SUITS)] == [hand]
