"""Scripted rounds, and a notation for actions at the table.

>>> state = after(round_of("classic", "7r 9r", "8o 2o"), "0 plays 7r", "1 plays 8o", "0 passes")
>>> captured(state), hands_of(state), state.to_act
(('', '7r 8o'), ('9r', '2o'), 1)
"""

from functools import reduce

import pytest

from engine.cards.hand import cards_of, mask_of, parse_cards
from engine.combinations.ambiguity import UNNAMED, Named
from engine.combinations.kinds import Combination, Kind, combination_of
from engine.combinations.plays import number_in
from engine.errors import Refused
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import Applied, apply
from engine.rounds.events import RoundEvent
from engine.rounds.position import first_position
from engine.rounds.state import RoundState, table_of
from engine.rulebook import Clause
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import TableRules
from engine.rulesets.terms import BombCapture
from tests.engine.scoring.finished_rounds import TABLES

OF_TWO = [rules for rules in TABLES if rules.players == 2]
OF_THREE = [rules for rules in TABLES if rules.players == 3]
TOURNAMENTS = [rules for rules in OF_THREE if rules.bomb_capture is not BombCapture.WINNER_CHOOSES]
NEXT_HIGHEST = [rules for rules in TOURNAMENTS if rules.bomb_capture is BombCapture.NEXT_HIGHEST]
LAST_ORDINARY = [rules for rules in TOURNAMENTS if rules.bomb_capture is BombCapture.LAST_ORDINARY]
CHOOSING = [rules for rules in OF_THREE if rules.bomb_capture is BombCapture.WINNER_CHOOSES]


def named(rules: TableRules) -> str:
    """Return a short name of a table, such as `revised 3 tournament full`."""
    return " ".join([rules.key, str(rules.players), *(value for _, value in rules.chosen)])


at_every_table = pytest.mark.parametrize("rules", TABLES, ids=named)
at_tables_of_two = pytest.mark.parametrize("rules", OF_TWO, ids=named)
at_tables_of_three = pytest.mark.parametrize("rules", OF_THREE, ids=named)
where_the_winner_chooses = pytest.mark.parametrize("rules", CHOOSING, ids=named)
in_tournaments = pytest.mark.parametrize("rules", TOURNAMENTS, ids=named)
where_the_next_highest_captures = pytest.mark.parametrize("rules", NEXT_HIGHEST, ids=named)
where_the_last_ordinary_play_captures = pytest.mark.parametrize("rules", LAST_ORDINARY, ids=named)


def round_of(rules: TableRules | str, *hands: str, leader: int = 0, haggis: str = "") -> RoundState:
    """Return a round at its start, in which the players have these cards, including face cards.

    A table of two ignores the third hand, so that one line can set up tables of both sizes.
    """
    if isinstance(rules, str):
        rules = rule_set(rules).at_table(players=len(hands))
    dealt = tuple(mask_of(parse_cards(hand)) for hand in hands[: rules.players])
    return RoundState(
        rules=rules,
        number=1,
        dealer=None,
        leader=leader,
        dealt=dealt,
        haggis=mask_of(parse_cards(haggis)),
        position=first_position(table_of(rules), dealt, leader),
        bets=(None,) * rules.players,
    )


def read(words: str) -> tuple[int, Action]:
    """Return the seat and the action written in words.

    >>> read("0 plays 8y J as top=8")
    (0, Play(cards=(Card('8y'), Card('J')), named=Named(kind=None, top=8, width=None, length=None)))
    >>> read("1 passes"), read("2 bets 15"), read("2 bets nothing"), read("0 gives 2")
    ((1, Pass()), (2, Bet(amount=15)), (2, Bet(amount=0)), (0, Award(to=2)))
    """
    seat, verb, *rest = words.split(maxsplit=2)
    what = rest[0] if rest else ""
    match verb:
        case "plays":
            cards, _, name = what.partition(" as ")
            return int(seat), Play(parse_cards(cards), _named(name))
        case "passes":
            return int(seat), Pass()
        case "bets":
            return int(seat), Bet(0 if what == "nothing" else int(what))
        case "gives":
            return int(seat), Award(int(what))
        case _:
            raise ValueError(words)


def _named(name: str) -> Named:
    parts = dict(part.split("=") for part in name.split())
    if not parts:
        return UNNAMED
    kind = Kind(parts.pop("kind")) if "kind" in parts else None
    return Named(kind, **{part: int(value) for part, value in parts.items()})


def act(state: RoundState, words: str) -> Applied:
    """Return the round after one action, with its events."""
    return apply(state, *read(words))


def after(state: RoundState, *lines: str) -> RoundState:
    """Return the round after all these actions."""
    return reduce(lambda so_far, words: act(so_far, words).state, lines, state)


def passed(state: RoundState) -> RoundState:
    """Return the round after all others have passed: the winner leads or has to award the trick."""
    while state.position.pile and not state.position.award_due:
        state = apply(state, state.position.to_act, Pass()).state
    return state


def events_of(state: RoundState, *lines: str) -> tuple[RoundEvent, ...]:
    """Return the events of the last of these actions."""
    return act(after(state, *lines[:-1]), lines[-1]).events


def played(state: RoundState, words: str) -> Combination:
    """Return the combination that these cards are played as."""
    return combination_of(number_in(act(state, words).play))


def refusal(state: RoundState, words: str) -> Refused:
    """Return the refusal of an action, which must not change the state."""
    before = snapshot(state)
    with pytest.raises(Refused) as refused:
        act(state, words)
    assert snapshot(state) == before
    return refused.value


def refused(state: RoundState, words: str) -> tuple[str, Clause]:
    """Return why an action is refused: the code and the clause."""
    error = refusal(state, words)
    return error.code, error.rule


def snapshot(state: RoundState) -> tuple[object, ...]:
    """Return everything in a round that could change, as plain values."""
    position = state.position
    return (position.parts(), state.dealt, state.haggis, state.bets, state.trick, state.tricks, state.leader)


def captured(state: RoundState) -> tuple[str, ...]:
    """Return what each seat has captured, in words."""
    return tuple(in_words(pile) for pile in state.position.captured)


def hands_of(state: RoundState) -> tuple[str, ...]:
    """Return the hand of each seat, in words."""
    return tuple(in_words(hand) for hand in state.position.hands)


def in_words(cards: int) -> str:
    """Return the cards of a hand or pile, in words."""
    return " ".join(map(str, cards_of(cards)))
