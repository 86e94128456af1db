"""`manage.py import_records`: import matches that were played elsewhere."""

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

_MAX_LINE_BYTES: Final = 4 * 1024 * 1024 + 2


class Command(LongRunningCommand):
    """Import records one by one; exit with 1 if any was refused."""

    help = (
        "Import finished matches from their records (haggis-record/1): one JSON or text record a file, or "
        "one JSON record a line, as written by export_records. Each record is verified by replay first. "
        "Records that have already been imported are skipped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the input files, the owner and the mapping of players."""
        parser.add_argument(
            "files", metavar="FILE", nargs="+", help="a file of records, or - for standard input"
        )
        parser.add_argument(
            "--maker",
            metavar="USERNAME",
            required=True,
            help="the player who becomes the maker of the matches",
        )
        parser.add_argument(
            "--player",
            metavar="NAME=USERNAME",
            action="append",
            default=[],
            help="map a name in the records to an account; other names are never linked to accounts",
        )
        parser.add_argument(
            "--visibility",
            choices=Visibility.values,
            default=Visibility.UNLISTED.value,
            help="who can see the matches (default: unlisted, everybody with the link)",
        )

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Import the records of all files."""
        import_options = ImportOptions(
            maker=_account(options["maker"]),
            visibility=options["visibility"],
            players=dict(_parse_mapping(each) for each in options["player"]),
        )
        refused = 0
        for name in options["files"]:
            for where, data in _read_records(name):
                refused += not self._import(where, data, import_options)
        if refused:
            raise CommandError(f"Records refused: {refused}.")

    def _import(self, where: str, data: bytes, options: ImportOptions) -> bool:
        """Import one record, report the outcome and return whether it was accepted."""
        try:
            match_id, is_new = import_record(record=parse_record(data), options=options)
        except ImportRefused as why:
            self.stderr.write(f"{where}: refused: {why}")
            return False
        self.stdout.write(f"{match_id}: {'imported' if is_new else 'already imported'}")
        return True


def _account(username: str) -> Player:
    player = find_player(username)
    if player is None or not player.is_active:
        raise CommandError(f"There is no player {username}.")
    return player


def _parse_mapping(text: str) -> tuple[str, Player]:
    name, _, username = text.rpartition("=")
    if not name:
        raise CommandError(f"--player must be NAME=USERNAME, not {text}.")
    return name, _account(username)


def _read_records(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the records of one file, each with its position for messages."""
    if name == "-":
        yield from _read_lines("line", sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as file:
            if _has_one_record_per_line(file):
                yield from _read_lines(f"{name}, line", file)
            else:
                yield name, file.read(_MAX_LINE_BYTES)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from error


def _has_one_record_per_line(file: BinaryIO) -> bool:
    """Return whether the first line is a complete JSON object, and rewind the file."""
    first = file.readline(_MAX_LINE_BYTES).strip()
    file.seek(0)
    return first.startswith(b"{") and first.endswith(b"}")


def _read_lines(where: str, file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """Yield the non-blank lines with their numbers; stop after a line that exceeds the maximum size."""
    number, size = 0, 0
    while size < _MAX_LINE_BYTES and (line := file.readline(_MAX_LINE_BYTES)):
        number, size = number + 1, len(line)
        if line.strip():
            yield f"{where} {number}", line.rstrip(b"\r\n")
