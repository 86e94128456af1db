"""`manage.py import_records`: matches that were played elsewhere, to be read here."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from django.core.management.base import CommandError

from games.gateway.records import ImportRefused, parse_record
from games.identity.models import Player
from games.identity.queries import find_player
from games.management.base import LongRunningCommand
from games.matches.models.match import Visibility
from games.records.services import ImportOptions, import_record

_MAX_LINE: Final = 4 * 1024 * 1024 + 2


class Command(LongRunningCommand):
    """Take records in, one after the other; exits with 1 if any was refused."""

    help = (
        "Store finished matches from their records (haggis-record/1): JSON or text, one a file, or one JSON "
        "record a line, as export_records writes them. Each is replayed first, and changes nothing if it is "
        "here already."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where from, and on whose behalf."""
        parser.add_argument(
            "files", metavar="FILE", nargs="+", help="a file of records, or - for standard input"
        )
        parser.add_argument("--maker", metavar="USERNAME", required=True, help="whose matches they become")
        parser.add_argument(
            "--player",
            metavar="NAME=USERNAME",
            action="append",
            default=[],
            help="who a name in the records is here; any other is nobody's account, even if one is called so",
        )
        parser.add_argument(
            "--visibility",
            choices=Visibility.values,
            default=Visibility.UNLISTED.value,
            help="who may see them (unlisted: whoever has the link)",
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Import."""
        wishes = ImportOptions(
            maker=_account(options["maker"]),
            visibility=options["visibility"],
            players=dict(_named(each) for each in options["player"]),
        )
        refused = 0
        for name in options["files"]:
            for where, data in _records(name):
                refused += not self._import(where, data, wishes)
        if refused:
            raise CommandError(f"{refused} refused.")

    def _import(self, where: str, data: bytes, wishes: ImportOptions) -> bool:
        """Take one record in, and say what became of it."""
        try:
            match_id, is_new = import_record(record=parse_record(data), wishes=wishes)
        except ImportRefused as why:
            self.stderr.write(f"{where}: refused: {why}")
            return False
        self.stdout.write(f"{match_id}: {'imported' if is_new else 'is here already'}")
        return True


def _account(username: str) -> Player:
    player = find_player(username)
    if player is None or not player.is_active:
        raise CommandError(f"There is no player {username}.")
    return player


def _named(text: str) -> tuple[str, Player]:
    name, _, username = text.rpartition("=")
    if not name:
        raise CommandError(f"--player is NAME=USERNAME, not {text}.")
    return name, _account(username)


def _records(name: str) -> Iterator[tuple[str, bytes]]:
    """The records of one file, each with where it stands."""
    if name == "-":
        yield from _lines("line", sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as file:
            if _holds_a_record_a_line(file):
                yield from _lines(f"{name}, line", file)
            else:
                yield name, file.read(_MAX_LINE)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from error


def _holds_a_record_a_line(file: BinaryIO) -> bool:
    """Whether the first line is a JSON object by itself; then the file is at its beginning again."""
    first = file.readline(_MAX_LINE).strip()
    file.seek(0)
    return first.startswith(b"{") and first.endswith(b"}")


def _lines(where: str, file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """The lines that are not blank, none longer than a record. After one that is, nothing more is read."""
    number, size = 0, 0
    while size < _MAX_LINE and (line := file.readline(_MAX_LINE)):
        number, size = number + 1, len(line)
        if line.strip():
            yield f"{where} {number}", line.rstrip(b"\r\n")
