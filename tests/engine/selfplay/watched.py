"""A match of the engine, with a referee and a bookkeeper who have to agree with it after every action."""

from collections import Counter
from collections.abc import Sequence

from engine.cards.card import Card
from engine.cards.hand import FACES, cards_of, deck_mask, pile_of
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import Kind, combination_of
from engine.combinations.plays import cards_in, number_in
from engine.errors import Refused
from engine.matches.apply import Acted, apply
from engine.matches.ending import Length
from engine.matches.events import Dealt, MatchEnd, MatchEvent, RoundEnd
from engine.matches.state import MatchState, Reason, start_match
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.events import Out, TrickEnd
from engine.rounds.position import Position
from engine.rounds.turn import Expects, expected
from engine.rulesets.model import TableRules
from tests.engine.selfplay.bookkeeper import TEXTS, TEXTS_1, Bookkeeper
from tests.engine.selfplay.deals import Dealer
from tests.engine.selfplay.referee import Doing, Name, Referee, Told

LINES = ("going_out", "first_out_bonus", "captured", "bets", "total")


class Watched:
    """One match, and what the referee and the bookkeeper make of it.

    `seen` counts the rare things that happened, so that a test can say that they did.
    """

    def __init__(self, rules: TableRules, length: Length, *, first_seat: int, dealer: Dealer) -> None:
        self.dealer = dealer
        self.seen: Counter[str] = Counter()
        self.sheets: list[list[dict[str, int]]] = []
        self.state = start_match(rules, length, first_seat=first_seat, dealing=dealer)
        self.bookkeeper = Bookkeeper(
            (TEXTS_1 if rules.version == "1" else TEXTS)[rules.key],
            rules.players,
            rules.options,
            target=length.target,
            rounds=length.rounds,
            first_seat=first_seat,
        )
        self.start_round()

    @property
    def position(self) -> Position:
        """Where the engine stands."""
        return self.state.round.position

    @property
    def players(self) -> int:
        """How many play."""
        return self.state.rules.players

    def start_round(self) -> None:
        """A round is dealt: everybody starts from the same cards."""
        round_ = self.state.round
        assert (round_.number, round_.dealer, round_.leader) == (
            self.bookkeeper.number,
            self.bookkeeper.dealer,
            self.bookkeeper.leader,
        )
        assert self.dealer.dealt == list(range(1, round_.number + 1))
        self.haggis = codes(round_.haggis)
        self.referee = Referee(
            self.players,
            [codes(hand) for hand in round_.dealt],
            leader=self.bookkeeper.leader,
            amounts=self.bookkeeper.text.amounts,
            tournament=self.bookkeeper.tournament,
            stands=self.bookkeeper.text.stands,
            first_out_closes_bets=self.bookkeeper.text.first_out_closes_bets,
        )
        self.deck = all_cards(self.state)
        if not self.dealer.thin:
            whole = deck_mask(self.players) | sum(pile_of(FACES, seat) for seat in range(self.players))
            assert self.deck == whole
            assert self.deck.bit_count() == {2: 42, 3: 54}[self.players]
        self.check()

    def act(self, seat: int, doing: Doing) -> str | None:
        """Do this if it is allowed, and return the code by which it is refused if it is not."""
        over = self.bookkeeper.winner is not None
        objection = "match_over" if over else self.referee.objection(seat, doing)
        before = everything(self.state)
        acted = self.told_to_the_engine(seat, doing)
        assert everything(self.state) == before
        if isinstance(acted, Acted):
            assert objection is None, (seat, doing)
            self.look(seat, doing)
            self.follow(seat, doing, acted)
        else:
            assert acted.code == objection, (seat, doing)
            self.seen[f"refused {objection}"] += 1
        return objection

    def told_to_the_engine(self, seat: int, doing: Doing) -> Acted | Refused:
        """What the engine answers."""
        try:
            return apply(self.state, seat, action_of(doing), dealing=self.dealer)
        except Refused as refused:
            return refused

    def follow(self, seat: int, doing: Doing, acted: Acted) -> None:
        """The engine did it: the referee and the bookkeeper do too, and compare."""
        if doing[0] == "play":
            meant = self.referee.meant(seat, doing[1], doing[2])
            combination = combination_of(number_in(acted.play))
            as_played = (combination.kind.value, combination.top, combination.width, combination.length)
            assert as_played == meant
            assert sorted(codes(cards_in(acted.play))) == sorted(doing[1])
        else:
            assert acted.play == 0
        told = self.referee.do(seat, doing)
        assert [*map(told_of, acted.events[: len(told)])] == told
        rest = acted.events[len(told) :]
        if self.referee.turn is None:
            self.end_round(acted, rest)
        else:
            assert rest == ()
            self.state = acted.state
            self.check()

    def end_round(self, acted: Acted, then: Sequence[MatchEvent]) -> None:
        """The round is over: the sheets, the totals and what comes next are the same."""
        ended, (scored, followed) = self.state.round, then
        assert isinstance(scored, RoundEnd)
        sheet = self.bookkeeper.sheet(self.referee, self.haggis)
        assert [{name: getattr(score, name) for name in LINES} for score in scored.scores] == sheet
        self.look_at_sheet(sheet)
        self.sheets.append(sheet)
        self.bookkeeper.enter(sheet, self.referee.out[0])
        assert list(scored.totals) == list(acted.state.totals) == self.bookkeeper.totals
        assert (scored.number, list(scored.out)) == (ended.number, self.referee.out)
        assert (scored.hands, scored.haggis) == (ended.dealt, ended.haggis)
        self.state = acted.state
        self.seen["rounds"] += 1
        if self.bookkeeper.winner is None:
            assert followed == Dealt(
                number=self.bookkeeper.number, dealer=self.bookkeeper.dealer, leader=self.bookkeeper.leader
            )
            assert not self.state.is_over
            self.start_round()
        else:
            assert isinstance(followed, MatchEnd)
            self.end_match()
            assert followed.result == self.state.result

    def end_match(self) -> None:
        """The match is over: who won, and by what."""
        result = self.state.result
        assert result is not None
        assert self.state.is_over
        assert result.winners == (self.bookkeeper.winner,)
        assert list(result.scores) == self.bookkeeper.totals
        assert result.reason is (Reason.ROUNDS if self.bookkeeper.target is None else Reason.TARGET)
        assert self.dealer.dealt == list(range(1, self.state.round.number + 1))
        assert all_cards(self.state) == self.deck

    def check(self) -> None:
        """Compare all that the referee knows, and see that no card came or went."""
        round_, position, referee = self.state.round, self.position, self.referee
        assert round_.to_act == position.to_act == referee.turn
        assert expected(position) is (
            Expects.AWARD if referee.choosing else Expects.PLAY_OR_PASS if referee.trick else Expects.PLAY
        )
        assert list(round_.bets) == referee.bets
        assert list(position.out) == referee.out
        assert list(position.opposing) == referee.counted
        assert [hand.bit_count() for hand in position.hands] == [len(hand) for hand in referee.hands]
        assert [pile.bit_count() for pile in position.captured] == [len(pile) for pile in referee.captured]
        assert position.pile.bit_count() == sum(len(cards) for _, cards, _ in referee.trick)
        if not referee.trick:
            assert [sorted(codes(hand)) for hand in position.hands] == [*map(sorted, referee.hands)]
            assert [sorted(codes(pile)) for pile in position.captured] == [*map(sorted, referee.captured)]
        assert hash(position.parts()) == hash(position)
        assert all_cards(self.state) == self.deck

    # --- Rare things ----------------------------------------------------------------------------------------

    def look(self, seat: int, doing: Doing) -> None:
        """Count what is rare, as it is done."""
        referee = self.referee
        if doing[0] == "award":
            self.seen["award"] += 1
            self.seen["award to a player who is out"] += doing[1] in referee.out
            self.seen["award by a player who is out"] += seat in referee.out
            self.seen["award after the last card"] += referee.all_but_one_are_out()
        elif doing[0] == "bet":
            self.seen["bet while an award is due"] += referee.choosing
            self.seen["bet out of turn"] += seat != referee.turn
            self.seen["bet after another went out"] += bool(referee.out)
        elif doing[0] == "play":
            self.seen["play after a pass in the same trick"] += any(
                entry.seat == seat and not entry.play for entry in self.state.round.trick
            )
            self.seen["bomb on a bomb"] += len(referee.trick) > 0 and referee.trick[-1][2].kind == "bomb"
            self.seen["trick begun by a winner's neighbour"] += not referee.trick and (
                referee.last_winner not in {None, seat}
            )
        elif referee.trick[-1][2].kind == "bomb":
            self.seen["pass on a led bomb"] += len(referee.trick) == 1

    def look_at_sheet(self, sheet: list[dict[str, int]]) -> None:
        """Count what is rare at the end of a round."""
        bombed = self.referee.last_winner != self.referee.last_captor
        self.seen["round that ended on a bomb"] += bombed
        self.seen["trick captured past a bomb"] += self.referee.captured_past_a_bomb
        self.seen["bets paid"] += any(line["bets"] for line in sheet)
        self.seen["extra round"] += self.bookkeeper.late


