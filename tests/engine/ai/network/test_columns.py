from engine.ai.network.arrays import np
from engine.ai.network.columns import SUIT_WIDTH, SUMMED, suit_sums, write_suit_features
from engine.cards.hand import mask_of, parse_cards


def sums_of(cards: str) -> list[float]:
    hands = np.array([mask_of(parse_cards(cards))], dtype=np.int64)
    return [float(each) for each in suit_sums(hands, 4)[0]]


def test_ranks_are_counted_across_suits() -> None:
    assert sums_of("7r 7g 7y 2o")[:9] == [1, 0, 0, 0, 0, 3, 0, 0, 0]


def test_suits_with_two_consecutive_ranks_are_counted() -> None:
    in_sequence = sums_of("2r 3r 2g 3g 3y")[9:17]
    assert in_sequence == [2, 0, 0, 0, 0, 0, 0, 0]


def test_a_run_of_four_contains_two_runs_of_three() -> None:
    assert sums_of("5y 6y 7y 8y")[17:24] == [0, 0, 0, 1, 1, 0, 0]


def test_coinciding_suits_are_marked() -> None:
    sums = suit_sums(np.array([mask_of(parse_cards("2r 3r 2g 3g"))], dtype=np.int64), 4)
    found = np.zeros((1, SUIT_WIDTH), dtype=np.float32)
    write_suit_features(sums, found)
    two_together = found[0, SUMMED : SUMMED + 17]
    assert [place for place, held in enumerate(two_together) if held] == [0, 1, 9]


def test_counting_does_not_modify_the_lookup_table() -> None:
    assert sums_of("2r 2o 2y 2g") == sums_of("2r 2o 2y 2g")
