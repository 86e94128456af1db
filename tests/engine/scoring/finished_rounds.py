"""Finished rounds for tests: a fixed one to vary, and a strategy for any."""

from dataclasses import replace
from itertools import product

from hypothesis import strategies as st

from engine.cards.deck import haggis_size
from engine.cards.hand import FACES, FACES_AT, deck_mask, mask_of, parse_cards, pile_of
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.model import RuleSet, TableRules
from engine.scoring.finished import FinishedRound

PLAIN = FinishedRound(
    players=3,
    out=(0, 1),
    opposing=(0, 0),
    captured=(0, 0, 0),
    last_hand=0,
    haggis=0,
    final_captor=1,
    bets=(None, None, None),
)
PLAIN_OF_TWO = replace(
    PLAIN,
    players=2,
    out=(0,),
    opposing=(0,),
    captured=(0, 0),
    final_captor=0,
    bets=(None, None),
)


def table(key: str, players: int = 3, **options: str) -> TableRules:
    """Return the rules of a rule set with some options."""
    return rule_set(key).at_table(players=players, options=options)


def pile(codes: str, seat: int = 0) -> int:
    """Return a pile of cards given as codes, with face cards owned by `seat`."""
    return pile_of(mask_of(parse_cards(codes)), seat=seat)


def whole_deck(players: int) -> int:
    """Return every card in play."""
    return deck_mask(players) | sum(pile_of(FACES, seat=seat) for seat in range(players))


def tables_of(rules: RuleSet, players: int) -> list[TableRules]:
    """Return the table rules for each combination of options with this number of players."""
    values = [
        [(option.name, choice.value) for choice in option.choices if players in option.players]
        for option in rules.options
    ]
    return [
        rules.at_table(players=players, options=dict(agreed)) for agreed in product(*filter(None, values))
    ]


TABLES = [table for rules in RULE_SETS for players in rules.players for table in tables_of(rules, players)]
"""Every game there is: each rule set with each number of players and each set of options."""


@st.composite
def finished_rounds(draw: st.DrawFn, rules: TableRules) -> FinishedRound:
    """Draw any round under these rules: every card is in a trick, in the last hand or in the haggis."""
    players = rules.players
    chance = draw(st.randoms(use_true_random=False))
    seats = chance.sample(range(players), players)
    suit_cards = [1 << bit for bit in range(deck_mask(players).bit_length())]
    chance.shuffle(suit_cards)
    haggis = sum(suit_cards[: haggis_size(players)])
    last_faces = [1 << FACES_AT + 3 * seats[-1] + face for face in range(3)]
    other_faces = [1 << FACES_AT + 3 * seat + face for seat in seats[:-1] for face in range(3)]
    left = chance.sample(suit_cards[haggis_size(players) :] + last_faces, chance.randint(1, 14))
    captured = [0] * players
    for card in suit_cards[haggis_size(players) :] + last_faces + other_faces:
        if card not in left:
            captured[chance.randrange(players)] |= card
    return FinishedRound(
        players=players,
        out=tuple(seats[:-1]),
        opposing=tuple(chance.randint(len(left), 17) for _ in seats[:-1]),
        captured=tuple(captured),
        last_hand=sum(left),
        haggis=haggis,
        final_captor=chance.randrange(players),
        bets=tuple(chance.choice((None, 0, *rules.bet_amounts)) for _ in seats),
    )


@st.composite
def any_finished(draw: st.DrawFn) -> tuple[TableRules, FinishedRound]:
    """Draw any table rules, and any round under them."""
    rules = draw(st.sampled_from(TABLES))
    return rules, draw(finished_rounds(rules))
