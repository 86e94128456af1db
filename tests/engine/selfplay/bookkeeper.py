"""Score rounds and matches straight from the rule texts, independently of the engine.

>>> bookkeeper = Bookkeeper(TEXTS["classic"], 3, {}, target=250, rounds=None, first_seat=2)
>>> (bookkeeper.dealer, bookkeeper.leader)
(2, 0)
"""

from dataclasses import dataclass, replace

from tests.engine.brute_force import Stands
from tests.engine.selfplay.referee import Referee, Tournament

POINTS = {"3": 1, "5": 1, "7": 1, "9": 1, "J": 2, "Q": 3, "K": 5}


@dataclass(frozen=True)
class Text:
    """The differences of one rule text from the others."""

    amounts: tuple[int, ...] = (15, 30)
    bet_is_on_points: bool = False
    bonus_of_three: int = 0
    every_card_counts: bool = False
    hand_to_first_out: bool = True
    haggis_to: str = "first out"
    dealer: bool = True
    stands: Stands = "lower"
    first_out_closes_bets: bool = True
    tournament: Tournament = "next highest"


TEXTS = {
    "classic": Text(bonus_of_three=5),
    "revised": Text(),
    "booklet": Text(
        (5, 15, 30),
        bet_is_on_points=True,
        hand_to_first_out=False,
        haggis_to="last to play",
        stands="suit card",
        first_out_closes_bets=False,
    ),
    "haggish": Text(hand_to_first_out=False, haggis_to="nobody"),
    "deluxe": Text((5, 15, 30), every_card_counts=True, dealer=False, tournament="last ordinary"),
}

# The readings of version 1: bets stayed open to the end, and two readings were those of the other texts.
TEXTS_1 = {
    key: replace(text, stands="lower", first_out_closes_bets=False, tournament="next highest")
    for key, text in TEXTS.items()
}


class Bookkeeper:
    """The sheets of a match, its totals, who deals and leads, and when it is over."""

    def __init__(
        self,
        text: Text,
        players: int,
        options: dict[str, str],
        *,
        target: int | None,
        rounds: int | None,
        first_seat: int,
    ) -> None:
        self.text = text
        self.seats = list(range(players))
        self.tournament = text.tournament if options.get("bomb_capture") == "tournament" else None
        self.thirds = options.get("bet_split") == "thirds"
        self.all_to_first_out = options.get("haggis_capture") == "first_out"
        self.every_card_counts = self.text.every_card_counts and options.get("captured") != "point_cards"
        self.target, self.rounds = target, rounds
        self.totals = [0] * players
        self.number = 1
        self.dealer = first_seat if self.text.dealer else None
        self.leader = self.left(first_seat) if self.text.dealer else first_seat
        self.winner: int | None = None

    def left(self, seat: int) -> int:
        return (seat + 1) % len(self.seats)

    # --- One round ------------------------------------------------------------------------------------------

    def sheet(self, round_: Referee, haggis: list[str]) -> list[dict[str, int]]:
        """Return what every seat scores, line by line."""
        sheet = [
            dict.fromkeys(("going_out", "first_out_bonus", "captured", "bets", "total"), 0)
            for _ in self.seats
        ]
        for seat, cards_left in zip(round_.out, round_.counted, strict=True):
            sheet[seat]["going_out"] = 5 * cards_left
        if len(self.seats) == 3:
            sheet[round_.out[0]]["first_out_bonus"] = self.text.bonus_of_three
        for seat in self.seats:
            cards = round_.captured[seat] + self.captured_at_the_end(round_, haggis, seat)
            sheet[seat]["captured"] = sum(
                1 if self.every_card_counts else POINTS.get(card[0], 0) for card in cards
            )
        before_bets = [sum(line.values()) for line in sheet]
        for seat in self.seats:
            sheet[seat]["bets"] = self.bets_of(round_, before_bets, seat)
            sheet[seat]["total"] = before_bets[seat] + sheet[seat]["bets"]
        return sheet

    def captured_at_the_end(self, round_: Referee, haggis: list[str], seat: int) -> list[str]:
        """Return the last hand and the haggis for the seat that captures them."""
        first_out = seat == round_.out[0]
        taken: list[str] = []
        if first_out and (self.text.hand_to_first_out or self.all_to_first_out):
            for hand in round_.hands:
                taken += hand
        if first_out and (self.text.haggis_to == "first out" or self.all_to_first_out):
            taken += haggis
        if self.text.haggis_to == "last to play" and seat == round_.last_captor:
            taken += haggis
        return taken

    def bets_of(self, round_: Referee, before_bets: list[int], seat: int) -> int:
        """Return what one seat gets of all bets."""
        bets = [bet or 0 for bet in round_.bets]
        first, second = round_.out[0], round_.out[-1]
        if self.thirds:
            sheep = sum(bets[other] for other in self.seats if other != first)
            if seat == first:
                return bets[first] + sheep * 2 // 3
            return sheep // 3 if seat == second else 0
        paid = 0
        for bettor in self.seats:
            succeeds = before_bets[bettor] >= bets[bettor] if self.text.bet_is_on_points else bettor == first
            if succeeds and seat == bettor:
                paid += bets[bettor]
            if not succeeds and seat != bettor and (seat == first or bets[seat] == 0):
                paid += bets[bettor]
        return paid

    # --- From round to round --------------------------------------------------------------------------------

    def enter(self, sheet: list[dict[str, int]], first_out: int) -> None:
        """Add a sheet to the totals, which ends the match or determines the next dealer and leader."""
        for seat in self.seats:
            self.totals[seat] += sheet[seat]["total"]
        most, fewest = max(self.totals), min(self.totals)
        leading = [seat for seat in self.seats if self.totals[seat] == most]
        trailing = [seat for seat in self.seats if self.totals[seat] == fewest]
        long_enough = (
            most >= self.target if self.target is not None else self.number == self.rounds or self.late
        )
        if long_enough and len(leading) == 1:
            self.winner = leading[0]
            return
        last_leader = self.leader
        if self.text.dealer:
            self.dealer = leading[0] if len(leading) == 1 else first_out
        if len(trailing) == 1:
            self.leader = trailing[0]
        else:
            self.leader = self.left(last_leader if self.dealer is None else self.dealer)
        self.number += 1

    @property
    def late(self) -> bool:
        """Return whether this is an extra round because of a tie for first place."""
        return self.rounds is not None and self.number > self.rounds
