"""`manage.py arena`: levels of play against each other, on the same deals with seats swapped."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.gateway.arena import BETS, CONTESTANTS, RULE_SET_KEYS, Contest, Result, run_contest
from games.management.arena_report import (
    line_of,
    note_results,
    plot_of,
    read_results,
    table_of,
    write_results,
)
from games.management.base import ProgressLine


class Command(BaseCommand):
    """Hold one contest, or show the results of those that were kept."""

    help = "Let two levels play the same deals from every seat, and say by how much one is ahead (95 %)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who meets whom, where, how often, and what is kept."""
        parser.add_argument("challenger", nargs="?", choices=CONTESTANTS)
        parser.add_argument("opponent", nargs="?", choices=CONTESTANTS)
        parser.add_argument("--deals", type=int, default=1000, help="deals, or matches with --target (1000)")
        parser.add_argument("--players", type=int, choices=(2, 3), default=2)
        parser.add_argument("--ruleset", choices=RULE_SET_KEYS, default="classic")
        parser.add_argument("--option", action="append", default=[], help="name=value, as a match has it")
        parser.add_argument("--bets", choices=BETS, default="none", help="who may bet in rounds (none)")
        parser.add_argument("--target", type=int, help="play matches to so many points, with bets")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--simulations", type=int, help="the budget of a decision")
        parser.add_argument("--milliseconds", type=float, help="the same, in CPU time")
        parser.add_argument(
            "--processes", type=int, default=len(os.sched_getaffinity(0)), help="to play in (one a core)"
        )
        parser.add_argument("--json", type=Path, help="keep the result in this file, beside others")
        parser.add_argument(
            "--table", action="store_true", help="print the results kept in --json as a table"
        )
        parser.add_argument("--plot", type=Path, help="draw the results kept in --json as an SVG")
        parser.add_argument("--note", type=Path, help="note the results kept in --json beside these weights")

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Play, keep, show."""
        if options["challenger"]:
            result = self._hold(_contest(options), max(1, options["processes"]))
            if options["json"]:
                write_results(options["json"], result)
        elif not options["json"]:
            raise CommandError("Name two levels, or the file with results to show.")
        if options["table"] or options["plot"] or options["note"]:
            results = read_results(options["json"])
            if options["table"]:
                self.stdout.write(table_of(results))
            if options["plot"]:
                options["plot"].write_text(plot_of(results), encoding="utf-8")
            if options["note"]:
                note_results(results, options["note"])

    def _hold(self, contest: Contest, processes: int) -> Result:
        progress = ProgressLine(self.stderr, contest.deals)
        result: Result | None = None
        for result in run_contest(contest, processes=processes):
            progress.show(result.played, f"{result.mean:+.2f} ± {result.interval:.2f}")
        progress.end()
        if result is None:
            raise CommandError("At least one deal is played.")
        self.stdout.write(line_of(result))
        return result


def _contest(options: dict[str, Any]) -> Contest:
    if not options["opponent"]:
        raise CommandError("Name the opponent too.")
    pairs = [each.partition("=") for each in options["option"]]
    return Contest(
        challenger=options["challenger"],
        opponent=options["opponent"],
        deals=options["deals"],
        ruleset=options["ruleset"],
        players=options["players"],
        options=tuple((name, value) for name, _, value in pairs),
        bets=options["bets"],
        target=options["target"],
        seed=options["seed"],
        simulations=options["simulations"],
        milliseconds=options["milliseconds"],
    )
