"""End a match when its target or number of rounds is reached, unless players are tied for first."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import Malformed
from engine.rulesets.terms import DEFAULT_TARGET, ROUNDS, TARGETS


@dataclass(frozen=True, slots=True)
class Length:
    """How long a match lasts: a target score or a number of rounds, never both."""

    target: int | None = None
    rounds: int | None = None

    def __post_init__(self) -> None:
        """Raise `Malformed` unless exactly one of the two is set and within bounds."""
        if self.target is not None and self.rounds is not None:
            raise Malformed(
                "invalid_length", "A match has a target or a number of rounds, not both.", where="rounds"
            )
        if self.target is None and self.rounds is None:
            raise Malformed(
                "invalid_length", "A match has a target or a number of rounds.", where="target_score"
            )
        if self.target is not None and self.target not in TARGETS:
            raise _outside("A target is {least} to {most} points.", TARGETS, where="target_score")
        if self.rounds is not None and self.rounds not in ROUNDS:
            raise _outside("A match has {least} to {most} rounds.", ROUNDS, where="rounds")

    @classmethod
    def agreed(cls, *, target: int | None = None, rounds: int | None = None) -> "Length":
        """Return the agreed length, or the default target if neither was agreed.

        >>> Length.agreed(), Length.agreed(rounds=6)
        (Length(target=250, rounds=None), Length(target=None, rounds=6))
        """
        if target is None and rounds is None:
            return cls(target=DEFAULT_TARGET)
        return cls(target=target, rounds=rounds)


def winners(totals: Sequence[int]) -> tuple[int, ...]:
    """Return the seats with the most points, more than one if they are tied for first.

    >>> winners((254, 180)), winners((260, 31, 260))
    ((0,), (0, 2))
    """
    most = max(totals)
    return tuple(seat for seat, total in enumerate(totals) if total == most)


def is_over(length: Length, *, totals: Sequence[int], rounds_played: int) -> bool:
    """Return whether the match ends after this round: its length is reached and one player leads."""
    return _is_reached(length, totals=totals, rounds_played=rounds_played) and len(winners(totals)) == 1


def _is_reached(length: Length, *, totals: Sequence[int], rounds_played: int) -> bool:
    if length.target is not None:
        return max(totals) >= length.target
    return length.rounds is not None and rounds_played >= length.rounds


def _outside(detail: str, numbers: range, *, where: str) -> Malformed:
    return Malformed("invalid_length", detail, where=where, least=numbers.start, most=numbers.stop - 1)
