"""`manage.py export_records`: matches to take away, one record a line."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import CommandError, OutputWrapper

from games.core.errors import Problem
from games.management.base import LongRunningCommand
from games.records.queries import records, records_named


class Command(LongRunningCommand):
    """Write records as `python -m engine.replay -` reads them."""

    help = "Write records of matches (haggis-record/1), one a line; of a running one, the rounds that ended."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which matches, and where to."""
        parser.add_argument(
            "--match",
            metavar="ID",
            action="append",
            default=[],
            help="one match, and each that is named so (all)",
        )
        parser.add_argument("--finished", action="store_true", help="finished matches only")
        parser.add_argument("--private", action="store_true", help="private matches too")
        parser.add_argument("--to", metavar="FILE", default="-", help="a new file, or - (-)")

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Export."""
        named, wish = options["match"], {"finished": options["finished"], "private": options["private"]}
        found = records_named(named, **wish) if named else records(**wish)
        try:
            with self._opened(options["to"]) as file:
                for record in found:
                    file.write(json.dumps(record, separators=(",", ":")) + "\n")
        except Problem as refused:
            raise CommandError(refused.detail) from None

    @contextmanager
    def _opened(self, name: str) -> Iterator[TextIO | OutputWrapper]:
        """Where to write. A file is there when it is whole, and none is overwritten."""
        if name == "-":
            yield self.stdout
            return
        path, draft = Path(name), Path(f"{name}.part")
        if path.exists():
            raise CommandError(f"There is a file {name} already.")
        try:
            with draft.open("w", encoding="ascii") as file:
                yield file
        except OSError as error:
            raise CommandError(f"{name} cannot be written: {error.strerror}.") from error
        except Problem:
            draft.unlink()
            raise
        draft.rename(path)
