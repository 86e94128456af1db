"""Going out: a player who has played the last card is out, and what the others then hold is recorded."""


def largest_opposing_hand(seat: int, hands: tuple[int, ...]) -> int:
    """How many cards the opponent with the most cards holds, unplayed face cards included."""
    return max([hand.bit_count() for other, hand in enumerate(hands) if other != seat])
