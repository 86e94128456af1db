"""CPU time of one action: parse the stored match, validate and apply the action, and serialize the match.

    python -m benchmarks.apply

Random matches are played first, and each action is recorded with the stored match before it, both as JSON.
Only then the clock runs.
"""

import argparse
import json
import random
from collections.abc import Callable
from itertools import chain
from statistics import median
from time import process_time
from typing import Any, Final, NamedTuple

from benchmarks.builds import builds, run_in
from benchmarks.results import Ratio, add_arguments, record_results
from engine.cards.hand import cards_of
from engine.combinations.kinds import Kind, combination_of
from engine.combinations.plays import NO_PLAY, cards_in, number_in
from engine.deals.chain import make_chain
from engine.deals.deal import deal
from engine.matches.apply import apply
from engine.matches.ending import Length
from engine.matches.state import Dealing, MatchState, start_match
from engine.matches.stored import dump, load
from engine.plays.sampling import random_follow, random_lead
from engine.records.reading_actions import read_action
from engine.rounds.awarding import may_capture
from engine.rounds.betting import bets_open, may_bet
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import TableRules

TARGET: Final = 60.0  # microseconds
_BET_PROBABILITY: Final = 0.05  # of a bet by a seat that may bet


class Step(NamedTuple):
    """A stored match and the next action."""

    stored: str
    action: str


def main(arguments: list[str] | None = None) -> None:
    """Benchmark two and three players, each in a process of its own."""
    options = parse_arguments(arguments)
    if options.here:
        print(json.dumps(measure(options.matches, options.players)))
        return
    runs: dict[str, list[dict[str, float]]] = {}
    with builds(compiled=options.compiled) as trees:
        for _ in range(options.repetitions):
            for build, tree in trees.items():
                for players in (2, 3):
                    command = ("--here", "--matches", str(options.matches), "--players", str(players))
                    output = run_in(tree, "benchmarks.apply", *command)
                    runs.setdefault(f"{build}, {players} players", []).append(json.loads(output))
    figures = {
        name: {key: median(run[key] for run in measured_runs) for key in measured_runs[0]}
        for name, measured_runs in runs.items()
    }
    for name, measured_runs in figures.items():
        print("\n".join(f"{name:24}{key:40}{value:10,.1f}" for key, value in measured_runs.items()))
    ratios = [
        Ratio(
            f"{players} players, µs",
            figures[f"plain, {players} players"]["stored to stored"],
            TARGET,
            at_most=True,
        )
        for players in (2, 3)
    ]
    record_results(options, "apply", figures, ratios)


def measure(matches: int, players: int) -> dict[str, float]:
    """Return the microseconds per action: in full, without JSON, and of the rules only."""
    rules = rule_set("classic").at_table(players=players)
    length = Length.agreed()
    dealing = _dealing(players)
    steps = list(
        chain.from_iterable(_play_match(rules, length, dealing, random.Random(n)) for n in range(matches))
    )
    parsed = [(json.loads(step.stored), json.loads(step.action)) for step in steps]
    loaded = [
        (load(rules, length, stored), read_action(action, "", range(players))) for stored, action in parsed
    ]

    def run_with_json() -> None:
        for step in steps:
            options = read_action(json.loads(step.action), "", range(players))
            state = load(rules, length, json.loads(step.stored))
            json.dumps(dump(apply(state, options.seat, options.action, dealing=dealing).state))

    def run_without_json() -> None:
        for stored, action in parsed:
            options = read_action(action, "", range(players))
            dump(apply(load(rules, length, stored), options.seat, options.action, dealing=dealing).state)

    def run_rules_only() -> None:
        for state, options in loaded:
            apply(state, options.seat, options.action, dealing=dealing)

    return {
        "stored to stored": _microseconds(run_with_json, len(steps)),
        "stored to stored without JSON texts": _microseconds(run_without_json, len(steps)),
        "apply alone": _microseconds(run_rules_only, len(steps)),
        "actions a match": len(steps) / matches,
        "bytes stored": sum(len(step.stored) for step in steps) / len(steps),
    }


def _microseconds(run: Callable[[], None], count: int) -> float:
    run()
    started = process_time()
    run()
    return (process_time() - started) / count * 1e6


def _dealing(players: int) -> Dealing:
    """Return a function that deals as a real match does."""
    links = make_chain("benchmark", bytes(32))
    return lambda number: deal(
        deal_id="benchmark", number=number, link=links.link(number), players=players, seeds=("",) * players
    )


def _play_match(rules: TableRules, length: Length, dealing: Dealing, rng: random.Random) -> list[Step]:
    """Play a random match; return its actions, each with the stored match before it."""
    state = start_match(rules, length, first_seat=0, dealing=dealing)
    steps = []
    while not state.is_over:
        action = _random_action(state, rng)
        steps.append(Step(json.dumps(dump(state)), json.dumps(action)))
        options = read_action(action, "", range(rules.players))
        state = apply(state, options.seat, options.action, dealing=dealing).state
    return steps


def _random_action(state: MatchState, rng: random.Random) -> dict[str, Any]:
    """Return a random legal action of the seat to act."""
    position = state.round.position
    seat, table = position.to_act, position.table
    if rng.random() < _BET_PROBABILITY and may_bet(state.round, seat):
        return {"seat": seat, "type": "bet", "amount": rng.choice(bets_open(state.round, seat))}
    if position.award_due:
        return {"seat": seat, "type": "award", "to": rng.choice(may_capture(position))}
    if position.current == NO_PLAY:
        return _play(seat, random_lead(position.hands[seat], table, rng))
    play = random_follow(position.hands[seat], position.current, table, rng)
    return _play(seat, play) if play else {"seat": seat, "type": "pass"}


def _play(seat: int, play: int) -> dict[str, Any]:
    """Return a play with its combination named, since the cards alone may be ambiguous."""
    combination = combination_of(number_in(play))
    named = {"kind": combination.kind.value, "top": combination.top}
    if combination.kind is not Kind.BOMB:
        named |= {"width": combination.width, "length": combination.length}
    cards = [str(card) for card in cards_of(cards_in(play))]
    return {"seat": seat, "type": "play", "cards": cards, "as": named}


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="One action, from stored match to stored match.")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--compiled", action="store_true", help="measure the compiled engine too")
    parser.add_argument("--players", type=int, choices=(2, 3), default=2)
    parser.add_argument("--here", action="store_true", help="run in this process and print only figures")
    add_arguments(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
