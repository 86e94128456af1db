"""Play a match in a few lines: a value that knows its deals, its legal actions and its record.

>>> game = new_game("classic", players=2, seed="a first game", rounds=1)
>>> while not game.is_over:
...     game = game.act(game.legal_actions()[0])
>>> game.round_number, len(game.record().rounds)
(1, 1)

This is a convenience over `engine.matches`, whose functions take the deals as an argument.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.ai.turn import action_of, legal_plays
from engine.combinations.plays import NO_PLAY
from engine.deals.chain import Chain, make_chain
from engine.deals.deal import Deal, deal
from engine.deals.first_seat import first_seat
from engine.matches.apply import Acted, apply
from engine.matches.ending import Length
from engine.matches.events import MatchEvent
from engine.matches.state import MatchState, Result, start_match
from engine.records.match_recorder import MatchRecorder
from engine.records.record import Record
from engine.records.recorder import Agreement
from engine.rounds.actions import Action, Award, Bet, Pass
from engine.rounds.turn import Expects
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import NO_OPTIONS
from engine.views.match_view import MatchView, view_match
from engine.views.round_view import RoundView, view_round

_ID_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals of one match: all of them follow from a chain of links, so its record proves them."""

    chain: Chain
    players: int

    def link(self, number: int) -> bytes:
        """Return the link of a round."""
        return self.chain.link(number)

    def __call__(self, number: int) -> Deal:
        """Return the deal of a round."""
        return deal(
            deal_id=self.chain.deal_id,
            number=number,
            link=self.link(number),
            players=self.players,
            seeds=("",) * self.players,
        )

    def first_seat(self) -> int:
        """Return the seat that the first link draws."""
        seeds = ("",) * self.players
        return first_seat(deal_id=self.chain.deal_id, link=self.link(1), players=self.players, seeds=seeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A match at one moment. It never changes: every action returns the next game.

    `state` holds every hand; give players a `view`. `events` are those that the last action caused.
    """

    state: MatchState = field(repr=False)
    deals: Deals = field(repr=False)
    start: MatchState = field(repr=False)
    history: tuple[tuple[int, Action, Acted], ...] = field(default=(), repr=False)

    @property
    def to_act(self) -> int | None:
        """The seat to act, or None if the match is over."""
        return None if self.is_over else self.state.round.to_act

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.state.is_over

    @property
    def round_number(self) -> int:
        """The number of the current round, or of the last one."""
        return self.state.round.number

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of every seat after the rounds that have ended."""
        return self.state.totals

    @property
    def result(self) -> Result | None:
        """How the match ended, or None."""
        return self.state.result

    @property
    def events(self) -> tuple[MatchEvent, ...]:
        """What the last action caused: who went out, who captured, scores, a new deal or the end."""
        return self.history[-1][2].events if self.history else ()

    def view(self, seat: int | None = None) -> MatchView:
        """Return what a seat may see; without a seat, what the seat to act may see."""
        return view_match(self.state, self.to_act if seat is None else seat)

    def round_view(self, seat: int | None = None) -> RoundView:
        """Return what a seat may see of the round, which is what AI levels take."""
        return view_round(self.state.round, self.to_act if seat is None else seat)

    def legal_actions(self) -> tuple[Action, ...]:
        """Return every action of the seat to act: plays, then the pass or the awards, then bets.

        Other seats may bet out of turn (`view(seat).round.bets_open`).
        """
        if self.is_over:
            return ()
        view = self.round_view()
        bets = tuple(Bet(amount) for amount in view.bets_open)
        if view.expects is Expects.AWARD:
            return (*(Award(seat) for seat in view.awards), *bets)
        plays = tuple(action_of(each) for each in legal_plays(view))
        passes = () if view.current == NO_PLAY else (Pass(),)
        return (*plays, *passes, *bets)

    def act(self, action: Action, *, seat: int | None = None) -> "Game":
        """Return the game after an action of the seat to act, or of another seat that bets out of turn.

        Raise `Refused` if the rules do not allow it, and `Malformed` if it makes no sense.
        """
        actor = (self.state.round.to_act or 0) if seat is None else seat
        acted = apply(self.state, actor, action, dealing=self.deals)
        return replace(self, state=acted.state, history=(*self.history, (actor, action, acted)))

    def record(self, *seats: str) -> Record:
        """Return the record of all rounds that have ended; `seats` are the names of the players."""
        players = self.state.rules.players
        agreed = Agreement(
            match=None,
            rules=self.state.rules,
            length=self.state.length,
            seats=seats or tuple(f"seat {seat}" for seat in range(players)),
            deal_id=self.deals.chain.deal_id,
            anchor=self.deals.chain.anchor,
            client_seeds=("",) * players,
        )
        recorder = MatchRecorder(
            agreed, self.start, lambda number: (self.deals(number), self.deals.link(number))
        )
        for seat, action, acted in self.history:
            recorder.act(seat, action, acted)
        return recorder.record()


def new_game(
    ruleset: str = "classic",
    *,
    seed: str,
    players: int = 2,
    options: Mapping[str, str] = NO_OPTIONS,
    target: int | None = None,
    rounds: int | None = None,
) -> Game:
    """Return a match with its first round dealt; without a target or rounds, it is to 250 points.

    The same seed gives the same deals and the same first dealer. The engine draws no random numbers: for real
    games pass a secret that nobody can guess, such as `secrets.token_hex()`.
    """
    rules = rule_set(ruleset).at_table(players=players, options=options)
    secret = hashlib.sha256(seed.encode()).digest()
    name = hashlib.sha256(b"name" + secret).hexdigest()[:_ID_DIGITS]
    deals = Deals(make_chain(name, secret), players)
    length = Length.agreed(target=target, rounds=rounds)
    began = start_match(rules, length, first_seat=deals.first_seat(), dealing=deals)
    return Game(state=began, deals=deals, start=began)
