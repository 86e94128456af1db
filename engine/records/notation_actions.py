"""Read the lines of actions: tricks, and the notes below them about who acted and when."""

from typing import Any

from engine.cards.card import Card, parse_cards
from engine.errors import Malformed
from engine.records.notation_names import read_name
from engine.records.notation_words import read_number, read_seat, unreadable
from engine.records.writing import write_named

JsonObject = dict[str, Any]


def read_actions(text: str, players: int) -> list[JsonObject]:
    """Return the actions of one line, in the JSON form of a record."""
    return [_read_action(each.split(), players) for each in text.split(";")]


def _read_action(words: list[str], players: int) -> JsonObject:
    """Return one action: a seat and a verb, or a seat and the cards it plays."""
    match words:
        case [seat, "passes"]:
            return {"seat": read_seat(seat), "type": "pass"}
        case [seat, "bets", amount]:
            return {"seat": read_seat(seat), "type": "bet", "amount": read_number(amount)}
        case [seat, "awards", captor]:
            return {"seat": read_seat(seat), "type": "award", "to": read_seat(captor)}
        case [seat, *play] if play:
            return {"seat": read_seat(seat), "type": "play", **_read_play(" ".join(play), players)}
        case _:
            raise unreadable("An action is a seat and what it does, as in: A 7r 7g; B passes")


def _read_play(text: str, players: int) -> JsonObject:
    codes, _, name = text.partition("=")
    cards = _read_cards(codes)
    named = write_named(read_name(name.strip(), cards, players))
    return {"cards": [str(card) for card in cards]} | ({"as": named} if named else {})


def _read_cards(codes: str) -> tuple[Card, ...]:
    """Return the cards; an unknown code is not repeated in the error, since it may be long."""
    try:
        return parse_cards(codes)
    except Malformed as error:
        raise Malformed(error.code, "There is no such card.") from None


def add_notes(text: str, actions: list[JsonObject]) -> None:
    """Add to the actions of one trick who acted for each seat, and when; `-` stands for unknown."""
    notes = [each.split() for each in text.split(";")]
    if len(notes) != len(actions) or any(len(note) != 2 for note in notes):
        raise unreadable("There must be a note for each action of the line above, as in: {player -; ai -}")
    for action, (by, at) in zip(actions, notes, strict=True):
        action |= {name: note for name, note in (("by", by), ("at", at)) if note != "-"}
