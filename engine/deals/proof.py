"""Checking a deal that was shown against the one that its link and the seeds make."""

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.cards.card import Card
from engine.deals.deal import Deal


def deal_follows(dealt: Deal, *, hands: Sequence[Iterable[Card]], haggis: Iterable[Card]) -> bool:
    """Whether these hands and this haggis are the deal, in whatever order they are written.

    Face cards are left aside: every player owns theirs, and a hand may be written with or without them.
    """
    shown = [_suit_cards(hand) for hand in hands]
    return shown == [Counter(hand) for hand in dealt.hands] and Counter(haggis) == Counter(dealt.haggis)


def _suit_cards(hand: Iterable[Card]) -> Counter[Card]:
    return Counter(card for card in hand if not card.is_face)
