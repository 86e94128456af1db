"""Read the actions of a round from JSON, each type with its own fields."""

from collections.abc import Mapping
from typing import Final

from engine.cards.deck import HAND_CARDS
from engine.combinations.ambiguity import UNNAMED, Named
from engine.combinations.kinds import Kind
from engine.errors import Malformed
from engine.records.fields import optional, read_choice, read_int, read_object, schema
from engine.records.formats import read_cards, read_time
from engine.records.record import By, RecordedAction
from engine.rounds.actions import Action, Award, Bet, Pass, Play

_ACTIONS: Final = {
    "play": schema("seat type cards", "as by at"),
    "pass": schema("seat type", "by at"),
    "bet": schema("seat type amount", "by at"),
    "award": schema("seat type to", "by at"),
}
_AS: Final = schema("", "kind top width length")
_SIZES: Final = range(101)
_AMOUNTS: Final = range(1_000_001)


def read_action(value: object, where: str, seats: range) -> RecordedAction:
    """Return one action of any type."""
    kind = value.get("type") if isinstance(value, dict) else None
    expected = _ACTIONS.get(kind) if isinstance(kind, str) else None
    if expected is None:
        return _reject_action(value, where)
    fields = read_object(value, where, expected)
    return RecordedAction(
        seat=read_int(fields["seat"], f"{where}/seat", seats),
        action=_read_action_content(fields, where, seats),
        by=optional(fields, where, "by", lambda by, at: read_choice(by, at, By)),
        at=optional(fields, where, "at", read_time),
    )


def _reject_action(value: object, where: str) -> RecordedAction:
    """Raise `Malformed` with the reason why the action has no known type."""
    if not isinstance(value, dict):
        raise Malformed("wrong_type", "This is not an object.", where=where)
    if "type" not in value:
        raise Malformed("missing_field", "This field is missing.", where=f"{where}/type")
    if not isinstance(value["type"], str):
        raise Malformed("wrong_type", "This is not a string.", where=f"{where}/type")
    raise Malformed("invalid_value", f"This must be one of {', '.join(_ACTIONS)}.", where=f"{where}/type")


def _read_action_content(fields: Mapping[str, object], where: str, seats: range) -> Action:
    match fields["type"]:
        case "play":
            cards = read_cards(fields["cards"], f"{where}/cards", range(1, HAND_CARDS + 1))
            return Play(cards, optional(fields, where, "as", _read_named) or UNNAMED)
        case "bet":
            return Bet(read_int(fields["amount"], f"{where}/amount", _AMOUNTS))
        case "award":
            return Award(read_int(fields["to"], f"{where}/to", seats))
        case _:
            return Pass()


def _read_named(value: object, where: str) -> Named:
    fields = read_object(value, where, _AS)

    def read_size(size: object, where: str) -> int:
        return read_int(size, where, _SIZES)

    return Named(
        kind=optional(fields, where, "kind", lambda kind, at: read_choice(kind, at, Kind)),
        top=optional(fields, where, "top", read_size),
        width=optional(fields, where, "width", read_size),
        length=optional(fields, where, "length", read_size),
    )
