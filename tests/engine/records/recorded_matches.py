"""Matches played at random by the engine and recorded like on a server, for tests of records."""

from dataclasses import dataclass
from random import Random

from engine.cards.hand import cards_of
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import combination_of
from engine.combinations.plays import cards_in, number_in
from engine.deals.chain import Chain, make_chain
from engine.deals.deal import Deal, deal
from engine.deals.first_seat import first_seat
from engine.matches.apply import apply
from engine.matches.ending import Length
from engine.matches.state import MatchState, start_match
from engine.plays.sampling import random_follow, random_lead
from engine.records.match_recorder import MatchRecorder
from engine.records.record import By, Record
from engine.records.recorder import Agreement
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.awarding import may_capture
from engine.rounds.betting import bets_open
from engine.rulesets.model import TableRules

NAMES = ("heather", "ai:hard", 'Mac "the" Duff\n')
SEEDS = ("salt", "", "é\u2028\n\U0001f411")


@dataclass
class PlayedMatch:
    """A match in progress: its state and its record so far."""

    state: MatchState
    recorder: MatchRecorder
    chain: Chain
    rng: Random
    turns: int = 0

    def dealing(self, number: int) -> Deal:
        return _deal(self.chain, self.state.rules.players, number)

    def act(self) -> None:
        """Make one random action, sometimes with a bet out of turn before it."""
        acting = self.state.round.position.to_act
        seat = self.rng.randrange(self.state.rules.players) if self.rng.random() < 0.1 else acting
        bets = bets_open(self.state.round, seat)
        if bets and self.rng.random() < 0.5:
            self._apply(seat, Bet(self.rng.choice(bets)))
        else:
            self._apply(acting, self._turn())

    def _turn(self) -> Action:
        position = self.state.round.position
        if position.award_due:
            return Award(self.rng.choice(may_capture(position)))
        hand, table = position.hands[position.to_act], position.table
        if position.current == 0:
            return _play(random_lead(hand, table, self.rng))
        chosen = random_follow(hand, position.current, table, self.rng)
        return _play(chosen) if chosen else Pass()

    def _apply(self, seat: int, action: Action) -> None:
        acted = apply(self.state, seat, action, dealing=self.dealing)
        self.turns += 1
        noted = self.turns % 7
        by = (By.PLAYER, By.AI, By.CLOCK)[seat] if noted else None
        at = f"2026-01-02T{self.turns // 3600:02}:{self.turns // 60 % 60:02}:{self.turns % 60:02}Z"
        self.recorder.act(seat, action, acted, by=by, at=at if noted != 1 else None)
        self.state = acted.state


def begin_match(rules: TableRules, length: Length, seed: int = 1) -> PlayedMatch:
    """Return a match at its start; the seed determines everything in it."""
    rng = Random(seed)
    players = rules.players
    chain = make_chain("m_example", rng.randbytes(32))
    first = first_seat(deal_id="m_example", link=chain.link(1), players=players, seeds=SEEDS[:players])
    state = start_match(rules, length, first_seat=first, dealing=lambda number: _deal(chain, players, number))
    agreed = Agreement(
        match="m_example",
        rules=rules,
        length=length,
        seats=NAMES[:players],
        deal_id="m_example",
        anchor=chain.anchor,
        client_seeds=SEEDS[:players],
    )
    recorder = MatchRecorder(
        agreed, state, lambda number: (_deal(chain, players, number), chain.link(number))
    )
    return PlayedMatch(state, recorder, chain, rng)


def play_match(rules: TableRules, length: Length, seed: int = 1) -> Record:
    """Return the record of a whole match."""
    played = begin_match(rules, length, seed)
    while not played.state.is_over:
        played.act()
    return played.recorder.record()


def _deal(chain: Chain, players: int, number: int) -> Deal:
    return deal(
        deal_id=chain.deal_id,
        number=number,
        link=chain.link(number),
        players=players,
        seeds=SEEDS[:players],
    )


def _play(chosen: int) -> Play:
    """Return a play with its full name, without which many would be ambiguous."""
    made = combination_of(number_in(chosen))
    return Play(cards_of(cards_in(chosen)), Named(made.kind, made.top, made.width, made.length))
