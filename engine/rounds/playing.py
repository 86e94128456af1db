"""Playing a combination: its cards move from the hand to the trick, and the turn passes to the left.

A player who plays their last card is out. When all but one are out, the last trick ends at once without
another turn for the last player.
"""

from engine.cards.hand import HAND_BITS, pile_of
from engine.combinations.plays import NO_PLAY
from engine.rounds.going_out import largest_opposing_hand
from engine.rounds.position import NOBODY, Position
from engine.rounds.tricks import end_trick, won_by_bomb
from engine.rounds.turns import next_with_cards


def play(position: Position, chosen: int) -> Position:
    """Return the position after the player to act plays `chosen`, which `engine.rounds.apply` validated."""
    seat, table = position.to_act, position.table
    cards = chosen & HAND_BITS
    hands = _without(position.hands, seat, cards)
    goes_out = not hands[seat]
    played = Position(
        table=table,
        hands=hands,
        captured=position.captured,
        pile=position.pile | pile_of(cards, seat),
        current=chosen,
        winner=seat,
        below=NOBODY if position.current == NO_PLAY else position.winner,
        passes=0,
        to_act=next_with_cards(seat, hands),
        award_due=False,
        out=(*position.out, seat) if goes_out else position.out,
        opposing=(*position.opposing, largest_opposing_hand(seat, hands)) if goes_out else position.opposing,
        captor=position.captor,
        ordinary=_ordinary_after(position, chosen) if table.captured_by_ordinary else NOBODY,
    )
    if goes_out and played.all_but_one_out():
        return end_trick(played)
    return played


def _ordinary_after(position: Position, chosen: int) -> int:
    """Return the seat that last played a non-bomb in the trick, after the player to act plays `chosen`."""
    return position.ordinary if won_by_bomb(chosen) else position.to_act


def _without(hands: tuple[int, ...], seat: int, cards: int) -> tuple[int, ...]:
    if len(hands) == 2:
        return (hands[0] ^ cards, hands[1]) if seat == 0 else (hands[0], hands[1] ^ cards)
    first, second, third = hands
    if seat == 0:
        return (first ^ cards, second, third)
    return (first, second ^ cards, third) if seat == 1 else (first, second, third ^ cards)
