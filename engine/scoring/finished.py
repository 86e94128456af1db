"""Describe a finished round: exactly what the score sheet depends on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedRound:
    """A round in which every card has reached its final place.

    `out` are the seats that went out, in order, and `opposing` the size of the largest opposing hand at each
    of those times. `captured` are the piles that each seat won in tricks, including the final trick;
    `last_hand` is the pile left in the last player's hand; `haggis` are the undealt cards. `final_captor`
    captured the final trick: the last to play or, after a bomb, an opponent. A bet is None if the seat has
    not declared one.
    """

    players: int
    out: tuple[int, ...]
    opposing: tuple[int, ...]
    captured: tuple[int, ...]
    last_hand: int
    haggis: int
    final_captor: int
    bets: tuple[int | None, ...]

    @property
    def first_out(self) -> int:
        """The seat that went out first."""
        return self.out[0]
