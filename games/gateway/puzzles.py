"""Make puzzles from decisions, and judge answers to them.

A puzzle is made from what the seat to act has seen and from nothing else: the hidden cards in its deal are a
sample that fits this. So no response of the service can reveal what another player held.
"""

import hashlib
import json
from collections.abc import Hashable
from random import Random
from typing import Final, TypedDict

from engine.ai.arena import starts
from engine.ai.interface import Budget
from engine.ai.levels import level
from engine.ai.medium import choose as choose_medium
from engine.ai.puzzles import Choice, Effort, Solution, compare, solve
from engine.ai.search.worlds import World
from engine.ai.turn import action_of
from engine.cards.hand import FACES
from engine.combinations.kinds import FIRST_BOMB
from engine.combinations.plays import NO_PLAY, cards_in, number_in
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import apply
from engine.rounds.state import Entry, RoundState, start_round
from engine.views.round_view import view_round
from engine.views.serialization import TurnJson, serialize_cards, serialize_entry
from games.core.secrets import Secret
from games.gateway.agreement import Agreement
from games.gateway.documents import (
    ActionMembers,
    CombinationJson,
    DealDocument,
    LogEntry,
    NamedCombination,
)
from games.gateway.positions import (
    DealtRound,
    SeatAction,
    act_in_position,
    replay_position,
    start_dealt_round,
)
from games.gateway.table import Table, acting_seat, logged_action, parse_action
from games.gateway.views import View, action_body

__all__ = ["Effort"]

# Of the choices that are not the best, as many are shown after an answer.
SHOWN_ALTERNATIVES: Final = 5
# The longest line, in turns.
LONGEST_LINE: Final = 8
# The most choices that a verification compares.
MOST_VERIFIED: Final = 8
# The position does not depend on the length of the match.
_TARGET_SCORE: Final = 250
_SELF_PLAY: Final = Budget(simulations=150)
_DIGITS_OF_ID: Final = 20
THEMES: Final = ("lead", "follow", "pass", "bomb", "wild")


class ChoiceDocument(TypedDict):
    """A choice of the seat to act, and how many points worse it is than the best."""

    action: ActionMembers
    cost: float


class ActionOfSeat(ActionMembers):
    """An action that led to the position."""

    seat: int


class PuzzleDocument(TypedDict):
    """A stored puzzle: the position, every choice with its cost, best first, and a likely continuation."""

    id: str
    ruleset: str
    ruleset_version: str
    options: dict[str, str]
    players: int
    number: int
    dealer: int | None
    leader: int
    deal: DealDocument
    actions: list[ActionOfSeat]
    seat: int
    theme: str
    choices: list[ChoiceDocument]
    line: list[TurnJson]


class JudgedAnswer(TypedDict):
    """The judgement of an answer."""

    best: bool
    cost: float
    best_action: ActionMembers
    alternatives: list[ChoiceDocument]
    line: list[TurnJson]


def self_played_decisions(agreement: Agreement, *, seed: str, name: str) -> list[View]:
    """Return what the seat to act saw at each decision of a round between AIs of one level."""
    rng = Random(seed)  # noqa: S311 -- reproducible
    (state,) = starts(agreement.rules, 1, rng)
    views = []
    while (seat := state.to_act) is not None:
        view = view_round(state, seat)
        views.append(view)
        state = apply(state, seat, level(name)(view, rng, _SELF_PLAY)).state
    return views


def logged_decisions(agreement: Agreement, dealt: DealtRound, entries: list[LogEntry]) -> list[View]:
    """Return what the seat to act saw at each play and pass of a round."""
    state, views = start_dealt_round(agreement, dealt), []
    for entry in entries:
        seat, action = acting_seat(entry), logged_action(entry)
        if isinstance(action, Play | Pass):
            views.append(view_round(state, seat))
        state = apply(state, seat, action).state
    return views


def make_puzzle(view: View, rng: Random, effort: Effort) -> PuzzleDocument | None:
    """Return the puzzle of a decision, or None if no choice is clearly the best."""
    solution = solve(view, rng, effort)
    return None if solution is None else _document(view, solution)


def _document(view: View, solution: Solution) -> PuzzleDocument:
    state, actions = _replayed(view, solution.world)
    seat = view.to_act
    if seat is None or view_round(state, seat) != view:
        raise ValueError("The position of a puzzle differs from what its seat saw.")
    best = solution.choices[0].play
    document: PuzzleDocument = {
        "id": "",
        "ruleset": view.rules.key,
        "ruleset_version": view.rules.version,
        "options": dict(view.rules.options),
        "players": view.rules.players,
        "number": view.number,
        "dealer": view.dealer,
        "leader": view.leader,
        "deal": {
            "hands": [serialize_cards(hand & ~FACES) for hand in state.dealt],
            "haggis": serialize_cards(state.haggis),
        },
        "actions": [{"seat": actor, **_members(action)} for actor, action in actions],
        "seat": seat,
        "theme": _theme(view, best),
        "choices": [
            {"action": _members(action_of(each.play)), "cost": round(each.cost, 1)}
            for each in solution.choices
        ],
        "line": _line(state, best),
    }
    document["id"] = _id_of(document)
    return document


def _replayed(view: View, world: World) -> tuple[RoundState, list[tuple[int, Action]]]:
    """Return the state at the decision in this world, and the actions that lead to it.

    Bets come first: only what was bet matters for the rest of the round, not when.
    """
    state = _start(view, world)
    actions: list[tuple[int, Action]] = []

    def act(seat: int, action: Action) -> None:
        nonlocal state
        state = apply(state, seat, action).state
        actions.append((seat, action))

    for seat, amount in enumerate(view.bets):
        if amount is not None:
            act(seat, Bet(amount))
    for trick in view.tricks:
        for entry in trick.entries:
            act(entry.seat, action_of(entry.play))
        if state.position.award_due:
            act(state.position.to_act, Award(trick.captured_by))
    for entry in view.trick:
        act(entry.seat, action_of(entry.play))
    return state, actions


