"""Read the text notation, line by line, into the JSON form of a record, which is then read like any JSON.

So both formats have the same validation. Errors give the line number.
"""

import re
from typing import Final

from engine.cards.deck import SUITS_FOR
from engine.errors import Malformed
from engine.records.notation_actions import JsonObject, add_notes, read_actions
from engine.records.notation_draft import Draft
from engine.records.notation_lines import MATCH_LINES, ROUND_LINES, read_result, read_round
from engine.records.notation_words import read_number, unreadable
from engine.records.reading import read_record
from engine.records.record import FORMAT, Record

_TRICK: Final = re.compile(r"([0-9]{1,9})\. +(.*)")
_NOTES: Final = re.compile(r"\{(.*)\}")


def from_text(text: str) -> Record:
    """Return the record in this text; raise `Malformed` with the line as `where` if it cannot be read."""
    parser = _Parser()
    for number, line in enumerate(text.split("\n"), start=1):
        parser.draft.line = number
        try:
            parser.read(line.strip())
        except Malformed as error:
            raise _in_line(error, number) from None
    return _finished(parser)


def _finished(parser: "_Parser") -> Record:
    """Return the record built from all lines."""
    if not parser.has_started:
        raise _in_line(_unknown_format(), 1)
    try:
        return read_record(parser.draft.record)
    except Malformed as error:
        raise _in_line(error, parser.draft.line_of(error.where)) from None


def _in_line(error: Malformed, number: int) -> Malformed:
    return Malformed(error.code, error.detail, where=f"line {number}")


def _unknown_format() -> Malformed:
    return Malformed("unknown_format", f"The first line is not {FORMAT}.")


class _Parser:
    """The draft, and what the next line may be."""

    def __init__(self) -> None:
        """Start before the first line."""
        self.draft = Draft()
        self.has_started = False
        self._has_ended = False
        self._tricks = 0
        self._trick: list[JsonObject] = []

    def read(self, line: str) -> None:
        """Read one line; blank lines and lines that begin with # are ignored."""
        if not line or line.startswith("#"):
            return
        if not self.has_started:
            self._start(line)
        elif self._has_ended:
            raise Malformed("misplaced_line", "Nothing may follow the result.")
        elif trick := _TRICK.fullmatch(line):
            self._read_trick(trick[1], trick[2])
        elif notes := _NOTES.fullmatch(line):
            self._read_notes(notes[1])
        else:
            word, _, rest = line.partition(" ")
            self._read_line(word, rest.strip())

    def _start(self, line: str) -> None:
        if line != FORMAT:
            raise _unknown_format()
        self.has_started = True

    def _read_trick(self, number: str, actions: str) -> None:
        """Read a line of actions; lines may be split anywhere, but their numbers must be consecutive."""
        if not self.draft.in_round:
            raise _misplaced()
        players = self.draft.record.get("players", 0)
        if players not in SUITS_FOR:
            raise Malformed("missing_line", "The number of players, 2 or 3, must come before the rounds.")
        self._tricks += 1
        if read_number(number) != self._tricks:
            raise unreadable(f"This line should have the number {self._tricks}.")
        self._trick = read_actions(actions, players)
        for action in self._trick:
            self.draft.append("actions", action)

    def _read_notes(self, notes: str) -> None:
        """Read the notes to the line of actions just above."""
        if not self._trick:
            raise _misplaced()
        add_notes(notes, self._trick)
        self._trick = []

    def _read_line(self, word: str, rest: str) -> None:
        """Read a line that begins with a word, if it may appear here."""
        self._trick = []
        lines = ROUND_LINES if self.draft.in_round else MATCH_LINES
        if word == "round":
            self._tricks = 0
            self.draft.open_round(read_round(rest))
        elif word == "result":
            self.draft.close_round()
            self.draft.put("result", read_result(rest))
            self._has_ended = True
        elif word in lines:
            line = lines[word]
            line.put(self.draft, line.field, line.read(rest))
        else:
            raise _misplaced() if word in {*ROUND_LINES, *MATCH_LINES} else _unknown_line()


def _misplaced() -> Malformed:
    return Malformed("misplaced_line", "This line is in the wrong place.")


def _unknown_line() -> Malformed:
    return Malformed("unknown_line", "This line starts with an unknown word.")
