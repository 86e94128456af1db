"""Compare a match of the engine with a referee and a bookkeeper after every action."""

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
from tests.engine.selfplay.referee import Name, Referee, RefereeAction, RefereeEvent

LINES = ("going_out", "first_out_bonus", "captured", "bets", "total")


class CheckedMatch:
    """One match, tracked by the engine, the referee and the bookkeeper.

    `seen` counts rare events, so that a test can assert that they happened.
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
        """The current position of the engine."""
        return self.state.round.position

    @property
    def players(self) -> int:
        """The number of players."""
        return self.state.rules.players

    def start_round(self) -> None:
        """Start a round with the same cards for everybody."""
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

    def act(self, seat: int, action: RefereeAction) -> str | None:
        """Make this action if it is allowed; otherwise return the code with which it is refused."""
        over = self.bookkeeper.winner is not None
        objection = "match_over" if over else self.referee.objection(seat, action)
        before = snapshot(self.state)
        acted = self.apply_to_engine(seat, action)
        assert snapshot(self.state) == before
        if isinstance(acted, Acted):
            assert objection is None, (seat, action)
            self.count_rare_events(seat, action)
            self.follow(seat, action, acted)
        else:
            assert acted.code == objection, (seat, action)
            self.seen[f"refused {objection}"] += 1
        return objection

    def apply_to_engine(self, seat: int, action: RefereeAction) -> Acted | Refused:
        """Return the engine's answer."""
        try:
            return apply(self.state, seat, action_of(action), dealing=self.dealer)
        except Refused as refused:
            return refused

    def follow(self, seat: int, action: RefereeAction, acted: Acted) -> None:
        """Make the action in the referee and the bookkeeper too, and compare."""
        if action[0] == "play":
            meant = self.referee.meant(seat, action[1], action[2])
            combination = combination_of(number_in(acted.play))
            as_played = (combination.kind.value, combination.top, combination.width, combination.length)
            assert as_played == meant
            assert sorted(codes(cards_in(acted.play))) == sorted(action[1])
        else:
            assert acted.play == 0
        events = self.referee.do(seat, action)
        assert [*map(referee_event_of, acted.events[: len(events)])] == events
        rest = acted.events[len(events) :]
        if self.referee.turn is None:
            self.end_round(acted, rest)
        else:
            assert rest == ()
            self.state = acted.state
            self.check()

    def end_round(self, acted: Acted, then: Sequence[MatchEvent]) -> None:
        """Compare the sheets, the totals and what comes next at the end of a round."""
        ended, (scored, followed) = self.state.round, then
        assert isinstance(scored, RoundEnd)
        sheet = self.bookkeeper.sheet(self.referee, self.haggis)
        assert [{name: getattr(score, name) for name in LINES} for score in scored.scores] == sheet
        self.count_rare_scores(sheet)
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
        """Compare the winners and the reason at the end of the match."""
        result = self.state.result
        assert result is not None
        assert self.state.is_over
        assert result.winners == (self.bookkeeper.winner,)
        assert list(result.scores) == self.bookkeeper.totals
        assert result.reason is (Reason.ROUNDS if self.bookkeeper.target is None else Reason.TARGET)
        assert self.dealer.dealt == list(range(1, self.state.round.number + 1))
        assert all_cards(self.state) == self.deck

    def check(self) -> None:
        """Compare everything that the referee knows, and check that no card appeared or disappeared."""
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

    # --- Rare events ----------------------------------------------------------------------------------------

    def count_rare_events(self, seat: int, action: RefereeAction) -> None:
        """Count rare events of an action."""
        referee = self.referee
        if action[0] == "award":
            self.seen["award"] += 1
            self.seen["award to a player who is out"] += action[1] in referee.out
            self.seen["award by a player who is out"] += seat in referee.out
            self.seen["award after the last card"] += referee.all_but_one_are_out()
        elif action[0] == "bet":
            self.seen["bet while an award is due"] += referee.choosing
            self.seen["bet out of turn"] += seat != referee.turn
            self.seen["bet after another went out"] += bool(referee.out)
        elif action[0] == "play":
            self.seen["play after a pass in the same trick"] += any(
                entry.seat == seat and not entry.play for entry in self.state.round.trick
            )
            self.seen["bomb on a bomb"] += len(referee.trick) > 0 and referee.trick[-1][2].kind == "bomb"
            self.seen["trick begun by a winner's neighbour"] += not referee.trick and (
                referee.last_winner not in {None, seat}
            )
        elif referee.trick[-1][2].kind == "bomb":
            self.seen["pass on a led bomb"] += len(referee.trick) == 1

    def count_rare_scores(self, sheet: list[dict[str, int]]) -> None:
        """Count rare events at the end of a round."""
        bombed = self.referee.last_winner != self.referee.last_captor
        self.seen["round that ended on a bomb"] += bombed
        self.seen["trick captured past a bomb"] += self.referee.captured_past_a_bomb
        self.seen["bets paid"] += any(line["bets"] for line in sheet)
        self.seen["extra round"] += self.bookkeeper.late


def codes(cards: int) -> list[str]:
    """Return the cards of a hand or pile as codes."""
    return [*map(str, cards_of(cards))]


def all_cards(state: MatchState) -> int:
    """Return every card of a round as one pile, checking that no card is in two places."""
    position = state.round.position
    hands = [pile_of(hand, seat) for seat, hand in enumerate(position.hands)]
    together = 0
    for pile in (*hands, *position.captured, position.pile, state.round.haggis):
        assert together & pile == 0
        together |= pile
    return together


def snapshot(state: MatchState) -> tuple[object, ...]:
    """Return everything in a match that could change, as plain values."""
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


def action_of(action: RefereeAction) -> Action:
    """Return the action for the engine."""
    match action:
        case ("play", cards, name):
            return Play(tuple(map(Card.parse, cards)), named_of(name))
        case ("pass",):
            return Pass()
        case ("bet", amount):
            return Bet(amount)
        case ("award", to):
            return Award(to)


def named_of(name: Name) -> Named:
    """Return the name of a combination for the engine."""
    kind, top, width, length = name
    return Named(None if kind is None else Kind(kind), top, width, length)


def referee_event_of(happening: MatchEvent) -> RefereeEvent:
    """Return an event of the engine in the form of the referee."""
    match happening:
        case Out():
            return ("out", happening.seat)
        case TrickEnd():
            return ("trick", happening.winner, happening.captured_by)
        case _:
            raise AssertionError(happening)