def _start(view: View, world: World) -> RoundState:
    """Return the start of the round: every hand of the world with the cards that were played from it."""
    dealt = list(world.hands)
    for entries in (*(trick.entries for trick in view.tricks), view.trick):
        for seat, play in entries:
            dealt[seat] |= cards_in(play)
    return start_round(
        view.rules,
        number=view.number,
        dealer=view.dealer,
        leader=view.leader,
        dealt=tuple(hand & ~FACES for hand in dealt),
        haggis=world.haggis,
    )


def _members(action: Action) -> ActionMembers:
    """Return an action as the body of a request has it, without a version."""
    body = action_body(action, 0)
    members: ActionMembers = {"type": body["type"]}
    if "cards" in body:
        members["cards"], members["as"] = body["cards"], body["as"]
    if "amount" in body:
        members["amount"] = body["amount"]
    if "to" in body:
        members["to"] = body["to"]
    return members


def _theme(view: View, best: int) -> str:
    """Return what the best choice is: a pass, a bomb, a play with wild cards, or another lead or follow."""
    if best == NO_PLAY:
        return "pass"
    if number_in(best) >= FIRST_BOMB:
        return "bomb"
    if cards_in(best) & FACES:
        return "wild"
    return "lead" if view.current == NO_PLAY else "follow"


def _line(state: RoundState, best: int) -> list[TurnJson]:
    """Return the best play and how `medium` continues, up to the seat's next turn; awards are left out."""
    seat, turns = state.position.to_act, [serialize_entry(Entry(state.position.to_act, best))]
    state = apply(state, seat, action_of(best)).state
    while (to_act := state.to_act) is not None and len(turns) < LONGEST_LINE:
        action = choose_medium(view_round(state, to_act), Random(0), _SELF_PLAY)  # noqa: S311 -- not used
        applied = apply(state, to_act, action)
        state = applied.state
        if isinstance(action, Play | Pass):
            turns.append(serialize_entry(Entry(to_act, applied.play)))
            if to_act == seat:
                break
    return turns


def _id_of(puzzle: PuzzleDocument) -> str:
    """Return an id that depends on what the seat has seen, so that a decision is stored once."""
    seen = {
        "ruleset": [puzzle["ruleset"], puzzle["ruleset_version"], puzzle["options"]],
        "hand": puzzle["deal"]["hands"][puzzle["seat"]],
        "round": [puzzle["players"], puzzle["number"], puzzle["dealer"], puzzle["leader"], puzzle["seat"]],
        "actions": puzzle["actions"],
    }
    return "p_" + hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:_DIGITS_OF_ID]


def puzzle_table(puzzle: PuzzleDocument) -> Table:
    """Return the table at the decision. Its hidden cards are a sample; show the view of the seat only."""
    agreement = Agreement(
        ruleset=puzzle["ruleset"],
        ruleset_version=puzzle["ruleset_version"],
        options=tuple(puzzle["options"].items()),
        players=puzzle["players"],
        target_score=_TARGET_SCORE,
        rounds_limit=None,
    )
    dealt = DealtRound(puzzle["number"], puzzle["dealer"], puzzle["leader"], Secret(puzzle["deal"]))
    return replay_position(agreement, dealt, [SeatAction(each["seat"], each) for each in puzzle["actions"]])


def judge_answer(puzzle: PuzzleDocument, action: ActionMembers) -> JudgedAnswer:
    """Return what an action costs; raise `Problem` if it breaks a rule."""
    acted = act_in_position(puzzle_table(puzzle), puzzle["seat"], parse_action(action)).action_fields
    answer = _key(acted.get("cards"), acted.get("combination"))
    costs = {_key_of(each["action"]): each["cost"] for each in puzzle["choices"]}
    return {
        "best": costs[answer] <= 0,
        "cost": costs[answer],
        "best_action": puzzle["choices"][0]["action"],
        "alternatives": _alternatives(puzzle),
        "line": puzzle["line"],
    }


def _alternatives(puzzle: PuzzleDocument) -> list[ChoiceDocument]:
    """Return the best of the other choices, one for each combination."""
    found: dict[Hashable, ChoiceDocument] = {}
    for each in puzzle["choices"]:
        if each["cost"] > 0:
            found.setdefault(_combination_key(each["action"].get("as")), each)
    return list(found.values())[:SHOWN_ALTERNATIVES]


def _key_of(action: ActionMembers) -> Hashable:
    return _key(action.get("cards"), action.get("as"))


def _key(cards: list[str] | None, named: NamedCombination | CombinationJson | None) -> Hashable:
    """Return what identifies a play; a pass has no cards."""
    return tuple(sorted(cards or ())), _combination_key(named)


def _combination_key(named: NamedCombination | CombinationJson | None) -> Hashable:
    return named and tuple(named.get(part) for part in ("kind", "top", "width", "length"))


def verify_puzzle(puzzle: PuzzleDocument, *, seed: str, simulations: int) -> Choice:
    """Return the other choice that comes closest to the best in an independent, longer comparison."""
    table, seat = puzzle_table(puzzle), puzzle["seat"]
    best, *others = (
        apply(table.state.round, seat, parse_action(each["action"])).play
        for each in puzzle["choices"][:MOST_VERIFIED]
        if each["cost"] > 0 or each is puzzle["choices"][0]
    )
    rng = Random(seed)  # noqa: S311 -- reproducible
    costs = compare(table.view(seat), [best, *others], rng, simulations)
    return min(costs[1:], key=lambda each: each.cost)
