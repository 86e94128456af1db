"""A finished round: everything the score sheet is made from, and nothing else."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedRound:
    """A round whose cards are all where they end up.

    `out` are the seats that went out, in that order, and `opposing` the cards in the largest opposing hand
    at each of those moments. `captured` are the piles each seat took in tricks, the final trick included;
    `last_hand` the pile the last player still held; `haggis` the cards nobody was dealt. `final_captor` took
    the final trick: who played last or, after a bomb, an opponent. `bets` are None where nothing was said.
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
