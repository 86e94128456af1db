"""Deal a round: the result depends only on the round's link and the players' seeds."""

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

    J, Q and K are not dealt, since every player owns a set, and so are not included. The repr shows no card,
    since a deal is secret until its round is over.
    """

    hands: tuple[tuple[Card, ...], ...] = field(repr=False)
    haggis: tuple[Card, ...] = field(repr=False)


def deal(*, deal_id: str, number: int, link: bytes, players: int, seeds: Sequence[str]) -> Deal:
    """Deal round `number` from its link.

    >>> dealt = deal(deal_id="m", number=1, link=bytes(32), players=3, seeds=("", "", ""))
    >>> [len(hand) for hand in dealt.hands], len(dealt.haggis), dealt
    ([14, 14, 14], 3, Deal())
    """
    check_link_number(number, lowest=1)
    deck = deck_for(players)
    inputs = (decimal(number), decimal(players), *seed_bytes(seeds, players=players))
    cards = shuffled(deck, numbers_of(draw_key(link, b"deal", deal_id, inputs)))
    dealt = DEALT_CARDS * players
    hands = tuple(cards[start : start + DEALT_CARDS] for start in range(0, dealt, DEALT_CARDS))
    return Deal(hands, cards[dealt:])


def draw_key(link: bytes, purpose: bytes, deal_id: str, inputs: tuple[bytes, ...]) -> bytes:
    """Return the key of one draw: an HMAC, with the link as secret, over everything the draw depends on."""
    check_link(link)
    return hmac.digest(link, lp(NAME, purpose, utf8(deal_id, where="deal_id"), *inputs), "sha256")
