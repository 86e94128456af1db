"""Tables of every kind for the AI levels, and worlds that a seat cannot distinguish."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

from engine.ai.arena import starts
from engine.ai.interface import Budget, Chooser
from engine.cards.hand import FACES, mask_of, parse_cards
from engine.rounds.actions import Action, Play
from engine.rounds.apply import apply
from engine.rounds.position import Position
from engine.rounds.state import RoundState
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.model import RuleSet, TableRules
from engine.views.round_view import view_round
from tests.engine.randomness import seeded


def tables() -> list[TableRules]:
    """Return the rules of all possible tables: each rule set, number of players, and choice of options."""
    return [table for rules in RULE_SETS for players in rules.players for table in _options(rules, players)]


def _options(rules: RuleSet, players: int) -> Iterator[TableRules]:
    offered = [option for option in rules.options if players in option.players]
    for choices in product(*(option.choices for option in offered)):
        wanted = {option.name: choice.value for option, choice in zip(offered, choices, strict=True)}
        yield rules.at_table(players=players, options=wanted)


def name_of(rules: TableRules) -> str:
    """Return the name of a table for test ids."""
    return "-".join([rules.key, str(rules.players), *rules.options.values()])


def start(seed: object, *, players: int = 2, key: str = "classic") -> RoundState:
    """Return a round at its start."""
    return start_at(rule_set(key).at_table(players=players), seed)


def start_at(rules: TableRules, seed: object) -> RoundState:
    """Return a round at its start under these rules."""
    return next(starts(rules, 1, seeded(seed)))


def led(initial: RoundState, hand: str, *others: str, lead: str) -> RoundState:
    """Return the round after the leader, with hand `hand`, has led `lead`, which must be unambiguous."""
    hands = [hand, *others]
    leader = initial.position.to_act
    seats = [hands[(seat - leader) % len(hands)] for seat in range(len(hands))]
    return apply(holding(initial, *seats), leader, Play(parse_cards(lead))).state


# Enough simulations to go through all of a search, for the levels that have one.
BRIEFLY = Budget(simulations=16)


def turns(initial: RoundState, chooser: Chooser, rng: Random) -> Iterator[tuple[RoundState, Action]]:
    """Yield every state of a round in which all seats use one level, with the action it chose."""
    state = initial
    while (seat := state.to_act) is not None:
        action = chooser(view_round(state, seat), rng, BRIEFLY)
        yield state, action
        state = apply(state, seat, action).state


def holding(state: RoundState, *hands: str) -> RoundState:
    """Return the start of the same round with these hands: bets are open, nothing is captured."""
    masks = tuple(mask_of(parse_cards(hand)) for hand in hands)
    return replace(state, position=at(state.position, hands=masks), dealt=masks)


def at(position: Position, *, hands: tuple[int, ...]) -> Position:
    """Return the same position with other hands."""
    return Position(
        table=position.table,
        hands=hands,
        captured=position.captured,
        pile=position.pile,
        current=position.current,
        winner=position.winner,
        below=position.below,
        passes=position.passes,
        to_act=position.to_act,
        award_due=position.award_due,
        out=position.out,
        opposing=position.opposing,
        captor=position.captor,
    )


def another_world(state: RoundState, rng: Random) -> RoundState:
    """Return a round that looks the same to the seat to act, with all hidden cards dealt again."""
    hands = state.position.hands
    others = [seat for seat in range(len(hands)) if seat != state.to_act]
    unseen = [
        bit for cards in (*(hands[seat] & ~FACES for seat in others), state.haggis) for bit in _bits(cards)
    ]
    rng.shuffle(unseen)
    dealt, held = list(state.dealt), list(hands)
    for seat in others:
        count = (hands[seat] & ~FACES).bit_count()
        held[seat] = hands[seat] & FACES | sum(unseen[:count])
        dealt[seat] ^= hands[seat] ^ held[seat]
        del unseen[:count]
    return replace(
        state, dealt=tuple(dealt), haggis=sum(unseen), position=at(state.position, hands=tuple(held))
    )


def _bits(cards: int) -> list[int]:
    return [1 << place for place in range(cards.bit_length()) if cards >> place & 1]
