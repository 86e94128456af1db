"""Define the lines of the text notation that begin with a word: the field of each, and how it is read."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.records.notation_draft import Draft
from engine.records.notation_words import QUOTED, read_number, read_quoted, read_seat, unreadable

_OPTION: Final = re.compile(f"({QUOTED}) +({QUOTED})")
_ROUND: Final = re.compile(r"([0-9]{1,9})(?:, ([A-Z]) deals)?, ([A-Z]) leads")
_RESULT: Final = re.compile(r"([a-z]+), winners (nobody|[A-Z ]+), scores ([-0-9 ]+)")
_ITEMS: Final = ("going_out", "first_out_bonus", "captured", "bets", "total")
_SCORE: Final = re.compile("([A-Z]) " + ", ".join(f"{item} ([-0-9]+)" for item in _ITEMS))


@dataclass(frozen=True, slots=True)
class Line:
    """A field, how its line is read, and how the result is added to the draft."""

    field: str
    read: Callable[[str], Any]
    put: Callable[[Draft, str, Any], None] = Draft.put


def read_option(text: str) -> tuple[str, str]:
    """Return the name and the value of an option."""
    found = _OPTION.fullmatch(text)
    if not found:
        raise unreadable('An option is written as in: option "bomb_capture" "tournament"')
    return read_quoted(found[1]), read_quoted(found[2])


def read_seat_text(text: str) -> tuple[int, str]:
    """Return a seat and a quoted text."""
    letter, _, rest = text.partition(" ")
    return read_seat(letter), read_quoted(rest.strip())


def read_hand(text: str) -> tuple[int, list[str]]:
    """Return a seat and the codes of its cards."""
    letter, _, rest = text.partition(" ")
    return read_seat(letter), rest.split()


def read_seats(text: str) -> list[int]:
    """Return seats in the order given."""
    return [read_seat(letter) for letter in text.split()]


def read_numbers(text: str) -> list[int]:
    """Return numbers, one for each seat."""
    return [read_number(number) for number in text.split()]


def read_score(text: str) -> dict[str, int]:
    """Return one line of a score sheet."""
    found = _SCORE.fullmatch(text)
    if not found:
        raise unreadable(f"A score is written as in: score A {', '.join(f'{item} 0' for item in _ITEMS)}")
    letter, *points = found.groups()
    return {"seat": read_seat(letter)} | dict(zip(_ITEMS, map(read_number, points), strict=True))


def read_round(text: str) -> dict[str, Any]:
    """Return the number of a round, and who deals and leads."""
    found = _ROUND.fullmatch(text)
    if not found:
        raise unreadable("A round begins as in: round 1, A deals, B leads")
    number, dealer, leader = found.groups()
    return {
        "number": read_number(number),
        "dealer": None if dealer is None else read_seat(dealer),
        "leader": read_seat(leader),
    }


def read_result(text: str) -> dict[str, Any]:
    """Return how the match ended."""
    found = _RESULT.fullmatch(text)
    if not found:
        raise unreadable("A result is written as in: result target, winners A, scores 254 180")
    reason, winners, scores = found.groups()
    return {
        "winners": [] if winners == "nobody" else read_seats(winners),
        "scores": read_numbers(scores),
        "reason": reason,
    }


MATCH_LINES: Final[Mapping[str, Line]] = {
    "match": Line("match", read_quoted),
    "deal_id": Line("deal_id", read_quoted),
    "ruleset": Line("ruleset", read_quoted),
    "ruleset_version": Line("ruleset_version", read_quoted),
    "option": Line("options", read_option, Draft.set_member),
    "players": Line("players", read_number),
    "target_score": Line("target_score", read_number),
    "rounds_limit": Line("rounds_limit", read_number),
    "seat": Line("seats", read_seat_text, Draft.append_for_seat),
    "seed": Line("client_seeds", read_seat_text, Draft.append_for_seat),
    "anchor": Line("anchor", str),
}

ROUND_LINES: Final[Mapping[str, Line]] = {
    "link": Line("link", str),
    "hand": Line("hands", read_hand, Draft.append_for_seat),
    "haggis": Line("haggis", str.split),
    "out": Line("out", read_seats),
    "score": Line("scores", read_score, Draft.append),
    "totals": Line("totals", read_numbers),
}
