"""CPU time of listing all legal plays of a hand of 17 cards, and of brute force.

    python -m benchmarks.legal_plays

Warm: new hands after many others, and the same hands again. Cold: with caches cleared before each hand. Brute
force tries every subset of a hand; it gets smaller hands and must find the same plays.
"""

import argparse
import json
import random
from collections.abc import Iterable
from statistics import mean, median
from time import process_time
from typing import Any, Final

from benchmarks.builds import builds, run_in
from benchmarks.results import Ratio, add_arguments, record_results
from engine.cards.card import Suit
from engine.cards.deck import DEALT_CARDS, SUITS_FOR
from engine.cards.hand import FACES, cards_of
from engine.combinations import memo
from engine.combinations.plays import cards_in
from engine.combinations.rules import CombinationRules
from engine.plays.leading import leads
from tests.engine.brute_force import plays_of

_SMALL_HAND: Final = 8  # suit cards, and three face cards
_WARM_MICROSECONDS, _COLD_MICROSECONDS = 20.0, 250.0


def main(arguments: list[str] | None = None) -> None:
    """Benchmark each build in a process of its own, in turn."""
    options = parse_arguments(arguments)
    if options.here:
        print(json.dumps(measure(options)))
        return
    sizes = ("--warm-up", str(options.warm_up), "--hands", str(options.hands), "--small", str(options.small))
    with builds(compiled=options.compiled) as trees:
        runs: dict[str, list[dict[str, Any]]] = {build: [] for build in trees}
        for _ in range(options.repetitions):
            for build, tree in trees.items():
                output = run_in(tree, "benchmarks.legal_plays", "--here", *sizes)
                runs[build].append(json.loads(output))
    figures = {build: _medians(runs[build]) for build in runs}
    for build, results in figures.items():
        print("\n".join(f"{build:10}{name:44}{value:12,.1f}" for name, value in results.items()))
    record_results(options, "legal_plays", figures, _ratios(figures["plain"]))


def measure(options: argparse.Namespace) -> dict[str, float]:
    """Return the figures of the engine in this process."""
    results: dict[str, float] = {}
    for players, suits in SUITS_FOR.items():
        rng = random.Random(players)
        figures = _whole_hands(options, suits, rng) | _compare_with_brute_force(options.small, suits, rng)
        results |= {f"{players} players, {name}": value for name, value in figures.items()}
    return results


def _whole_hands(options: argparse.Namespace, suits: int, rng: random.Random) -> dict[str, float]:
    """Measure dealt hands: warm, warm again, cold."""
    memo.clear_all()
    _microseconds(_hands(options.warm_up, suits, DEALT_CARDS, rng), suits)
    hands = _hands(options.hands, suits, DEALT_CARDS, rng)
    return {
        "warm, other hands": _microseconds(hands, suits),
        "warm, the same hands": _microseconds(hands, suits),
        "cold": mean(_cold(hand, suits) for hand in hands[: max(1, options.hands // 10)]),
        "plays of a hand": mean(len(leads(hand, CombinationRules(suits))) for hand in hands),
    }


def _hands(count: int, suits: int, cards: int, rng: random.Random) -> list[int]:
    """Return random hands of this many suit cards, with all three face cards."""
    deck = range(9 * suits)
    return [FACES | sum(1 << card for card in rng.sample(deck, cards)) for _ in range(count)]


def _microseconds(hands: list[int], suits: int) -> float:
    """Return the average time to list the plays of a hand."""
    rules = CombinationRules(suits)
    started = process_time()
    for hand in hands:
        leads(hand, rules)
    return (process_time() - started) / len(hands) * 1e6


def _cold(hand: int, suits: int) -> float:
    """Return the time to list the plays with cleared caches."""
    memo.clear_all()
    return _microseconds([hand], suits)


def _compare_with_brute_force(count: int, suits: int, rng: random.Random) -> dict[str, float]:
    """Measure brute force on small hands, and check that it finds the same plays."""
    letters = "".join(suit.code for suit in list(Suit)[:suits])
    hands = _hands(count, suits, _SMALL_HAND, rng)
    started = process_time()
    results = [plays_of(_codes(hand), letters) for hand in hands]
    brute = (process_time() - started) / len(hands) * 1e6
    for hand, plays in zip(hands, results, strict=True):
        if _card_groups(leads(hand, CombinationRules(suits))) != sorted(sorted(play.cards) for play in plays):
            raise AssertionError(f"Brute force finds different plays of {' '.join(_codes(hand))}.")
    optimized = mean(_cold(hand, suits) for hand in hands)
    return {
        "11 cards, brute force": brute,
        "11 cards, cold": optimized,
        "11 cards, times as fast": brute / optimized,
    }


def _card_groups(plays: Iterable[int]) -> list[list[str]]:
    return sorted(sorted(_codes(cards_in(play))) for play in plays)


def _codes(hand: int) -> list[str]:
    return [str(card) for card in cards_of(hand)]


def _medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {name: median(run[name] for run in runs) for name in runs[0]}


def _ratios(plain: dict[str, float]) -> list[Ratio]:
    """Return the targets, which are for two players only."""
    return [
        Ratio("2 players, warm µs", plain["2 players, warm, other hands"], _WARM_MICROSECONDS, at_most=True),
        Ratio("2 players, cold µs", plain["2 players, cold"], _COLD_MICROSECONDS, at_most=True),
        Ratio("brute force / cold", plain["2 players, 11 cards, times as fast"], 1.0),
    ]


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Legal plays of a whole hand.")
    parser.add_argument("--warm-up", type=int, default=60_000, help="hands before the measurement")
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--small", type=int, default=20, help="hands for brute force")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--no-compiled", dest="compiled", action="store_false")
    parser.add_argument("--here", action="store_true", help="run in this process and print only figures")
    add_arguments(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
