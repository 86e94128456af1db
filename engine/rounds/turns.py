"""Play goes clockwise: the next seat is to the left, and players who are out are skipped."""


def left_of(seat: int, players: int) -> int:
    """Return the next seat, clockwise."""
    return seat + 1 if seat + 1 < players else 0


def right_of(seat: int, players: int) -> int:
    """Return the previous seat, clockwise."""
    return seat - 1 if seat else players - 1


def next_with_cards(seat: int, hands: tuple[int, ...]) -> int:
    """Return the first seat to the left that still has cards."""
    players = len(hands)
    turn = left_of(seat, players)
    while not hands[turn]:
        turn = left_of(turn, players)
    return turn
