from engine.ai.network.arrays import np
from engine.ai.network.candidates import SMALL_HAND, worth_evaluating, worth_evaluating_in_search
from engine.cards.hand import FACES, mask_of, parse_cards
from engine.combinations.kinds import FIRST_BOMB, Kind, number_of
from engine.combinations.plays import COMBINATION_AT, play_of
from engine.combinations.rules import FOUR_SUITS
from engine.plays.leading import leads


def candidates_of(cards: str) -> tuple[set[int], set[int]]:
    """Return the plays of a hand, and those worth evaluating."""
    hand = mask_of(parse_cards(cards))
    plays = np.array(leads(hand, FOUR_SUITS), dtype=np.int64)
    worth = worth_evaluating(plays, np.zeros(len(plays), dtype=np.int64), np.array([hand], dtype=np.int64))
    return set(plays.tolist()), set(plays[worth].tolist())


def test_a_large_hand_evaluates_each_combination_with_the_fewest_wild_cards() -> None:
    plays, worth = candidates_of("2r 2o 3r 4r 5g 6g 6y 8o 8y 9r 9g Tr J Q K")
    assert {play >> COMBINATION_AT for play in worth} == {play >> COMBINATION_AT for play in plays}
    assert len(worth) < len(plays) / 2
    for play in worth:
        same = [other for other in plays if other >> COMBINATION_AT == play >> COMBINATION_AT]
        fewest = min((other & FACES).bit_count() for other in same)
        assert play >> COMBINATION_AT >= FIRST_BOMB or (play & FACES).bit_count() == fewest


def test_a_small_hand_evaluates_every_play() -> None:
    plays, worth = candidates_of("2r 2o 9g J Q K")
    assert len("2r 2o 9g J Q K".split()) == SMALL_HAND
    assert worth == plays


def test_each_situation_is_pruned_separately() -> None:
    hand = mask_of(parse_cards("7r 7g 8o 9y Tr 2o 3g J"))
    pair = number_of(Kind.SET, 7, 2, 1)
    plain, wild = (play_of(pair, mask_of(parse_cards(cards))) for cards in ("7r 7g", "7r J"))
    plays = np.array([wild, plain, wild], dtype=np.int64)
    worth = worth_evaluating(plays, np.array([0, 1, 1]), np.array([hand, hand], dtype=np.int64))
    assert worth.tolist() == [True, True, False]


def test_searches_use_several_wild_cards_only_for_bombs_and_for_going_out() -> None:
    hand = mask_of(parse_cards("2r 2o 3r 4r 6g 8o Tr J Q K"))
    plays = np.array(leads(hand, FOUR_SUITS), dtype=np.int64)
    at, hands = np.zeros(len(plays), dtype=np.int64), np.array([hand], dtype=np.int64)
    looked_at = set(plays[worth_evaluating_in_search(plays, at, hands)].tolist())
    left_aside = set(plays[worth_evaluating(plays, at, hands)].tolist()) - looked_at
    assert left_aside
    assert all((play & FACES).bit_count() > 1 for play in left_aside)
    for play in looked_at:
        assert (play & FACES).bit_count() <= 1 or play >> COMBINATION_AT >= FIRST_BOMB


def test_searches_always_evaluate_a_play_that_sheds_the_whole_hand() -> None:
    hand = mask_of(parse_cards("2r 3r 4r 6r 8r J Q K"))
    whole = play_of(number_of(Kind.RUN, 9, 1, 8), hand)
    plays = np.array([whole], dtype=np.int64)
    assert worth_evaluating_in_search(
        plays, np.zeros(1, dtype=np.int64), np.array([hand], dtype=np.int64)
    ).all()
