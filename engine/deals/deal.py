"""The deal of a round: it follows from the round's link and what the players gave, and from nothing else."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.cards.card import Card
from engine.cards.deck import DEALT_CARDS, deck_for
from engine.deals.chain import check_link_number
from engine.deals.framing import NAME, check_link, decimal, lp, utf8
from engine.deals.seeds import seed_bytes
from engine.deals.shuffle import shuffled
from engine.deals.stream import numbers_of


@dataclass(frozen=True, slots=True)
class Deal:
    """The fourteen cards dealt to each seat, and the haggis, both in the order dealt.

    The J, Q and K that every player owns are not dealt and not here. What it prints as shows no card, since a
    deal is secret until its round is over.
    """

    hands: tuple[tuple[Card, ...], ...] = field(repr=False)
    haggis: tuple[Card, ...] = field(repr=False)


def deal(*, deal_id: str, number: int, link: bytes, players: int, seeds: Sequence[str]) -> Deal:
    """Deal round `number` from its link.

    >>> of = deal(deal_id="m", number=1, link=bytes(32), players=3, seeds=("", "", ""))
    >>> [len(hand) for hand in of.hands], len(of.haggis), of
    ([14, 14, 14], 3, Deal())
    """
    check_link_number(number, lowest=1)
    deck = deck_for(players)
    given = (decimal(number), decimal(players), *seed_bytes(seeds, players=players))
    cards = shuffled(deck, numbers_of(draw_key(link, b"deal", deal_id, given)))
    dealt = DEALT_CARDS * players
    hands = tuple(cards[start : start + DEALT_CARDS] for start in range(0, dealt, DEALT_CARDS))
    return Deal(hands, cards[dealt:])


def draw_key(link: bytes, purpose: bytes, deal_id: str, given: tuple[bytes, ...]) -> bytes:
    """The key of one draw: the link's secret over everything else that the draw is to depend on."""
    check_link(link)
    return hmac.digest(link, lp(NAME, purpose, utf8(deal_id, where="deal_id"), *given), "sha256")
