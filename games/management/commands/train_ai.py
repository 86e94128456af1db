"""`manage.py train_ai`: train the networks of the AI levels from scratch."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.gateway.arena import PACKAGED, ROUNDS, train
from games.management.base import ProgressLine


class Command(BaseCommand):
    """Train for two players, three or both; an interrupted run resumes from its last checkpoint."""

    help = "Train the networks of the levels medium and hard by self-play."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the networks, the length of the training, the seed and the folders."""
        parser.add_argument("--players", type=int, choices=(2, 3), help="number of players (default: both)")
        parser.add_argument(
            "--rounds", type=int, help=f"rounds of self-play (default: {ROUNDS[2]}, or {ROUNDS[3]} for 3)"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--into", type=Path, default=PACKAGED, help="the folder for the weights and their notes"
        )
        parser.add_argument(
            "--keep", type=Path, default=Path("var/training"), help="the folder for checkpoints"
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Train each network in turn."""
        for players in [options["players"]] if options["players"] else sorted(ROUNDS):
            rounds = options["rounds"] or ROUNDS[players]
            progress = ProgressLine(self.stderr, rounds)
            for state in train(
                players=players,
                rounds=rounds,
                seed=options["seed"],
                into=options["into"],
                checkpoints=options["keep"],
            ):
                progress.show(state.rounds, f"error {state.error**0.5:.2f} points")
            progress.end()
            self.stdout.write(f"{players} players: {rounds} rounds, weights in {options['into']}")
