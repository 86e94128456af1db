"""A deal that was shown is compared with the one that follows, card by card and in any order."""

import pytest

from engine.cards.card import FACE_CARDS, Card
from engine.cards.deck import deck_for
from engine.deals.chain import make_chain
from engine.deals.deal import deal
from engine.deals.proof import deal_follows

CHAIN = make_chain("m_example", bytes(range(32)))
DEALT = deal(deal_id="m_example", number=1, link=CHAIN.link(1), players=2, seeds=("salt", ""))
HANDS = [list(hand) for hand in DEALT.hands]
HAGGIS = list(DEALT.haggis)


def test_the_deal_itself_follows() -> None:
    assert deal_follows(DEALT, hands=HANDS, haggis=HAGGIS)


def test_the_order_within_a_hand_does_not_matter_nor_do_face_cards() -> None:
    sorted_hands = [sorted([*hand, *FACE_CARDS]) for hand in HANDS]
    assert deal_follows(DEALT, hands=sorted_hands, haggis=sorted(HAGGIS))


def test_hands_in_the_wrong_seats_do_not_follow() -> None:
    assert not deal_follows(DEALT, hands=HANDS[::-1], haggis=HAGGIS)


@pytest.mark.parametrize("seat", (0, 1))
def test_any_card_of_a_hand_exchanged_for_any_other_is_noticed(seat: int) -> None:
    for place, card in enumerate(HANDS[seat]):
        for other in deck_for(2):
            if other != card:
                hands = [list(hand) for hand in HANDS]
                hands[seat][place] = other
                assert not deal_follows(DEALT, hands=hands, haggis=HAGGIS)


def test_a_card_missing_or_written_twice_is_noticed() -> None:
    assert not deal_follows(DEALT, hands=[HANDS[0][1:], HANDS[1]], haggis=HAGGIS)
    assert not deal_follows(DEALT, hands=[[*HANDS[0], HANDS[0][0]], HANDS[1]], haggis=HAGGIS)
    assert not deal_follows(DEALT, hands=HANDS[:1], haggis=HAGGIS)
    assert not deal_follows(DEALT, hands=[*HANDS, []], haggis=HAGGIS)


@pytest.mark.parametrize(
    "wrong", (HAGGIS[1:], [*HAGGIS, HAGGIS[0]], [*HAGGIS[1:], HAGGIS[1]], [*HAGGIS, Card.parse("J")])
)
def test_a_haggis_that_differs_is_noticed(wrong: list[Card]) -> None:
    assert not deal_follows(DEALT, hands=HANDS, haggis=wrong)
