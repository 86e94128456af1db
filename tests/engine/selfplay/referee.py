"""Referee a round by the rules, independently of the engine, with lists of cards and simple loops.

For an action, the referee says whether it is allowed and, if not, with which code it must be refused. When an
action is made, the referee returns its events. The readings of cards are left to brute force.

>>> referee = Referee(2, [["7r", "J"], ["8o", "Q", "K"]], leader=0, amounts=(15, 30))
>>> referee.objection(1, ("pass",)), referee.objection(0, ("pass",))
('not_your_turn', 'must_lead')
>>> referee.do(0, ("play", ["7r"], ANYTHING)), referee.do(1, ("play", ["Q", "K"], ANYTHING))
([], [])
>>> referee.do(0, ("pass",)), referee.captured, referee.turn
([('trick', 1, 0)], [['7r', 'Q', 'K'], []], 1)
"""

from typing import Final, Literal, TypeAlias

from tests.engine.brute_force import Combination, Stands, beats, combinations_of

# The name of a combination: kind, top, width, length; None if the player does not specify it.
Name: TypeAlias = tuple[str | None, int | None, int | None, int | None]
ANYTHING: Final[Name] = (None, None, None, None)

# Who captures a bombed trick of three in a tournament; None if the winner chooses.
Tournament: TypeAlias = Literal["next highest", "last ordinary"] | None

RefereeAction: TypeAlias = (
    tuple[Literal["play"], list[str], Name] | tuple[Literal["pass"]] | tuple[Literal["bet", "award"], int]
)
RefereeEvent: TypeAlias = tuple[str, int] | tuple[str, int, int]


