"""One game as a sequence of numbered actions: what the PettingZoo environment and the vector share."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Literal, assert_never

import numpy as np
from numpy.typing import NDArray

from engine.ai.match_arena import dealing_for
from engine.ai.turn import action_of
from engine.cards.hand import HAND_BITS
from engine.combinations.plays import COMBINATION_AT, NO_PLAY, cards_in
from engine.env.actions import (
    ACTIONS,
    BET_AMOUNTS,
    FIRST_AWARD,
    FIRST_BET,
    FIRST_CARD,
    FIRST_PLAY,
    PASS,
    award_action,
    bet_action,
    card_actions,
    describe,
    play_action,
)
from engine.env.observations import NO_SELECTION, Selection, Vector, write_observation
from engine.matches.apply import apply
from engine.matches.ending import Length, winners
from engine.matches.events import RoundEnd
from engine.matches.state import MatchState, start_match
from engine.plays.following import follows
from engine.plays.grouped import cost
from engine.plays.leading import leads
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import apply as apply_in_round
from engine.rounds.apply import chosen_play
from engine.rounds.awarding import may_capture
from engine.rounds.betting import bets_open
from engine.rounds.ending import score_round
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import TableRules
from engine.views.match_view import view_match

Mask = NDArray[np.int8]
Reward = Literal["margin", "points", "win"]

# Rewards for points are divided by this, so that most of them lie between -1 and 1.
POINTS_PER_REWARD: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a game is played by.

    Without `target_score` and `rounds` an episode is one round. `reward` is, at the end of each round, the
    points over the mean of the others (`margin`) or the points themselves (`points`), divided by 100; or, at
    the end of the episode, 1 for the winner and -1 for the others (`win`; shared first places share 1).
    `choose_cards=False` always plays the cards of a combination with the fewest wild cards, so that each play
    is one step.
    """

    ruleset: str = "classic"
    players: int = 2
    options: Mapping[str, str] = field(default_factory=dict)
    target_score: int | None = None
    rounds: int | None = None
    reward: Reward = "margin"
    choose_cards: bool = True

    @property
    def rules(self) -> TableRules:
        """The rules in force."""
        return rule_set(self.ruleset).at_table(players=self.players, options=self.options)

    @property
    def is_one_round(self) -> bool:
        """Whether an episode is one round."""
        return self.target_score is None and self.rounds is None

    @property
    def length(self) -> Length:
        """The length of a match."""
        return Length(rounds=1) if self.is_one_round else Length(self.target_score, self.rounds)


class IllegalAction(ValueError):
    """The action is not in the mask."""


