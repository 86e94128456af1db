"""Tally what the players of a match did, from its log."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Final

from games.gateway.agreement import Agreement, bet_succeeded
from games.gateway.documents import LogEntry, RoundEndEvent
from games.matches.models.log import Actor, EventType

BOMB_LEVELS: Final = 6


@dataclass(slots=True)
class Tally:
    """What one match adds to the statistics of a player.

    A round counts if it was scored and the player held the seat at its end. Bets are those of such rounds;
    `bet_points` is the line for bets on the score sheet, which includes the failed bets of opponents. Bombs,
    runs and stairs are those that the player played, not the clock or an AI for them. `margin_halves` is
    twice the points of the rounds over the mean of the opponents.
    """

    won: int = 0
    abandoned: int = 0
    rounds: int = 0
    out_first: int = 0
    margin_halves: int = 0
    bets: int = 0
    bets_won: int = 0
    bet_points: int = 0
    longest_run: int = 0
    longest_stair: int = 0
    bombs: list[int] = field(default_factory=lambda: [0] * BOMB_LEVELS)

    def dump(self) -> dict[str, Any]:
        """Return the tally as JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(slots=True)
class MatchTally:
    """The tallies of all seats after the log entries applied so far.

    `absent` are the seats that an AI plays, because their player resigned, forfeited or has a caretaker.
    """

    agreement: Agreement
    seats: list[Tally]
    bets: dict[int, int] = field(default_factory=dict)
    absent: set[int] = field(default_factory=set)

    def apply(self, entry: LogEntry) -> None:
        """Apply the next log entry."""
        seat = entry["seat"]
        if seat is not None:
            self._apply_to_seat(seat, entry)
        for event in entry["then"]:
            if event["type"] == "round_end":
                self._end_round(event)
            elif event["type"] == "match_end":
                for winner in event["result"]["winners"]:
                    self.seats[winner].won = 1

    def _apply_to_seat(self, seat: int, entry: LogEntry) -> None:
        match entry["type"]:
            case EventType.PLAY if entry["by"] == Actor.PLAYER:
                self._play(self.seats[seat], entry)
            case EventType.BET if entry["by"] == Actor.PLAYER and entry["amount"]:
                self.bets[seat] = entry["amount"]
            case EventType.RESIGNED | EventType.CARETAKER:
                self.absent.add(seat)
            case EventType.RECLAIMED:
                self.absent.discard(seat)
            case _:
                pass

    def _play(self, tally: Tally, entry: LogEntry) -> None:
        combination = entry["combination"]
        if combination is None:
            return
        match combination["kind"]:
            case "bomb":
                tally.bombs[combination["top"] - 1] += 1
            case "run":
                tally.longest_run = max(tally.longest_run, combination["length"])
            case "stair":
                tally.longest_stair = max(tally.longest_stair, combination["length"])
            case _:
                pass

    def _end_round(self, ended: RoundEndEvent) -> None:
        """Count a scored round for the players who hold their seats."""
        bets, self.bets = self.bets, {}
        scores = ended["scores"]
        if scores is None:
            return
        for line in scores:
            seat = line["seat"]
            if seat in self.absent:
                continue
            tally, opponents = self.seats[seat], [each["total"] for each in scores if each["seat"] != seat]
            tally.rounds += 1
            tally.out_first += ended["out"][0] == seat
            tally.margin_halves += 2 * line["total"] - 2 * sum(opponents) // len(opponents)
            tally.bet_points += line["bets"]
            if seat in bets:
                points = line["total"] - line["bets"]
                tally.bets += 1
                tally.bets_won += bet_succeeded(
                    self.agreement, seat=seat, amount=bets[seat], first_out=ended["out"][0], points=points
                )


def tally_match(agreement: Agreement, entries: Iterable[LogEntry]) -> list[Tally]:
    """Return the tally of each seat of a finished match."""
    tallied = MatchTally(agreement, [Tally() for _ in range(agreement.players)])
    for entry in entries:
        tallied.apply(entry)
    for seat in tallied.absent:
        tallied.seats[seat].abandoned = 1
    return tallied.seats
