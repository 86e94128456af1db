"""`manage.py arena`: play AI levels against each other, on the same deals with seats swapped."""

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
    """Run one contest, or show stored results."""

    help = "Play two levels against each other on the same deals from every seat; report the margin (95 %)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the contest and the output."""
        parser.add_argument("challenger", nargs="?", choices=CONTESTANTS)
        parser.add_argument("opponent", nargs="?", choices=CONTESTANTS)
        parser.add_argument(
            "--deals",
            type=int,
            default=1000,
            help="number of deals, or of matches with --target (default: 1000)",
        )
        parser.add_argument("--players", type=int, choices=(2, 3), default=2)
        parser.add_argument("--ruleset", choices=RULE_SET_KEYS, default="classic")
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            help="an option of the rule set, as NAME=VALUE; can be repeated",
        )
        parser.add_argument(
            "--bets", choices=BETS, default="none", help="who may bet in rounds (default: none)"
        )
        parser.add_argument("--target", type=int, help="play matches, with bets, to this number of points")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--simulations", type=int, help="the budget of a decision, in simulations")
        parser.add_argument(
            "--milliseconds", type=float, help="the budget of a decision, in milliseconds of CPU time"
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=len(os.sched_getaffinity(0)),
            help="number of processes (default: one per core)",
        )
        parser.add_argument("--json", type=Path, help="the file of results; the new result is added to it")
        parser.add_argument(
            "--table", action="store_true", help="print the results in --json as a Markdown table"
        )
        parser.add_argument("--plot", type=Path, help="draw the results in --json as an SVG file")
        parser.add_argument(
            "--note",
            type=Path,
            help="write the results in --json into the notes of the weights in this folder",
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Run the contest and store it, then render the stored results."""
        if options["challenger"]:
            result = self._run(_contest(options), max(1, options["processes"]))
            if options["json"]:
                write_results(options["json"], result)
        elif not options["json"]:
            raise CommandError("Name two levels to play, or a file of results with --json.")
        if options["table"] or options["plot"] or options["note"]:
            results = read_results(options["json"])
            if options["table"]:
                self.stdout.write(table_of(results))
            if options["plot"]:
                options["plot"].write_text(plot_of(results), encoding="utf-8")
            if options["note"]:
                note_results(results, options["note"])

    def _run(self, contest: Contest, processes: int) -> Result:
        progress = ProgressLine(self.stderr, contest.deals)
        result: Result | None = None
        for result in run_contest(contest, processes=processes):
            progress.show(result.played, f"{result.mean:+.2f} ± {result.interval:.2f}")
        progress.end()
        if result is None:
            raise CommandError("--deals must be at least 1.")
        self.stdout.write(line_of(result))
        return result


def _contest(options: dict[str, Any]) -> Contest:
    if not options["opponent"]:
        raise CommandError("Name the opponent, too.")
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