class Table:
    """One game and, if a play is being made, the combination and the cards chosen so far."""

    def __init__(self, config: Config, seed: int, state: MatchState | None = None) -> None:
        """Deal; the same seed gives the same deals. With a state, continue a match from there."""
        self.config: Final = config
        rules = config.rules if state is None else state.rules
        self._dealing: Final = dealing_for(rules, f"env/{seed}")
        if state is None:
            first = Random(f"first/{seed}").randrange(config.players)  # noqa: S311 -- not a secret
            state = start_match(rules, config.length, first_seat=first, dealing=self._dealing)
        self.state = state
        self.is_over = False
        self.selection = NO_SELECTION
        self._plays = self._legal_plays()

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.state.round.position.to_act

    def write_mask(self, mask: Mask) -> None:
        """Write which actions the seat to act may take: 1 or 0 for each."""
        mask[:] = 0
        if self.is_over:
            return
        if self.selection.combination:
            mask[card_actions(self._cards_to_choose())] = 1
            return
        state = self.state.round
        position = state.position
        # A lead has a hundred plays of a few dozen combinations.
        combinations = {play >> COMBINATION_AT for play in self._plays}
        mask[[FIRST_PLAY - 1 + number for number in combinations]] = 1
        mask[[bet_action(amount) for amount in bets_open(state, position.to_act)]] = 1
        if position.award_due:
            seat = position.to_act
            mask[[award_action(seat, to, self.config.players) for to in may_capture(position)]] = 1
        elif position.current != NO_PLAY:
            mask[PASS] = 1

    def mask(self) -> Mask:
        """Return which actions the seat to act may take."""
        mask = np.zeros(ACTIONS, np.int8)
        self.write_mask(mask)
        return mask

    def write_observation(self, found: Vector, seat: int) -> None:
        """Write what a seat sees; a play that is being made is seen by the seat that makes it alone."""
        selection = self.selection if seat == self.seat and not self.is_over else NO_SELECTION
        write_observation(found, view_match(self.state, seat), selection)

    def step(self, action: int) -> tuple[float, ...]:
        """Take one action of the seat to act; return the rewards of all seats."""
        if self.is_over or not 0 <= action < ACTIONS:
            raise self._illegal(action)
        if self.selection.combination:
            return self._choose_card(action)
        if FIRST_PLAY <= action < FIRST_CARD:
            return self._choose_combination(action)
        return self._apply(self._simple_action(action))

    def actions_of(self, action: Action) -> list[int]:
        """Return the numbered actions that take an action of the seat to act, in order.

        Raise `Refused` for a play that the rules do not allow.
        """
        match action:
            case Pass():
                return [PASS]
            case Bet():
                return [bet_action(action.amount)]
            case Award():
                return [award_action(self.seat, action.to, self.config.players)]
            case Play():
                return self._steps_to(chosen_play(self.state.round.position, action))
            case _:
                assert_never(action)

    def _steps_to(self, play: int) -> list[int]:
        """Return the combination of a play, then its cards until no other play is left."""
        steps = [play_action(play)]
        ways = [each for each in self._plays if each >> COMBINATION_AT == play >> COMBINATION_AT]
        while len(ways) > 1:
            choices = card_actions(_differing(ways) & cards_in(play))
            steps.append(choices[0])
            ways = [each for each in ways if each >> choices[0] - FIRST_CARD & 1]
        return steps

    def _simple_action(self, action: int) -> Action:
        state = self.state.round
        position = state.position
        if action == PASS and position.current != NO_PLAY and not position.award_due:
            return Pass()
        if FIRST_BET <= action < FIRST_AWARD:
            amount = BET_AMOUNTS[action - FIRST_BET]
            if amount in bets_open(state, position.to_act):
                return Bet(amount)
        if FIRST_AWARD <= action < FIRST_PLAY and position.award_due:
            to = (position.to_act + action - FIRST_AWARD + 1) % self.config.players
            if to in may_capture(position):
                return Award(to)
        raise self._illegal(action)

    def _choose_combination(self, action: int) -> tuple[float, ...]:
        number = action - FIRST_PLAY + 1
        ways = [play for play in self._plays if play >> COMBINATION_AT == number]
        if not ways:
            raise self._illegal(action)
        if len(ways) == 1 or not self.config.choose_cards:
            return self._apply(action_of(min(ways, key=cost)))
        self._plays = ways
        self.selection = Selection(number)
        return self._nothing()

    def _choose_card(self, action: int) -> tuple[float, ...]:
        card = 1 << action - FIRST_CARD if action >= FIRST_CARD else 0
        if not card & self._cards_to_choose():
            raise self._illegal(action)
        self._plays = [play for play in self._plays if play & card]
        if len(self._plays) == 1:
            return self._apply(action_of(self._plays[0]))
        self.selection = Selection(self.selection.combination, self.selection.cards | card)
        return self._nothing()

    def _cards_to_choose(self) -> int:
        """Return the cards that some of the remaining plays contain, but not all of them."""
        return _differing(self._plays)

    def _apply(self, action: Action) -> tuple[float, ...]:
        rewards = self._apply_in_round(action) if self.config.is_one_round else self._apply_in_match(action)
        self.selection = NO_SELECTION
        self._plays = self._legal_plays()
        return rewards

    def _apply_in_match(self, action: Action) -> tuple[float, ...]:
        acted = apply(self.state, self.seat, action, dealing=self._dealing)
        self.state = acted.state
        self.is_over = acted.state.is_over
        ended = next((event for event in acted.events if isinstance(event, RoundEnd)), None)
        return self._nothing() if ended is None else self._rewards([line.total for line in ended.scores])

    def _apply_in_round(self, action: Action) -> tuple[float, ...]:
        """Apply an action of an episode of one round, which ends with the round even if players are tied."""
        after = apply_in_round(self.state.round, self.seat, action).state
        self.state = replace(self.state, round=after)
        if not after.is_over:
            return self._nothing()
        self.is_over = True
        points = [line.total for line in score_round(after)]
        self.state = replace(self.state, totals=tuple(points))
        return self._rewards(points)

    def _rewards(self, points: list[int]) -> tuple[float, ...]:
        """Return the rewards at the end of a round in which the seats scored these points."""
        match self.config.reward:
            case "points":
                return tuple(each / POINTS_PER_REWARD for each in points)
            case "margin":
                others = len(points) - 1
                return tuple((each - (sum(points) - each) / others) / POINTS_PER_REWARD for each in points)
            case "win":
                return self._win() if self.is_over else self._nothing()
            case _:
                assert_never(self.config.reward)

    def _win(self) -> tuple[float, ...]:
        first = winners(self.state.totals)
        return tuple(1 / len(first) if seat in first else -1.0 for seat in range(self.config.players))

    def _legal_plays(self) -> list[int]:
        position = self.state.round.position
        if self.is_over or position.award_due:
            return []
        hand = position.hands[position.to_act]
        if position.current == NO_PLAY:
            return leads(hand, position.table)
        return follows(hand, position.current, position.table)

    def _nothing(self) -> tuple[float, ...]:
        return (0.0,) * self.config.players

    def _illegal(self, action: int) -> IllegalAction:
        if self.is_over:
            return IllegalAction("The game is over.")
        name = describe(action) if 0 <= action < ACTIONS else str(action)
        return IllegalAction(f"{name} is not legal now; action_mask says what is.")


def _differing(plays: list[int]) -> int:
    """Return the cards that some of the plays contain, but not all of them."""
    union, common = 0, HAND_BITS
    for play in plays:
        union |= play & HAND_BITS
        common &= play
    return union & ~common
