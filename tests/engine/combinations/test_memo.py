"""The memory of the memo tables is bounded, and cleared entries are recomputed."""

from collections.abc import Iterator

import pytest

from engine.combinations import memo
from engine.combinations.plays import play_of
from engine.combinations.rules import FIVE_SUITS
from engine.plays.following import follows
from engine.plays.leading import leads
from tests.engine.combinations.naming import a_run, a_set, a_stair
from tests.engine.plays.positions import DEALS, hand_of, hands

MANY_PLAYS = (1,) * 400_000
CURRENT = [play_of(number, 0) for number in (a_set(4, 1), a_set(3, 3), a_run(5, 3), a_stair(4, 2, 2))]


@pytest.fixture(autouse=True)
def _cleared_before_and_after() -> Iterator[None]:
    memo.clear_all()
    yield
    memo.clear_all()


def everything(hand: int) -> list[list[int]]:
    return [leads(hand, FIVE_SUITS), *(follows(hand, current, FIVE_SUITS) for current in CURRENT)]


HANDS = [hand_of(cards) for deal in DEALS for cards in hands(deal, "roygb", 12)]


def test_a_stored_entry_is_returned_and_counted() -> None:
    table = memo.new_table()
    assert memo.store(table, 7, (1, 2, 3)) == table[7] == (1, 2, 3)
    once = memo.words_used()
    assert once > len(table[7])
    memo.store(table, 8, (1, 2, 3), shared=True)
    assert once < memo.words_used() < 2 * once


def test_clearing_empties_every_table() -> None:
    tables = [memo.new_table() for _ in range(3)]
    for table in tables:
        memo.store(table, 1, (1,))
    memo.clear_all()
    assert tables == [{}, {}, {}]
    assert memo.words_used() == 0


def test_the_memory_limit_is_exceeded_by_at_most_one_entry() -> None:
    table = memo.new_table()
    memo.store(table, 0, MANY_PLAYS)
    one_entry = memo.words_used()
    most = 0
    for key in range(1, 40):
        memo.store(table, key, MANY_PLAYS)
        assert key in table
        assert memo.words_used() == len(table) * one_entry
        most = max(most, memo.words_used())
    assert memo.DEFAULT_WORDS < most <= memo.DEFAULT_WORDS + one_entry


def test_a_lower_memory_limit_is_respected() -> None:
    table = memo.new_table()
    memo.set_memory_limit(1)
    try:
        memo.store(table, 0, (1,) * 20_000)
        memo.store(table, 1, (1,) * 20_000)
        assert memo.words_used() == 2 * (24 + 5 * 20_000)
        memo.store(table, 2, (1,))
        assert table == {2: (1,)}
    finally:
        memo.set_memory_limit(memo.DEFAULT_WORDS // memo.WORDS_PER_MEGABYTE)


def test_a_repeated_hand_returns_the_same_plays_in_the_same_order() -> None:
    first = [everything(hand) for hand in HANDS]
    assert [everything(hand) for hand in HANDS] == first


def test_clearing_the_tables_does_not_change_the_plays_or_their_order() -> None:
    remembered = [everything(hand) for hand in HANDS]
    for hand, expected in zip(HANDS, remembered, strict=True):
        memo.clear_all()
        assert everything(hand) == expected


def test_reaching_the_limit_during_a_search_does_not_change_the_plays() -> None:
    expected = [everything(hand) for hand in HANDS]
    table = memo.new_table()
    reached = 0
    for hand, found in zip(HANDS, expected, strict=True):
        memo.clear_all()
        for key in range(4):
            memo.store(table, key, MANY_PLAYS)
        filler = (1,) * ((memo.DEFAULT_WORDS - memo.words_used()) // 5 - 100)
        memo.store(table, 4, filler)
        assert everything(hand) == found
        reached += memo.words_used() < memo.DEFAULT_WORDS // 2
    assert reached > len(HANDS) // 2


def test_the_engine_stays_within_the_limit_over_many_hands() -> None:
    for hand in HANDS:
        leads(hand, FIVE_SUITS)
        assert memo.words_used() <= memo.DEFAULT_WORDS + 100_000
