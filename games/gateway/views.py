"""What a viewer sees of a table and what a player may do there."""

from typing import Any, assert_never

from engine.cards.hand import mask_of
from engine.combinations.kinds import combination_of
from engine.combinations.plays import cards_in, number_in
from engine.combinations.readings import readings_of
from engine.combinations.rules import CombinationRules
from engine.plays.following import follows
from engine.plays.grouped import grouped
from engine.plays.leading import leads
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.state import table_of
from engine.rounds.turn import Expects
from engine.rulesets.catalogue import rule_set
from engine.views.round_view import RoundView
from engine.views.serialization import (
    serialize_cards,
    serialize_combination,
    serialize_group,
    serialize_reading,
    serialize_round,
)
from games.core.errors import Problem, invalid_field
from games.gateway.table import Table, parse_cards, parse_combination

Form = dict[str, Any]
# What one viewer sees of a table; outside the gateway only to be handed on.
View = RoundView
MAX_PLAYS = 10_000


def round_to_json(view: RoundView) -> Form:
    """The running round as this viewer may see it."""
    return serialize_round(view)


def reveal_hands(table: Table) -> Form:
    """Every hand as it is held now, and the haggis: for an operator who has said why."""
    seats = range(table.state.rules.players)
    return {
        "hands": [serialize_cards(table.view(seat).hand or 0) for seat in seats],
        "haggis": serialize_cards(table.state.round.haggis),
    }


def own_options(view: RoundView) -> Form:
    """What the seat whose view it is may do now."""
    return {
        "to_act": view.is_mine,
        "may_bet": bool(view.bets_open),
        "bets": list(view.bets_open),
        "awards": list(view.awards),
    }


def check_cards(table: Table, seat: int, cards: list[str], named: Form | None) -> Form:
    """Every reading of some of one's own cards, and whether it may be played on what lies there now."""
    view = table.view(seat)
    mask = mask_of(parse_cards(cards))
    if view.hand is None or mask & ~view.hand:
        raise Problem("card_not_in_hand", "You do not hold all of these cards.")
    return _readings(mask, view.current, table_of(view.rules), named)


def possible_readings(ruleset: str, *, players: int, cards: list[str], named: Form | None) -> Form:
    """Return every reading of any cards by a rule set for so many players, as if they were led."""
    table = table_of(rule_set(ruleset).at_table(players=players))
    read = parse_cards(cards)
    for index, card in enumerate(read):
        if card.suit is not None and card.suit >= table.suits:
            raise invalid_field(
                f"/cards/{index}", "unknown_card", f"{card} is not in the deck for {players}."
            )
    return _readings(mask_of(read), 0, table, named)


def _readings(cards: int, current: int, rules: CombinationRules, named: Form | None) -> Form:
    wanted = parse_combination(named)
    readings = [
        serialize_reading(reading, current)
        for reading in readings_of(cards, rules)
        if wanted.fits(reading.combination)
    ]
    return {"playable": any(reading["playable"] for reading in readings), "readings": readings}


def list_legal_moves(table: Table, seat: int, *, named: Form, expand: bool) -> Form:
    """What the seat to act may do: pass, award, bet, and every play by combination."""
    view = table.view(seat)
    wanted = parse_combination(named)
    plays = [play for play in _legal_plays(view) if wanted.fits(combination_of(number_in(play)))]
    form: Form = {
        "can_pass": view.expects is Expects.PLAY_OR_PASS,
        "must_award": view.expects is Expects.AWARD,
        "awards": list(view.awards),
        "bets": list(view.bets_open),
        "count": len(plays),
        "combinations": [serialize_group(group) for group in grouped(plays)],
    }
    if expand:
        form["plays"] = [_play_form(play) for play in plays[:MAX_PLAYS]]
    return form


def _legal_plays(view: RoundView) -> list[int]:
    """Every distinct play of the seat to act, in a stable order."""
    if view.hand is None or view.expects is None or view.expects is Expects.AWARD:
        return []
    table = table_of(view.rules)
    if view.expects is Expects.PLAY:
        return leads(view.hand, table)
    return follows(view.hand, view.current, table)


def _play_form(play: int) -> Form:
    combination = combination_of(number_in(play))
    return {"cards": serialize_cards(cards_in(play)), "combination": serialize_combination(combination)}


def action_body(action: Action, version: int) -> Form:
    """The body of this action at this version of a match, its combination named as far as the action does.

    >>> body_of(Bet(15), 7)
    {'type': 'bet', 'version': 7, 'amount': 15}
    """
    match action:
        case Play():
            named = action.named
            parts = {"kind": named.kind, "top": named.top, "width": named.width, "length": named.length}
            said = {name: part for name, part in parts.items() if part is not None}
            cards = [str(card) for card in action.cards]
            return {"type": "play", "version": version, "cards": cards, "as": said}
        case Pass():
            return {"type": "pass", "version": version}
        case Bet():
            return {"type": "bet", "version": version, "amount": action.amount}
        case Award():
            return {"type": "award", "version": version, "to": action.to}
        case _:
            assert_never(action)
