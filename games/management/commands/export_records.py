"""`manage.py export_records`: write the records of matches, one a line."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import CommandError, OutputWrapper

from games.core.errors import Problem
from games.management.base import LongRunningCommand
from games.records.queries import iter_records, iter_records_of


class Command(LongRunningCommand):
    """Write records in the format that `python -m engine.replay -` reads."""

    help = "Write match records (haggis-record/1), one a line; of running matches, only the ended rounds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the selection of matches and the output file."""
        parser.add_argument(
            "--match",
            metavar="ID",
            action="append",
            default=[],
            help="the ID of a match; can be repeated (default: all)",
        )
        parser.add_argument("--finished", action="store_true", help="finished matches only")
        parser.add_argument("--private", action="store_true", help="private matches too")
        parser.add_argument(
            "--to", metavar="FILE", default="-", help="a new file, or - for standard output (default: -)"
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Write the records."""
        match_ids = options["match"]
        filters = {"finished": options["finished"], "private": options["private"]}
        records = iter_records_of(match_ids, **filters) if match_ids else iter_records(**filters)
        try:
            with self._open(options["to"]) as file:
                for record in records:
                    file.write(json.dumps(record, separators=(",", ":")) + "\n")
        except Problem as refused:
            raise CommandError(refused.detail) from None

    @contextmanager
    def _open(self, name: str) -> Iterator[TextIO | OutputWrapper]:
        """Open the output; a file gets its name only when it is complete and is never overwritten."""
        if name == "-":
            yield self.stdout
            return
        path, draft = Path(name), Path(f"{name}.part")
        if path.exists():
            raise CommandError(f"{name} already exists.")
        try:
            with draft.open("w", encoding="ascii") as file:
                yield file
        except OSError as error:
            raise CommandError(f"{name} cannot be written: {error.strerror}.") from error
        except Problem:
            draft.unlink()
            raise
        draft.rename(path)
