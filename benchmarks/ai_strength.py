"""How much one level of play is ahead of another, in points per round, and what its thinking costs.

    python -m benchmarks.ai_strength easy random --no-bets

Both meet on the same deals, and every deal is played once with the challenger on each seat. The figures in
docs/ai.md were made so; the same command gives the same margin again.
"""

import argparse
from random import Random
from time import process_time

from engine.ai.arena import Margin, contest, never_betting, starts, without_bets
from engine.ai.interface import Budget, Chooser
from engine.ai.levels import LEVELS
from engine.rounds.actions import Action
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.views.round_view import RoundView


class Timed:
    """A level, and the CPU time that its decisions took."""

    def __init__(self, name: str, chooser: Chooser) -> None:
        """Nothing is measured yet."""
        self.name = name
        self.chooser = chooser
        self.decisions = 0
        self.seconds = 0.0

    def __call__(self, view: RoundView, rng: Random, budget: Budget) -> Action:
        """Choose, and take the time."""
        started = process_time()
        action = self.chooser(view, rng, budget)
        self.seconds += process_time() - started
        self.decisions += 1
        return action

    def __str__(self) -> str:
        """What a decision cost."""
        return f"{self.name}: {1000 * self.seconds / self.decisions:.3f} ms CPU a decision"


def main(arguments: list[str] | None = None) -> None:
    """Play the contest that the command line asks for, and print its result."""
    asked = read(arguments)
    rules = rule_set(asked.ruleset).at_table(players=asked.players)
    begun = starts(rules, asked.deals, Random(asked.seed))
    challenger, opponent = (Timed(name, LEVELS[name]) for name in (asked.challenger, asked.opponent))
    against: Chooser = opponent if asked.bets == "bets" else never_betting(opponent)
    if asked.bets == "no bets":
        begun = map(without_bets, begun)
    margin = contest(begun, challenger, against, Random(asked.seed))
    print(challenger)
    print(opponent)
    print(result(asked, margin))


def result(asked: argparse.Namespace, margin: Margin) -> str:
    """The margin in one line."""
    at = f"{asked.ruleset}, {asked.players} players, {asked.deals} deals from every seat, {asked.bets}"
    ahead = f"{margin.mean:+.1f} ± {margin.interval:.1f} points a round"
    return f"{asked.challenger} over {asked.opponent}: {ahead} ({at}, seed {asked.seed})"


def read(arguments: list[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Let two levels of play meet on the same deals.")
    parser.add_argument("challenger", choices=LEVELS)
    parser.add_argument("opponent", choices=LEVELS)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--players", type=int, choices=(2, 3), default=2)
    parser.add_argument("--ruleset", choices=[rules.key for rules in RULE_SETS], default="classic")
    parser.add_argument("--seed", type=int, default=1)
    bets = parser.add_mutually_exclusive_group()
    bets.add_argument("--no-bets", dest="bets", action="store_const", const="no bets", default="bets")
    bets.add_argument(
        "--only-challenger-bets", dest="bets", action="store_const", const="the challenger bets"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
