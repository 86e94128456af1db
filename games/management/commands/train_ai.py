"""`manage.py train_ai`: the networks of the levels, from nothing."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.gateway.arena import PACKAGED, ROUNDS, train
from games.management.base import ProgressLine


class Command(BaseCommand):
    """Train for two players, for three, or both. Broken off, it goes on where it was."""

    help = "Train the networks that medium and hard play by, by letting them play against themselves."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """For whom, how long, from which seed, and where everything is put."""
        parser.add_argument("--players", type=int, choices=(2, 3), help="both, when left out")
        parser.add_argument(
            "--rounds", type=int, help=f"rounds of self-play ({ROUNDS[2]}; {ROUNDS[3]} of three)"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--into", type=Path, default=PACKAGED, help="the folder for weights and note")
        parser.add_argument(
            "--keep", type=Path, default=Path("var/training"), help="the folder for checkpoints"
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Train each network in turn."""
        for players in [options["players"]] if options["players"] else sorted(ROUNDS):
            rounds = options["rounds"] or ROUNDS[players]
            progress = ProgressLine(self.stderr, rounds)
            for now in train(
                players=players,
                rounds=rounds,
                seed=options["seed"],
                into=options["into"],
                checkpoints=options["keep"],
            ):
                progress.show(now.rounds, f"error {now.error**0.5:.2f} points")
            progress.end()
            self.stdout.write(f"{players} players: {rounds} rounds, weights in {options['into']}")