def codes(cards: int) -> list[str]:
    """The cards of a hand or pile as codes."""
    return [*map(str, cards_of(cards))]


def all_cards(state: MatchState) -> int:
    """Every card of a round as one pile: no card is in two places."""
    position = state.round.position
    hands = [pile_of(hand, seat) for seat, hand in enumerate(position.hands)]
    together = 0
    for pile in (*hands, *position.captured, position.pile, state.round.haggis):
        assert together & pile == 0
        together |= pile
    return together


def everything(state: MatchState) -> tuple[object, ...]:
    """All that could change in a match, as plain values."""
    round_ = state.round
    return (
        state.totals,
        state.result,
        round_.number,
        round_.position.parts(),
        round_.bets,
        round_.trick,
        round_.tricks,
        round_.dealt,
        round_.haggis,
    )


def action_of(doing: Doing) -> Action:
    """What is done, as the engine is told."""
    match doing:
        case ("play", cards, name):
            return Play(tuple(map(Card.parse, cards)), named_of(name))
        case ("pass",):
            return Pass()
        case ("bet", amount):
            return Bet(amount)
        case ("award", to):
            return Award(to)


def named_of(name: Name) -> Named:
    """The name of a combination, as the engine is told."""
    kind, top, width, length = name
    return Named(None if kind is None else Kind(kind), top, width, length)


def told_of(happening: MatchEvent) -> Told:
    """What the engine tells, as the referee would."""
    match happening:
        case Out():
            return ("out", happening.seat)
        case TrickEnd():
            return ("trick", happening.winner, happening.captured_by)
        case _:
            raise AssertionError(happening)