class Referee:
    """One round, tracked card by card."""

    def __init__(  # noqa: PLR0913 -- a table and the terms of its rule text for a round
        self,
        players: int,
        hands: list[list[str]],
        *,
        leader: int,
        amounts: tuple[int, ...],
        tournament: Tournament = None,
        stands: Stands = "lower",
        first_out_closes_bets: bool = True,
    ) -> None:
        self.seats = list(range(players))
        self.suits = "royg" if players == 2 else "roygb"
        self.tournament = tournament
        self.stands = stands
        self.first_out_closes_bets = first_out_closes_bets
        self.amounts = amounts
        self.hands = [list(hand) for hand in hands]
        self.bets: list[int | None] = [None] * players
        self.have_played: set[int] = set()
        self.captured: list[list[str]] = [[] for _ in self.seats]
        self.trick: list[tuple[int, list[str], Combination]] = []
        self.passed: list[int] = []
        self.out: list[int] = []
        self.counted: list[int] = []
        self.turn: int | None = leader
        self.choosing = False
        self.captured_past_a_bomb = 0
        self.last_winner: int | None = None
        self.last_captor: int | None = None

    # --- Who has what ---------------------------------------------------------------------------------------

    def left(self, seat: int) -> int:
        return self.seats[(seat + 1) % len(self.seats)]

    def next_with_cards(self, seat: int) -> int:
        seat = self.left(seat)
        while self.hands[seat] == []:
            seat = self.left(seat)
        return seat

    def all_but_one_are_out(self) -> bool:
        return len([seat for seat in self.seats if self.hands[seat]]) == 1

    # --- What is allowed ------------------------------------------------------------------------------------

    def objection(self, seat: int, action: RefereeAction) -> str | None:
        """Return the code with which this must be refused, or None if it is allowed."""
        if action[0] == "bet":
            return self._objection_to_bet(seat, action[1])
        if self.turn is None:
            return "round_over"
        if self.choosing and action[0] != "award":
            return "award_due"
        if seat != self.turn:
            return "not_your_turn"
        return self._objection_by_the_rules(seat, action)

    def _objection_by_the_rules(self, seat: int, action: RefereeAction) -> str | None:
        if action[0] == "play":
            meant = self.meant(seat, action[1], action[2])
            return meant if isinstance(meant, str) else None
        if action[0] == "award":
            return (
                None if self.choosing and action[1] in self.seats and action[1] != seat else "award_invalid"
            )
        return None if self.trick else "must_lead"

    def _objection_to_bet(self, seat: int, amount: int) -> str | None:
        too_late = bool(self.out) if self.first_out_closes_bets else self.all_but_one_are_out()
        if seat in self.have_played or too_late:
            return "bet_closed"
        if self.bets[seat] is not None:
            return "bet_exists"
        return None if amount == 0 or amount in self.amounts else "bet_invalid"

    def meant(self, seat: int, cards: list[str], name: Name) -> Combination | str:
        """Return the combination that these cards are played as, or the code of their refusal."""
        if not cards or not all(card in self.hands[seat] for card in cards):
            return "card_not_in_hand"
        readings = combinations_of(cards, self.suits, self.stands)
        fitting = [
            reading
            for reading in readings
            if all(said is None or said == is_so for said, is_so in zip(name, reading, strict=True))
        ]
        if not fitting:
            return "not_a_combination"
        if self.trick:
            on_top = self.trick[-1][2]
            fitting = [reading for reading in fitting if beats(reading, on_top)]
        if not fitting:
            return "does_not_beat"
        if len({(kind, width, length) for kind, _, width, length in fitting}) > 1:
            return "ambiguous_combination"
        return max(fitting, key=lambda reading: reading.top)

    # --- Actions --------------------------------------------------------------------------------------------

    def do(self, seat: int, action: RefereeAction) -> list[RefereeEvent]:
        """Make an allowed action; return who went out and whose trick it was."""
        if action[0] == "bet":
            self.bets[seat] = action[1]
            return []
        if action[0] == "award":
            return self._give_to(action[1])
        if action[0] == "pass":
            return self._pass(seat)
        meant = self.meant(seat, action[1], action[2])
        assert isinstance(meant, Combination)
        return self._play(seat, action[1], meant)

    def _play(self, seat: int, cards: list[str], combination: Combination) -> list[RefereeEvent]:
        for card in cards:
            self.hands[seat].remove(card)
        self.have_played.add(seat)
        self.trick.append((seat, cards, combination))
        self.passed = []
        events: list[RefereeEvent] = []
        if self.hands[seat] == []:
            self.out.append(seat)
            self.counted.append(max(len(self.hands[other]) for other in self.seats if other != seat))
            events.append(("out", seat))
        if self.all_but_one_are_out():
            return events + self._end_trick()
        self.turn = self.next_with_cards(seat)
        return events

    def _pass(self, seat: int) -> list[RefereeEvent]:
        self.passed.append(seat)
        winner = self.trick[-1][0]
        for other in self.seats:
            if other != winner and self.hands[other] and other not in self.passed:
                self.turn = self.next_with_cards(seat)
                return []
        return self._end_trick()

    def _end_trick(self) -> list[RefereeEvent]:
        winner, _, combination = self.trick[-1]
        opponents = [seat for seat in self.seats if seat != winner]
        if combination.kind != "bomb":
            return self._give_to(winner)
        if len(opponents) == 1:
            return self._give_to(opponents[0])
        if not self.tournament:
            self.choosing = True
            self.turn = winner
            return []
        ordinary = [seat for seat, _, played in self.trick if played.kind != "bomb"]
        if self.tournament == "last ordinary" and ordinary and ordinary[-1] != winner:
            self.captured_past_a_bomb += ordinary[-1] != self.trick[-2][0]
            return self._give_to(ordinary[-1])
        if len(self.trick) > 1:
            return self._give_to(self.trick[-2][0])
        to_the_right = next(seat for seat in self.seats if self.left(seat) == winner)
        return self._give_to(to_the_right)

    def _give_to(self, captor: int) -> list[RefereeEvent]:
        winner = self.trick[-1][0]
        for _, cards, _ in self.trick:
            self.captured[captor] += cards
        self.trick, self.passed, self.choosing = [], [], False
        self.last_winner, self.last_captor = winner, captor
        if self.all_but_one_are_out():
            self.turn = None
        elif self.hands[winner]:
            self.turn = winner
        else:
            self.turn = self.next_with_cards(winner)
        return [("trick", winner, captor)]
