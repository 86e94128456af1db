"""`manage.py make_puzzles`: find decisions with one clearly best choice and store them as puzzles."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import CommandError

from games.gateway.agreement import rule_set_keys
from games.gateway.ai import LEVEL_NAMES
from games.gateway.puzzles import PuzzleDocument
from games.management.base import LongRunningCommand, ProgressLine
from games.puzzles.making import Making, find_puzzles, match_decisions, self_play_decisions, verified_gap
from games.puzzles.models import PuzzleSource
from games.puzzles.services import shipped_puzzles, store_puzzles


class Command(LongRunningCommand):
    """Make puzzles from finished public matches or from self-play of the AI, or verify the shipped ones."""

    help = "Find decisions that have one clearly best choice, and store them as puzzles."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define where decisions come from, how long they are analysed and where puzzles go."""
        parser.add_argument("number", type=int, nargs="?", default=20, help="how many (default: 20)")
        parser.add_argument(
            "--from-matches",
            action="store_true",
            help="use decisions of finished public matches, newest first, instead of self-play",
        )
        parser.add_argument(
            "--level", choices=LEVEL_NAMES, default="medium", help="the level that plays (default: medium)"
        )
        parser.add_argument(
            "--simulations",
            type=int,
            default=3000,
            help="simulations of each of the two comparisons of a decision (default: 3000)",
        )
        parser.add_argument("--seed", default="1", help="the same seed makes the same puzzles (default: 1)")
        parser.add_argument("--players", type=int, choices=(2, 3), help="only for 2 or 3 players")
        parser.add_argument(
            "--ruleset",
            action="append",
            choices=rule_set_keys(),
            help="only these rule sets, in turn; can be repeated (default: all)",
        )
        parser.add_argument("--output", type=Path, help="write the puzzles to this file, one a line, instead")
        parser.add_argument(
            "--verify",
            action="store_true",
            help="make nothing, but compare the choices of the shipped puzzles again with --simulations",
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Make or verify puzzles."""
        if options["number"] < 1 or options["simulations"] < 1:
            raise CommandError("The numbers must be at least 1.")
        if options["verify"]:
            self._verify(options["seed"], options["simulations"])
            return
        if options["output"]:
            with options["output"].open("w", encoding="utf-8") as lines:
                found = self._find(options, lines)
            self.stdout.write(f"Wrote {len(found)} puzzles.")
            return
        found = self._find(options)
        source = PuzzleSource.MATCH if options["from_matches"] else PuzzleSource.SELF_PLAY
        self.stdout.write(f"Stored {store_puzzles(found, source)} new puzzles.")

    def _find(self, options: dict[str, Any], lines: TextIO | None = None) -> list[PuzzleDocument]:
        """Return the puzzles, and write each of them as soon as it is found."""
        making = Making(
            number=options["number"],
            seed=options["seed"],
            simulations=options["simulations"],
            rulesets=tuple(options["ruleset"] or rule_set_keys()),
            players=options["players"],
        )
        if options["from_matches"]:
            decisions = match_decisions(making)
        else:
            decisions = self_play_decisions(making, options["level"])
        progress, found = ProgressLine(self.stderr, making.number), []
        for puzzle in find_puzzles(making, decisions):
            found.append(puzzle)
            if lines is not None:
                lines.write(json.dumps(puzzle, separators=(",", ":")) + "\n")
                lines.flush()
            progress.show(len(found), puzzle["theme"])
        progress.end()
        if len(found) < making.number:
            self.stderr.write(f"Only {len(found)} of {making.number} puzzles were found.")
        return found

    def _verify(self, seed: str, simulations: int) -> None:
        """Print the smallest gap of each shipped puzzle; fail if one is no longer best."""
        failed = 0
        for puzzle in shipped_puzzles():
            gap, interval = verified_gap(puzzle, seed, simulations)
            failed += gap <= interval
            self.stdout.write(f"{puzzle['id']} {puzzle['theme']} {gap:.1f} ± {interval:.1f}")
        self.stdout.write(f"{len(shipped_puzzles()) - failed} of {len(shipped_puzzles())} are clear.")
        if failed:
            raise CommandError(f"{failed} puzzles are not clear.")
