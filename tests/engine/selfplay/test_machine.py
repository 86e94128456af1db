"""Whole matches that hypothesis makes up, with each rule set, number of players and option.

Engine, referee and bookkeeper agree after every action (see `watched`), and what must always hold does.
"""

import os
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.cards.card import FACE_CARDS
from engine.cards.deck import deck_for
from engine.combinations.plays import NO_PLAY
from engine.matches.apply import apply
from engine.matches.ending import Length
from engine.plays.following import follows
from engine.plays.leading import leads
from engine.rounds.awarding import may_capture
from engine.rounds.betting import bets_open
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import named
from tests.engine.scoring.finished_rounds import TABLES
from tests.engine.selfplay.deals import Dealer
from tests.engine.selfplay.players import named_play
from tests.engine.selfplay.referee import ANYTHING, Doing, Name
from tests.engine.selfplay.watched import Watched, action_of, codes

EXAMPLES = int(os.environ.get("HAGGIS_SELFPLAY_EXAMPLES", "10"))
STEPS = 40

SEATS = st.integers(0, 2)
NAMES = st.just(ANYTHING) | st.tuples(
    st.sampled_from((None, "set", "run", "stair", "bomb")),
    st.none() | st.integers(1, 13),
    st.none() | st.integers(0, 4),
    st.none() | st.integers(0, 4),
)
LENGTHS = st.builds(Length, target=st.integers(1, 150)) | st.builds(Length, rounds=st.integers(1, 3))


class Match(RuleBasedStateMachine):
    """One match, dealt thinly so that rounds end after few actions."""

    agreed: TableRules

    @initialize(length=LENGTHS, first_seat=SEATS, rng=st.randoms(use_true_random=False))
    def start(self, length: Length, first_seat: int, rng: Random) -> None:
        dealer = Dealer(self.agreed.players, rng, thin=True)
        self.table = Watched(self.agreed, length, first_seat=first_seat % self.agreed.players, dealer=dealer)

    # --- What is done ---------------------------------------------------------------------------------------

    def goes_on(self) -> bool:
        return not self.table.state.is_over

    def plays(self) -> list[Doing]:
        """Every play that the engine offers."""
        position = self.table.position
        if position.award_due:
            return []
        hand, table = position.hands[position.to_act], position.table
        led = position.current == NO_PLAY
        return [
            named_play(play)
            for play in (leads(hand, table) if led else follows(hand, position.current, table))
        ]

    def offered(self) -> list[tuple[int, Doing]]:
        """Everything that the engine offers anyone."""
        position, seats = self.table.position, range(self.agreed.players)
        offered: list[tuple[int, Doing]] = [(position.to_act, play) for play in self.plays()]
        if position.award_due:
            offered += [(position.to_act, ("award", captor)) for captor in may_capture(position)]
        elif position.current != NO_PLAY:
            offered.append((position.to_act, ("pass",)))
        return offered + [
            (seat, ("bet", bet)) for seat in seats for bet in bets_open(self.table.state.round, seat)
        ]

    @precondition(goes_on)
    @rule(data=st.data())
    def whoever_is_to_act_plays_something_offered(self, data: st.DataObject) -> None:
        plays = self.plays()
        if plays:
            assert self.table.act(self.table.position.to_act, data.draw(st.sampled_from(plays))) is None

    @precondition(goes_on)
    @rule(data=st.data())
    def somebody_does_something_offered(self, data: st.DataObject) -> None:
        assert self.table.act(*data.draw(st.sampled_from(self.offered()))) is None

    @rule(seat=SEATS, data=st.data(), name=NAMES)
    def somebody_plays_any_cards(self, seat: int, data: st.DataObject, name: Name) -> None:
        seat %= self.agreed.players
        hand = codes(self.table.position.hands[seat])
        deck = [*map(str, (*deck_for(self.agreed.players), *FACE_CARDS))]
        of = data.draw(st.sampled_from((hand or deck, hand or deck, deck)))
        cards = data.draw(st.lists(st.sampled_from(of), min_size=1, max_size=5, unique=True))
        self.table.act(seat, ("play", cards, name))

    @rule(seat=SEATS)
    def somebody_passes(self, seat: int) -> None:
        self.table.act(seat % self.agreed.players, ("pass",))

    @rule(seat=SEATS, amount=st.sampled_from((0, 5, 15, 30, 10, 45, -15)))
    def somebody_bets(self, seat: int, amount: int) -> None:
        self.table.act(seat % self.agreed.players, ("bet", amount))

    @rule(seat=SEATS, captor=st.integers(-1, 3))
    def somebody_awards(self, seat: int, captor: int) -> None:
        self.table.act(seat % self.agreed.players, ("award", captor))

    # --- What always holds ----------------------------------------------------------------------------------

    @invariant()
    def everything_offered_would_be_taken(self) -> None:
        for seat, doing in self.offered() if self.goes_on() else []:
            apply(self.table.state, seat, action_of(doing), dealing=self.table.dealer.copy())

    @invariant()
    def one_seat_is_to_act_until_the_match_is_over_and_it_holds_cards_or_a_choice(self) -> None:
        position = self.table.position
        if self.goes_on():
            assert position.to_act in range(self.agreed.players)
            assert position.hands[position.to_act] or position.award_due
        else:
            assert self.table.state.round.to_act is None

    @invariant()
    def who_is_out_holds_nothing_and_who_is_not_holds_something(self) -> None:
        position = self.table.position
        assert {seat for seat, hand in enumerate(position.hands) if not hand} == set(position.out)
        assert len(set(position.out)) == len(position.out) == len(position.opposing)

    @invariant()
    def totals_are_the_sums_of_the_sheets(self) -> None:
        for seat, total in enumerate(self.table.state.totals):
            assert total == sum(sheet[seat]["total"] for sheet in self.table.sheets)


@pytest.mark.parametrize("rules", TABLES, ids=named)
def test_engine_and_referee_agree_on_any_sequence_of_actions(rules: TableRules) -> None:
    class AtThisTable(Match):
        agreed = rules

    run_state_machine_as_test(
        AtThisTable,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
