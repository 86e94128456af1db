"""Deal a whole round around the few cards that a lesson names, and play off the others."""

from collections.abc import Sequence
from itertools import chain
from typing import Final

from games.core.secrets import Secret
from games.gateway.documents import ActionMembers, DealDocument
from games.gateway.positions import DealtRound, SeatAction

_SUITS: Final = "royg"
_THIRD_PLAYERS_SUIT: Final = "b"
_PLAYERS_OF_FOUR_SUITS: Final = 2
_RANKS: Final = "23456789T"
_FACES: Final = ("J", "Q", "K")
_RANKS_OF_SINGLES: Final = "23456789TJQK"
_DEALT: Final = 14

PASS: Final[ActionMembers] = {"type": "pass"}


def deal_around(hands: Sequence[str], leader: int) -> tuple[DealtRound, list[SeatAction]]:
    """Return a complete deal, and the actions after which each seat holds exactly these cards.

    After the actions `leader` leads a new trick. Each seat in turn leads its other cards as singles; the last
    of them is low enough for the next seat to take over the lead. The deal is the same every time.

    >>> dealt, actions = deal_around(["4r 9y", "5g K"], 1)
    >>> dealt.leader, actions[-1]
    (0, SeatAction(seat=0, action={'type': 'pass'}))
    """
    wanted = [hand.split() for hand in hands]
    others, haggis = _other_cards(wanted)
    deal: DealDocument = {
        "hands": [
            [card for card in [*own, *more] if card not in _FACES]
            for own, more in zip(wanted, others, strict=True)
        ],
        "haggis": haggis,
    }
    players = len(hands)
    order = [(leader + step) % players for step in range(1, players + 1)]
    actions = _play_off(order, others) if any(others) else []
    first = order[0] if actions else leader
    return DealtRound(number=1, dealer=(first - 1) % players, leader=first, deal=Secret(deal)), actions


def _other_cards(wanted: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """Deal the cards that no seat names: to the seats in turn from the lowest, and the rest to the haggis."""
    players = len(wanted)
    suits = _SUITS + (_THIRD_PLAYERS_SUIT if players > _PLAYERS_OF_FOUR_SUITS else "")
    named = set(chain.from_iterable(wanted))
    deck = [rank + suit for rank in _RANKS for suit in suits if rank + suit not in named]
    need = [_DEALT - sum(card not in _FACES for card in own) for own in wanted]
    spare = len(deck) - sum(need)
    others: list[list[str]] = [[] for _ in wanted]
    haggis: list[str] = []
    for number, card in enumerate(deck):
        left = [count - len(cards) for count, cards in zip(need, others, strict=True)]
        if sum(left) == 0 or (len(haggis) < spare and number % (players + 1) == players):
            haggis.append(card)
        else:
            others[left.index(max(left))].append(card)
    for own, more in zip(wanted, others, strict=True):
        more.extend(face for face in _FACES if face not in own)
    return others, haggis


def _play_off(order: list[int], others: list[list[str]]) -> list[SeatAction]:
    """Return the actions by which the seats, in this order, lead all these cards as singles."""
    actions: list[SeatAction] = []
    for at, seat in enumerate(order):
        cards = sorted(others[seat], key=_rank, reverse=True)
        if at > 0:  # the highest card takes over the lead
            actions.append(_play(seat, cards.pop(0)))
            actions.extend(_passes(seat, len(order)))
        for number, card in enumerate(cards, start=1):
            actions.append(_play(seat, card))
            is_handed_over = number == len(cards) and at < len(order) - 1
            actions.extend([] if is_handed_over else _passes(seat, len(order)))
    return actions


def _rank(card: str) -> int:
    return _RANKS_OF_SINGLES.index(card[0])


def _play(seat: int, card: str) -> SeatAction:
    return SeatAction(seat, {"type": "play", "cards": [card]})


def _passes(seat: int, players: int) -> list[SeatAction]:
    return [SeatAction((seat + step) % players, PASS) for step in range(1, players)]
