"""Build the JSON form of a record while its text is read, tracking the line that set each field."""

from typing import Any

from engine.errors import Malformed
from engine.records.notation_words import unreadable
from engine.records.record import FORMAT

JsonObject = dict[str, Any]


class Draft:
    """The record as read so far; `line` is the number of the current line."""

    def __init__(self) -> None:
        """Start with an empty record."""
        self.record: JsonObject = {"format": FORMAT, "options": {}, "seats": [], "rounds": []}
        self.line = 1
        self._into = self.record
        self._fields_set: set[str] = set()
        self._where = ""
        self._lines = {"": 1}

    @property
    def in_round(self) -> bool:
        """Whether a round is being read."""
        return bool(self._where)

    def line_of(self, where: str) -> int:
        """Return the line that set the value at a JSON pointer, or the closest value that contains it."""
        while where not in self._lines:
            where = where.rpartition("/")[0]
        return self._lines[where]

    def put(self, field: str, value: object) -> None:
        """Set a field; raise `Malformed` if it is set already."""
        if field in self._fields_set:
            raise repeated()
        self._fields_set.add(field)
        self._into[field] = value
        self._mark(field)

    def append(self, field: str, value: object) -> None:
        """Append an item to a list field."""
        items = self._into.setdefault(field, [])
        items.append(value)
        self._mark(field)
        self._mark(f"{field}/{len(items) - 1}")

    def append_for_seat(self, field: str, seat_and_value: tuple[int, object]) -> None:
        """Append a seat's item to a list with one item for each seat, in order."""
        seat, value = seat_and_value
        if seat != len(self._into.get(field, ())):
            raise unreadable("Seats must be in order, each once.")
        self.append(field, value)

    def set_member(self, field: str, name_and_value: tuple[str, object]) -> None:
        """Set one member of an object field; raise `Malformed` if it is set already."""
        name, value = name_and_value
        if name in self._into[field]:
            raise repeated()
        self._into[field][name] = value
        self._mark(field)

    def open_round(self, beginning: JsonObject) -> None:
        """Start a new round; following lines belong to it."""
        self._where = f"/rounds/{len(self.record['rounds'])}"
        self._into = {**beginning, "hands": [], "actions": [], "out": []}
        self._fields_set = set()
        self.record["rounds"].append(self._into)
        self._lines[self._where] = self.line

    def close_round(self) -> None:
        """End the round; following lines belong to the match."""
        self._into, self._where = self.record, ""

    def _mark(self, part: str) -> None:
        self._lines[f"{self._where}/{part}"] = self.line


def repeated() -> Malformed:
    """Return the error for a line that may appear only once."""
    return Malformed("repeated_line", "This line may appear only once.")
