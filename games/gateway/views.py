"""The current round, combinations and legal moves as a viewer may see them."""

from typing import assert_never, cast

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
from games.core.languages import message
from games.gateway.documents import (
    ActionBody,
    ActionMembers,
    LegalMovesDocument,
    LegalPlay,
    NamedCombination,
    OwnOptions,
    ReadingsDocument,
    RevealedHands,
    RoundJson,
)
from games.gateway.table import Table, parse_cards, parse_combination

# The view of one viewer; opaque outside the gateway.
View = RoundView
MAX_PLAYS = 10_000


def round_to_json(view: RoundView) -> RoundJson:
    """Serialize the current round as this viewer may see it."""
    return serialize_round(view)


def reveal_hands(table: Table) -> RevealedHands:
    """Return all current hands and the haggis, for operators only; the caller logs the access."""
    seats = range(table.state.rules.players)
    return {
        "hands": [serialize_cards(table.view(seat).hand or 0) for seat in seats],
        "haggis": serialize_cards(table.state.round.haggis),
    }


def own_options(view: RoundView) -> OwnOptions:
    """Return the options of the viewing seat."""
    return {
        "to_act": view.is_mine,
        "may_bet": bool(view.bets_open),
        "bets": list(view.bets_open),
        "awards": list(view.awards),
    }


def check_cards(
    table: Table, seat: int, cards: list[str], named: NamedCombination | None
) -> ReadingsDocument:
    """Return every reading of some cards of the seat, and whether each may be played now."""
    view = table.view(seat)
    mask = mask_of(parse_cards(cards))
    if view.hand is None or mask & ~view.hand:
        raise Problem("card_not_in_hand", message("You do not hold all of these cards."))
    return _readings(mask, view.current, table_of(view.rules), named)


def possible_readings(
    ruleset: str, *, players: int, cards: list[str], named: NamedCombination | None
) -> ReadingsDocument:
    """Return every reading of any cards as a lead, by a rule set and number of players."""
    table = table_of(rule_set(ruleset).at_table(players=players))
    parsed = parse_cards(cards)
    for index, card in enumerate(parsed):
        if card.suit is not None and card.suit >= table.suits:
            raise invalid_field(
                f"/cards/{index}",
                "unknown_card",
                message("{card} is not in the deck for {players}.", card=card, players=players),
            )
    return _readings(mask_of(parsed), 0, table, named)


def _readings(
    cards: int, current: int, rules: CombinationRules, named: NamedCombination | None
) -> ReadingsDocument:
    pattern = parse_combination(named)
    readings = [
        serialize_reading(reading, current)
        for reading in readings_of(cards, rules)
        if pattern.fits(reading.combination)
    ]
    return {"playable": any(reading["playable"] for reading in readings), "readings": readings}


def list_legal_moves(table: Table, seat: int, *, named: NamedCombination, expand: bool) -> LegalMovesDocument:
    """Return the legal moves of the seat to act: pass, award, bet, and all plays by combination."""
    view = table.view(seat)
    pattern = parse_combination(named)
    plays = _legal_plays(view)
    if any(value is not None for value in named.values()):
        plays = [play for play in plays if pattern.fits(combination_of(number_in(play)))]
    moves: LegalMovesDocument = {
        "can_pass": view.expects is Expects.PLAY_OR_PASS,
        "must_award": view.expects is Expects.AWARD,
        "awards": list(view.awards),
        "bets": list(view.bets_open),
        "count": len(plays),
        "combinations": [serialize_group(group) for group in grouped(plays)],
    }
    if expand:
        moves["plays"] = [_play_to_json(play) for play in plays[:MAX_PLAYS]]
    return moves


def _legal_plays(view: RoundView) -> list[int]:
    """Return all distinct plays of the seat to act, in a stable order."""
    if view.hand is None or view.expects is None or view.expects is Expects.AWARD:
        return []
    table = table_of(view.rules)
    if view.expects is Expects.PLAY:
        return leads(view.hand, table)
    return follows(view.hand, view.current, table)


def _play_to_json(play: int) -> LegalPlay:
    combination = combination_of(number_in(play))
    return {"cards": serialize_cards(cards_in(play)), "combination": serialize_combination(combination)}


def action_body(action: Action, version: int) -> ActionBody:
    """Return the request body of an action, with its combination as complete as the action has it.

    >>> action_body(Bet(15), 7)
    {'type': 'bet', 'version': 7, 'amount': 15}
    """
    members = action_members(action)
    return cast("ActionBody", {"type": members["type"], "version": version, **members})


def action_members(action: Action) -> ActionMembers:
    """Return an action as a request or a record names it, without a version.

    >>> action_members(Award(2))
    {'type': 'award', 'to': 2}
    """
    match action:
        case Play():
            named = action.named
            combination: NamedCombination = {}
            if named.kind is not None:
                combination["kind"] = named.kind
            if named.top is not None:
                combination["top"] = named.top
            if named.width is not None:
                combination["width"] = named.width
            if named.length is not None:
                combination["length"] = named.length
            return {"type": "play", "cards": [str(card) for card in action.cards], "as": combination}
        case Pass():
            return {"type": "pass"}
        case Bet():
            return {"type": "bet", "amount": action.amount}
        case Award():
            return {"type": "award", "to": action.to}
        case _:
            assert_never(action)
