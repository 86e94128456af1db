"""Track a match between its rounds: the totals, and who deals and leads next."""

from dataclasses import dataclass, replace

from engine.matches.ending import Length, is_over
from engine.matches.first_lead import first_dealer_and_leader
from engine.matches.next_dealer import next_dealer
from engine.matches.next_leader import next_leader
from engine.records.record import RecordedRound
from engine.records.verdict import Mistake
from engine.rulesets.model import TableRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The result of the rounds replayed so far.

    `seats` are the next dealer and leader, or None before the first round if the drawn seat is unknown.
    """

    rules: TableRules
    length: Length
    totals: tuple[int, ...]
    seats: tuple[int | None, int] | None
    is_over: bool = False


def begin(rules: TableRules, length: Length, *, drawn: int | None) -> Course:
    """Return the state before the first round; `drawn` is the seat that the first link draws, if known."""
    seats = None if drawn is None else first_dealer_and_leader(rules, drawn)
    return Course(rules=rules, length=length, totals=(0,) * rules.players, seats=seats)


def check_seats(course: Course, played: RecordedRound, where: str) -> None:
    """Raise `Mistake` unless the round was dealt and led by the right seats."""
    dealer, leader = course.seats or _fitting_seats(course.rules, played, where)
    if played.dealer != dealer:
        whose = "nobody deals" if dealer is None else f"seat {dealer} deals"
        raise Mistake(f"{where}/dealer", "wrong_dealer", f"In this round {whose}.")
    if played.leader != leader:
        raise Mistake(f"{where}/leader", "wrong_leader", f"In this round seat {leader} leads.")


def _fitting_seats(rules: TableRules, played: RecordedRound, where: str) -> tuple[int | None, int]:
    """Return dealer and leader of a first round for which any seat may have been drawn."""
    if not rules.has_dealer:
        return first_dealer_and_leader(rules, played.leader)
    if played.dealer is None:
        raise Mistake(f"{where}/dealer", "wrong_dealer", "This rule set has a dealer.")
    return first_dealer_and_leader(rules, played.dealer)


def after_round(course: Course, played: RecordedRound, totals: tuple[int, ...]) -> Course:
    """Return the state after a round that was played to its end."""
    dealer = next_dealer(course.rules, totals=totals, out=played.out)
    leader = next_leader(course.rules, totals=totals, dealer=dealer, last_leader=played.leader)
    over = is_over(course.length, totals=totals, rounds_played=played.number)
    return replace(course, totals=totals, seats=(dealer, leader), is_over=over)
