"""Matches with scripted deals, in which the leader can go out at once."""

from collections.abc import Sequence
from functools import reduce

from engine.cards.card import parse_cards
from engine.deals.deal import Deal
from engine.matches.apply import Acted, apply
from engine.matches.ending import Length
from engine.matches.state import MatchState, start_match
from engine.rulesets.model import TableRules
from tests.engine.rounds.tables import read

ALL = "plays 2r J Q K as kind=set"
"""What a player does who was dealt the 2r alone: goes out at once, for 5 a card in the largest other hand."""


class Script:
    """Scripted deals, one for each round, the last one repeated; it records which rounds were requested."""

    def __init__(self, *deals: Sequence[str], haggis: str = "") -> None:
        self.deals = deals
        self.haggis = haggis
        self.asked: list[int] = []

    def __call__(self, number: int) -> Deal:
        """Return the deal of a round."""
        self.asked.append(number)
        hands = self.deals[min(number, len(self.deals)) - 1]
        return Deal(tuple(map(parse_cards, hands)), parse_cards(self.haggis))


def match_of(rules: TableRules, length: Length, script: Script, *, first_seat: int = 0) -> MatchState:
    """Return a match at its start."""
    return start_match(rules, length, first_seat=first_seat, dealing=script)


def act(state: MatchState, words: str, script: Script) -> Acted:
    """Return the match after one action, with its events."""
    return apply(state, *read(words), dealing=script)


def after(state: MatchState, script: Script, *lines: str) -> MatchState:
    """Return the match after all these actions."""
    return reduce(lambda so_far, words: act(so_far, words, script).state, lines, state)
