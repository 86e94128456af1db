"""Replay recorded matches: `python -m engine.replay FILE...` checks whether each one is valid.

A file contains one record, as JSON or in text notation. `-` reads JSON records from standard input, one
per line.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from engine.errors import Malformed
from engine.records.loading import LARGEST_RECORD, load_record
from engine.records.replay import replay
from engine.records.verdict import Valid, Verdict, Wrong

VALID: Final = 0
WRONG: Final = 1
EPILOG: Final = """\
prints a line for each record, in their order: 'valid', or where it is wrong and why

exit status: 0  every record is valid
             1  some record is wrong, or could not be read
"""


def judge(data: bytes) -> Verdict:
    """Replay the record in these bytes; an unreadable record is wrong, too."""
    try:
        return replay(load_record(data))
    except Malformed as error:
        return Wrong(error.where, error.code, error.detail)


def describe(verdict: Verdict, *, with_deals: bool = False) -> str:
    """Return the verdict on one line: only `valid` for a valid record, unless the deals are requested."""
    if isinstance(verdict, Valid):
        return f"valid, deals {verdict.deals}" if with_deals else "valid"
    where = f"at {verdict.where}" if verdict.where else "as a whole"
    return f"wrong {where}: {verdict.code}: {verdict.detail}"


def verdicts(path: str) -> Iterator[tuple[str, Verdict]]:
    """Yield a name and a verdict for each record of a file or of standard input."""
    if path == "-":
        for number, line in _lines(sys.stdin.buffer):
            yield f"line {number}", judge(line)
        return
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_RECORD + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "The file name is not valid"
        yield path, Wrong("", "unreadable_file", f"{reason}.")
        return
    yield path, judge(data)


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the non-blank lines and their numbers, stopping after a line that is too large."""
    number, size = 0, 0
    while size <= LARGEST_RECORD and (line := stream.readline(LARGEST_RECORD + 2)):
        number, size = number + 1, len(line)
        if line.strip():
            yield number, line.rstrip(b"\r\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay every record given on the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m engine.replay",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file with one record, or '-'")
    parser.add_argument("--deals", action="store_true", help="say also whether the deals are proven")
    options = parser.parse_args(arguments)
    several = len(options.files) > 1 or options.files == ["-"]
    status = VALID
    for path in options.files:
        for name, verdict in verdicts(path):
            line = describe(verdict, with_deals=options.deals)
            _print_line(line if verdict.valid or not several else f"{line} [{name}]")
            status = status if verdict.valid else WRONG
    return status


def _print_line(line: str) -> None:
    """Print one line with unprintable and non-ASCII characters escaped, so that any file name is safe."""
    printable = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)
    sys.stdout.write(printable.encode("ascii", "backslashreplace").decode() + "\n")


if __name__ == "__main__":
    sys.exit(main())
